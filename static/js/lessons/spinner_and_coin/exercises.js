/** The exercises on the wheel with a coin. */

import { exercise } from "../exercise_sets.js";
import { up } from "../rounding.js";
import { epsilonOf, spinnerCoin, spinnerCoinChances } from "../../theory/response.js";

export const one = exercise({ epsilon: [2, 1, 3, 0.5, 1.5, 4, 0.25] }, ({ epsilon }) => {
  const p = spinnerCoin(epsilon);
  return { power: [Math.exp(epsilon), 3], p: [p, 3], wrong: [50 * (1 - p), 1] };
});

export const two = exercise({ bright: [60, 50, 80, 25, 90, 40, 75] }, ({ bright }) => {
  const [, [wrong = 0, right = 0] = []] = spinnerCoinChances(bright / 100);
  return { p: [bright / 100, 2], dark: [100 - bright, 0], right: [right, 3], wrong: [wrong, 3], times: [right / wrong, 3], epsilon: [epsilonOf(spinnerCoinChances(bright / 100)), 3] };
});

export const three = exercise({ people: [2000, 1000, 5000, 4000], margin: [5, 6, 8, 10, 7] }, ({ people, margin }) => {
  const p = 100 / (margin * Math.sqrt(people)); // two standard errors are at most 1/(p sqrt(n))
  return { fraction: [margin / 100, 2], root: [Math.sqrt(people), 2], p: [p, 3], epsilon: [up(epsilonOf(spinnerCoinChances(p)), 2), 2] };
});
