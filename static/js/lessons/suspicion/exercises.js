/** The exercises on suspicion. */

import { exercise } from "../exercise_sets.js";
import { down, up } from "../rounding.js";
import { bounds } from "../../theory/suspicion.js";

/** @param {number} percent */
const odds = (percent) => percent / (100 - percent);

export const one = exercise({ prior: [20, 50, 10, 30, 5], epsilon: [1, 2, 0.5, 1.5] }, ({ prior, epsilon }) => {
  const [before, power, [low, high]] = [odds(prior), Math.exp(epsilon), bounds(prior / 100, epsilon)];
  return {
    rest: [100 - prior, 0], odds: [before, 4], power: [power, 3], low_odds: [before / power, 4], high_odds: [before * power, 4],
    low: [down(100 * low, 1), 1], high: [up(100 * high, 1), 1],
  };
});

export const two = exercise({ prior: [10, 20, 5, 2, 1], target: [50, 60, 40, 75] }, ({ prior, target }) => {
  const times = odds(target) / odds(prior);
  return { odds: [odds(prior), 4], target_odds: [odds(target), 4], times: [times, 3], epsilon: [down(Math.log(times), 2), 2] };
});

export const three = exercise({ prior: [50, 60, 40], after: [90, 95], epsilon: [1, 0.5, 1.5, 0.8, 1.2] }, ({ prior, after, epsilon }) => ({
  odds: [odds(prior), 3], after_odds: [odds(after), 3], times: [odds(after) / odds(prior), 2],
  power: [Math.exp(epsilon), 2], high: [up(100 * bounds(prior / 100, epsilon)[1], 1), 1],
}));
