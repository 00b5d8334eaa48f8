/** The exercises on answers that one wheel decides for. */

import { exercise } from "../exercise_sets.js";
import { brightOfEach, brightOfOne } from "./pair.js";

export const one = exercise({ questions: [2, 3, 4], epsilon: [2, 3, 1.5, 4] }, ({ questions, epsilon }) => {
  const combinations = 2 ** questions;
  const [power, small] = [Math.exp(epsilon), Math.exp(epsilon / questions)];
  return { combinations: [combinations, 0], others: [combinations - 1, 0], power: [power, 3], p: [brightOfOne(epsilon, combinations), 3], epsilon_each: [epsilon / questions, 3], small: [small, 3], p_each: [brightOfEach(epsilon, questions), 3] };
});

export const two = exercise({ bright: [60, 50, 70, 80], dark: [40, 45, 35, 50, 30] }, ({ bright, dark }) => {
  const both = (dark / 100) ** 2;
  return { bright_share: [bright / 100, 2], dark_share: [dark / 100, 2], both: [both, 4], ratio: [bright / 100 / both, 2], times: [(bright / 100 / both) ** 2, 1] };
});

export const three = exercise({ epsilon: [2, 1.5, 3, 1, 2.5] }, ({ epsilon }) => {
  const [power, p] = [Math.exp(epsilon), brightOfOne(epsilon)];
  return { power: [power, 3], p: [p, 3], nothing: [50 * (1 + p), 1], known: [100 * power / (1 + power), 1] };
});
