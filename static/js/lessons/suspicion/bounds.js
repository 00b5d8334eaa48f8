/** Both bounds of an epsilon as lines, from one end of the picture to the other, in 100. */

import { bounds } from "../../theory/suspicion.js";

/** Even steps of the logarithm of the odds: smooth where a curve is steep, near both ends. */
const STEPS = Array.from({ length: 161 }, (_, index) => (index - 80) / 8);

/** @type {Map<number, [XY[], XY[]]>} those that are compared are asked for again and again */
const known = new Map();
const MOST = 20;

/** The lower bound and the upper one. @param {number} epsilon @returns {[XY[], XY[]]} */
export function both(epsilon) {
  const found = known.get(epsilon) ?? drawn(epsilon);
  if (known.size >= MOST) known.clear();
  known.set(epsilon, found);
  return found;
}

/** @param {number} epsilon @returns {[XY[], XY[]]} */
function drawn(epsilon) {
  const priors = (/** @type {number} */ shift) => [0, ...STEPS.map((step) => 1 / (1 + Math.exp(shift - step))), 1];
  return [
    priors(-epsilon / 2).map((prior) => [100 * prior, 100 * bounds(prior, epsilon)[0]]),
    priors(epsilon / 2).map((prior) => [100 * prior, 100 * bounds(prior, epsilon)[1]]),
  ];
}
