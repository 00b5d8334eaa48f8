/** Is a channel at least as private as the survey says? Decided in whole numbers of any size. */

import { requireChannel, TOTAL } from "./randomize.js";

/** @type {IsWithinLoss} */
export function isWithinLoss(weights, loss) {
  try {
    requireChannel(weights);
  } catch {
    return false;
  }
  return keepsLoss(weights, loss);
}

/** max * smallest <= min * largest in every column: no report is likelier than that under another answer. @type {KeepsLoss} */
export function keepsLoss(rows, loss) {
  if (!Array.isArray(loss) || loss.length !== 2 || !loss.every(isWeight)) return false;
  const [largest, smallest] = loss;
  /** @type {number[]} */
  const most = [];
  /** @type {number[]} */
  const least = [];
  for (const row of rows) {
    row.forEach((weight, report) => {
      most[report] = Math.max(most[report] ?? 0, weight);
      least[report] = Math.min(least[report] ?? TOTAL, weight);
    });
  }
  return most.every((top, report) => BigInt(top) * BigInt(smallest) <= BigInt(least[report] ?? 0) * BigInt(largest));
}

/** A weight of 0 is none: the ratio would have no bound. @type {IsWeight} */
const isWeight = (value) => Number.isInteger(value) && value > 0 && value <= TOTAL;

/** @type {IsLogarithm} */
export const isLogarithm = (epsilon, [largest = 0, smallest = 0]) => Math.abs(Math.log(largest / smallest) - epsilon) <= 1e-9;
