/** The pairs of answers that are told apart best: the twin of survey/privacy/hardest_pairs.py, where the proofs are. */

import { answers, knot, otherForms, row } from "./compact_form.js";
import { between, curve, nowhereBelow } from "./curve.js";
import { choose, TOTAL } from "./randomize.js";

/** Larger tables are not compared pair by pair. */
const MOST_WEIGHTS = 50 * 50;

/** Every other pair of answers has less delta than one of these, at every epsilon. @type {HardestPairs} */
export function hardestPairs(form, loss) {
  const last = answers(form) - 1;
  const other = otherForms.get(form.form);
  if (other) return [between(...other.furthest(form))];
  if (endsDominate(form)) return [between(row(form, 0), row(form, last))];
  const rows = Array.from({ length: last + 1 }, (_, answer) => row(form, answer));
  if (rows.flat().length <= MOST_WEIGHTS) return undominated(rows);
  if (!loss) return [[{ loss: Infinity, chance: 1 }]];
  // As if it were a yes/no question with this bound (Kairouz, Oh & Viswanath 2015, theorem 3.3).
  const [largest = 0, smallest = 0] = loss;
  return [between([smallest, largest], [largest, smallest]).map((told) => ({ ...told, chance: told.chance * TOTAL / (largest + smallest) }))];
}

/** Whether the first and the last answer are those that are told apart best. @param {Form} form */
function endsDominate(form) {
  if (form.form === "windows") return true;
  if (form.form === "subsets") return holdsEverySet(form);
  return form.form === "tails" ? isConcave(form.tails) : form.form === "rows" && isMirrored(form) && leans(form);
}

/** @param {SubsetsForm} form */
function holdsEverySet({ answers: places, masks }) {
  const sizes = new Set(masks.map((mask) => [...mask.toString(2)].filter((bit) => bit === "1").length));
  const [size = 0] = sizes;
  return sizes.size === 1 && new Set(masks).size === masks.length && masks.length === choose(places, size);
}

/** Noise of concave logarithm, and tails, but for their rounding. @param {readonly number[]} tails */
function isConcave(tails) {
  const noise = tails.slice(0, -1).map((tail, distance) => tail - (tails[distance + 1] ?? 0));
  return [[noise[1] ?? 0, ...noise], tails].every((weights) => weights.every((weight, place) => (
    place === 0 || place === weights.length - 1
    || (weight + 1) ** 2 >= Math.max(0, (weights[place - 1] ?? 0) - 1) * ((weights[place + 1] ?? 0) - 1))));
}

/** The same read backwards, but for rounding. @param {RowsForm} form */
const isMirrored = (form) => everyKnot(form, (weights, place) => {
  const backwards = knot(form, form.knots - 1 - place).slice().reverse();
  return weights.every((weight, report) => Math.abs(weight - (backwards[report] ?? 0)) <= weights.length);
});

/** Every row leans further to the last reports than the row before, but for rounding. @param {RowsForm} form */
const leans = (form) => everyKnot(form, (weights, place) => {
  const next = place + 1 < form.knots ? knot(form, place + 1) : weights;
  const rounding = weights.length;
  /** @param {readonly number[]} from @param {number} report */
  const less = (from, report) => Math.max(0, (from[report] ?? 0) - rounding);
  return weights.every((weight, report) => report === weights.length - 1
    || (weight + rounding) * ((next[report + 1] ?? 0) + rounding) >= less(weights, report + 1) * less(next, report));
});

/** @param {RowsForm} form @param {(weights: readonly number[], place: number) => boolean} holds */
const everyKnot = (form, holds) => Array.from({ length: form.knots }, (_, place) => knot(form, place)).every(holds);

/** Ordered pairs of answers of which none has less delta than another at every epsilon. @param {readonly (readonly number[])[]} rows */
function undominated(rows) {
  const pairs = rows.flatMap((mine) => rows.filter((theirs) => theirs !== mine).map((theirs) => between(mine, theirs)))
    .map((told) => ({ told, apart: curve(told)(0) })).sort((first, second) => second.apart - first.apart);
  /** @type {Loss[]} */
  const hardest = [];
  for (const { told } of pairs) {
    if (!hardest.some((other) => nowhereBelow(other, told))) hardest.push(told);
  }
  return hardest;
}
