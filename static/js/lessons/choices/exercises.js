/** The exercises on choices. */

import { exercise } from "../exercise_sets.js";
import { exponentialChances, scores, squaredDistance, textbookScale, tightScale } from "../../theory/exponential.js";

const [OPTIONS, MIDDLE] = [5, 2];

export const one = exercise({ answer: [2, 1, 3], epsilon: [4, 2, 6, 3, 1] }, ({ answer, epsilon }) => {
  const scale = textbookScale(OPTIONS, epsilon);
  const utilities = scores(OPTIONS)[answer - 1] ?? [];
  const weights = utilities.map((utility) => Math.exp(scale * utility));
  const best = exponentialChances(OPTIONS, scale)[answer - 1]?.[answer - 1] ?? 0;
  const numbered = (/** @type {string} */ name, /** @type {number[]} */ values, /** @type {number} */ digits) => (
    Object.fromEntries(values.map((value, index) => [`${name}_${index + 1}`, /** @type {const} */ ([value, digits])])));
  return { scale: [scale, 3], ...numbered("u", utilities, 0), ...numbered("w", weights, 3), sum: [1 / best, 3], best: [100 * best, 1] };
});

export const two = exercise({ options: [5, 4, 6, 7, 10], epsilon: [2, 1, 3] }, ({ options, epsilon }) => {
  const [scale, steps] = [textbookScale(options, epsilon), options - 1];
  return { steps: [steps, 0], scale: [scale, 4], used: [scale * steps, 2], times: [Math.exp(scale * steps), 2], power: [Math.exp(epsilon), 2], tight: [tightScale(options, epsilon), 4] };
});

export const three = exercise({ epsilon: [2, 1, 3, 4, 1.5, 0.5, 2.5] }, ({ epsilon }) => {
  const scale = tightScale(OPTIONS, epsilon);
  const shown = 1 / (1 + (OPTIONS - 1) * Math.exp(-epsilon)); // E/(E + k - 1): every other option is E times rarer
  const wheel = scores(OPTIONS).map((row) => row.map((score) => (score === 0 ? shown : (1 - shown) / (OPTIONS - 1))));
  const drawn = exponentialChances(OPTIONS, scale);
  const best = drawn[MIDDLE]?.[MIDDLE] ?? 0;
  return {
    near: [Math.exp(-scale), 3], far: [Math.exp(-2 * scale), 3], sum: [1 / best, 3], drawn: [100 * best, 1], power: [Math.exp(epsilon), 3], wheel: [100 * shown, 1],
    drawn_off: [Math.sqrt(squaredDistance(drawn, MIDDLE)), 2], wheel_off: [Math.sqrt(squaredDistance(wheel, MIDDLE)), 2],
  };
});
