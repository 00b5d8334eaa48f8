/** The exercises on a simulated survey. */

import { exercise } from "../exercise_sets.js";
import { up } from "../rounding.js";
import { estimate, spinnerCoin } from "../../theory/response.js";
import { estimateDeviation, reportShare } from "../../theory/spread.js";

export const one = exercise({ epsilon: [1, 2, 0.5, 3], people: [2000, 1000, 5000], share: [0.118, 0.234, 0.071, 0.317, 0.163] }, ({ epsilon, people, share }) => {
  const p = spinnerCoin(epsilon);
  const [yes, coins] = [Math.round(people * reportShare(share, p)), people * (1 - p) / 2];
  return { p: [p, 4], yes: [yes, 0], coins: [coins, 1], left: [yes - coins, 1], estimate: [people * estimate(yes / people, p), 0] };
});

export const two = exercise({ people: [500, 800, 1000], margin: [6, 8], target: [3, 2, 4, 1, 2.5] }, ({ people, margin, target }) => ({
  times: [margin / target, 2], square: [(margin / target) ** 2, 2], needed: [up(people * margin ** 2 / target ** 2, 0), 0],
}));

const [TICKED, PEOPLE] = [0.1, 2000];

export const three = exercise({ limit: [4, 3], boxes: [10, 8, 12, 9, 15], few: [3, 2, 4] }, ({ limit, boxes, few }) => {
  const [mine, other] = /** @type {const} */ ([limit / boxes, limit / few]);
  const [p, few_p] = /** @type {const} */ ([spinnerCoin(mine), spinnerCoin(other)]);
  const [error, few_error] = /** @type {const} */ ([estimateDeviation(TICKED, PEOPLE, p), estimateDeviation(TICKED, PEOPLE, few_p)]);
  return {
    epsilon: [mine, 3], few_epsilon: [other, 3], p: [p, 3], few_p: [few_p, 3], recorded: [reportShare(TICKED, p), 3], few_recorded: [reportShare(TICKED, few_p), 3],
    error: [100 * error, 2], few_error: [100 * few_error, 2], times: [error / few_error, 2], square: [(error / few_error) ** 2, 2], needed: [100 * Math.round(PEOPLE / 100 * (error / few_error) ** 2), 0],
  };
});
