/** The exercises on losses that add up. */

import { exercise } from "../exercise_sets.js";
import { belief, plainSum } from "../../theory/composition.js";
import { spinner } from "../../theory/response.js";

export const one = exercise({ many: [6, 4, 8], small: [0.25, 0.5], few: [2, 3], large: [1, 1.5, 0.75], waves: [3, 2, 4, 5, 6] }, ({ many, small, few, large, waves }) => {
  const wave = plainSum(small, many) + plainSum(large, few);
  return { wave: [wave, 2], total: [plainSum(wave, waves), 2] };
});

export const two = exercise({ limit: [6, 4, 3], waves: [2, 4], questions: [5, 10, 4, 8, 6] }, ({ limit, waves, questions }) => {
  const reports = waves * questions;
  return { reports: [reports, 0], epsilon: [limit / reports, 3], power: [Math.exp(limit / reports), 3], agrees: [100 * spinner(limit / reports), 1] };
});

export const three = exercise({ epsilon: [0.5, 0.25], reports: [20, 12, 16], lead: [6, 4, 2, 8, 10] }, ({ epsilon, reports, lead }) => {
  const yes = (reports + lead) / 2;
  return {
    yes: [yes, 0], no: [reports - yes, 0], odds: [Math.exp(epsilon * lead), 2],
    sure: [100 * belief(0.5, epsilon, yes, reports), 1], once: [100 * belief(0.5, epsilon, 1, 1), 1], sum: [plainSum(epsilon, reports), 2],
  };
});
