/** The exercises on noise for numbers. */

import { exercise } from "../exercise_sets.js";
import { up } from "../rounding.js";
import { laplaceDensity, laplaceDeviation, laplaceScale } from "../../theory/noise.js";

export const one = exercise({ most: [8, 4, 10, 6, 12], epsilon: [0.5, 1, 0.25, 2] }, ({ most, epsilon }) => {
  const b = laplaceScale(most, epsilon);
  return { b: [b, 2], deviation: [laplaceDeviation(b), 2] };
});

export const two = exercise({ without: [100, 120, 90], own: [6, 4, 3, 5], most: [10, 8], epsilon: [1, 0.5, 2, 1.5, 0.8] }, ({ without, own, most, epsilon }) => {
  const b = laplaceScale(most, epsilon);
  const [near, far] = [3, own + 3]; // how far the published number is from the two totals
  return {
    with: [without + own, 0], published: [without + far, 0], b: [b, 2], near: [near, 0], far: [far, 0],
    times: [laplaceDensity(near, b) / laplaceDensity(far, b), 2], bound: [Math.exp(epsilon), 2],
  };
});

export const three = exercise({ range: [20, 40, 30], epsilon: [1, 2], target: [0.5, 1, 2, 0.8, 1.5] }, ({ range, epsilon, target }) => {
  const people = (/** @type {number} */ width) => (laplaceDeviation(laplaceScale(width, epsilon)) / target) ** 2;
  const deviation = laplaceDeviation(laplaceScale(range, epsilon));
  return { cap: [range / 2, 0], b: [laplaceScale(range, epsilon), 1], deviation: [deviation, 2], people: [up(people(range), 0), 0], capped: [up(people(range / 2), 0), 0] };
});
