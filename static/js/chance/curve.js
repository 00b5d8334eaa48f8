/** What a report tells between two answers, as the random variable that it is: the twin of survey/privacy/curve.py. */

import { TOTAL } from "./randomize.js";

/** Losses that are nearer than this are one: they differ by what logarithms and sums are rounded. */
const SAME = 1e-9;
/** Losses of an envelope lie at least so far apart, and are at most so many. */
const [NEAR, MOST] = [1e-6, 512];

/** ln(P(report | one answer) / P(report | another)), and its chance under the first. @type {Between} */
export const between = (mine, theirs) => merged(mine
  .map((weight, report) => ({ loss: Math.log(weight / (theirs[report] ?? 0)), chance: weight / TOTAL }))
  .filter(({ chance }) => chance > 0)
  .sort((first, second) => first.loss - second.loss || 0)); // infinite ones are alike

/** Sorted losses, equal ones added up. @type {Merged} */
function merged(sorted) {
  /** @type {Loss} */
  const told = [];
  for (const { loss, chance } of sorted) {
    const last = told.at(-1);
    if (last && (loss === last.loss || loss - last.loss < SAME)) last.chance += chance;
    else told.push({ loss, chance });
  }
  return told;
}

/** Losses of independent reports add. @type {Combined} */
export function combined(first, second) {
  const [many, few] = first.length < second.length ? [second, first] : [first, second];
  return few.reduce((/** @type {Loss} */ sums, added) => (
    zipped(sums, many.map(({ loss, chance }) => ({ loss: loss + added.loss, chance: chance * added.chance })))), []);
}

/** Two sorted lists as one. @param {Loss} first @param {Loss} second */
function zipped(first, second) {
  /** @type {Loss} */
  const sorted = [];
  for (let [i, j] = [0, 0]; i < first.length || j < second.length;) {
    const [left, right] = [first[i], second[j]];
    if (left && (!right || left.loss <= right.loss)) [sorted[i + j], i] = [left, i + 1];
    else if (right) [sorted[i + j], j] = [right, j + 1];
  }
  return merged(sorted);
}

/** delta(epsilon): the sum of chance (1 - e^(epsilon - loss)) over the losses above epsilon, of either sign. @type {CurveOf} */
export function curve(told) {
  const [above, discounted] = [[0], [0]];
  for (const { loss, chance } of told.slice().reverse()) {
    above.push((above.at(-1) ?? 0) + chance);
    discounted.push((discounted.at(-1) ?? 0) + chance * Math.exp(-loss));
  }
  return (epsilon) => {
    let [low, high] = [0, told.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((told[middle]?.loss ?? 0) > epsilon) high = middle;
      else low = middle + 1;
    }
    const beyond = told.length - low;
    return Math.max(0, (above[beyond] ?? 0) - Math.exp(epsilon) * (discounted[beyond] ?? 0));
  };
}

/** In e^epsilon both curves are convex, and the first is straight between its losses: there it suffices to look. @type {NowhereBelow} */
export function nowhereBelow(first, second) {
  const [upper, lower] = [curve(first), curve(second)];
  return first.every(({ loss }) => loss === Infinity || upper(loss) >= lower(loss) - SAME);
}

/**
 * A loss whose delta is nowhere below that of any of several. The largest of convex curves is convex, so it
 * belongs to a pair of distributions: a line of slope -S between two ratios e^epsilon says that the second
 * has mass S beyond them. Below 0 it is mirrored: for every pair of answers there is its reverse.
 *
 * @type {Envelope}
 */
export function envelope(several) {
  const losses = several.flat().map(({ loss }) => loss).filter((loss) => loss > NEAR && loss < Infinity).sort((first, second) => first - second);
  const apart = [0, ...losses.filter((loss, place) => (losses[place + 1] ?? Infinity) - loss > NEAR)];
  const step = Math.max(1, (apart.length - 1) / (MOST - 1));
  const points = Array.from({ length: Math.min(apart.length, MOST) }, (_, place) => apart[Math.round(place * step)] ?? 0);
  const curves = several.map(curve);
  const highest = points.map((epsilon) => ({ epsilon, delta: Math.max(...curves.map((delta) => delta(epsilon))) }));
  const mirrored = highest.slice(1).reverse().map(({ epsilon, delta }) => (
    { epsilon: -epsilon, delta: -Math.expm1(-epsilon) + delta * Math.exp(-epsilon) }));
  const corners = [...mirrored, ...highest];
  const slopes = corners.map(({ epsilon, delta }, place) => {
    const before = corners[place - 1];
    return (delta - (before?.delta ?? 1)) / (Math.exp(epsilon) - (before ? Math.exp(before.epsilon) : 0));
  });
  return [...corners.map(({ epsilon }, place) => (
    { loss: epsilon, chance: Math.exp(epsilon) * Math.max(0, (slopes[place + 1] ?? 0) - (slopes[place] ?? 0)) })),
  { loss: Infinity, chance: corners.at(-1)?.delta ?? 0 }];
}
