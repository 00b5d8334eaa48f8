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
  const [largest, smallest] = Array.isArray(loss) ? loss : [];
  if (loss?.length !== 2 || !isWeight(largest) || !isWeight(smallest)) return false;
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
function isWeight(value) {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TOTAL;
}

/** @type {IsLogarithm} */
export const isLogarithm = (epsilon, [largest = 0, smallest = 0]) => Math.abs(Math.log(largest / smallest) - epsilon) <= 1e-9;

/** From even odds a guess is right at most largest / (largest + smallest) of the time. @type {TimesRight} */
export function timesRight(losses, times = 1) {
  let [top, bottom, turn] = [BigInt(1), BigInt(1), 0];
  // Past 99 it is 100: no numbers of thousands of digits.
  for (; turn < times && top <= BigInt(99) * bottom; turn += 1) {
    for (const [largest = 1, smallest = 1] of losses) [top, bottom] = [top * BigInt(largest), bottom * BigInt(smallest)];
  }
  return Number((BigInt(100) * top + top + bottom - BigInt(1)) / (top + bottom));
}
