/** The exercises on the wheel alone. */

import { exercise } from "../exercise_sets.js";
import { epsilonOf, estimate, spinner, spinnerChances } from "../../theory/response.js";

export const one = exercise({ epsilon: [1.5, 1, 2, 0.5, 3, 0.25, 4] }, ({ epsilon }) => {
  const r = spinner(epsilon);
  return { power: [Math.exp(epsilon), 3], r: [r, 3], p: [2 * r - 1, 3] };
});

export const two = exercise({ bright: [75, 80, 70, 90], people: [1000, 500, 2000], share: [0.2137, 0.1371, 0.3063, 0.0829, 0.4118] }, ({ bright, people, share }) => {
  const r = bright / 100;
  const yes = Math.round(people * (r * share + (1 - r) * (1 - share)));
  return { yes: [yes, 0], dark: [1 - r, 2], p: [2 * r - 1, 2], noisy: [yes / people, 4], estimate: [estimate(yes / people, 2 * r - 1), 3] };
});

export const three = exercise({ bright: [30, 20, 40, 10, 25, 35, 45] }, ({ bright }) => ({
  other: [100 - bright, 0], times: [(100 - bright) / bright, 3], epsilon: [epsilonOf(spinnerChances(bright / 100)), 3],
}));
