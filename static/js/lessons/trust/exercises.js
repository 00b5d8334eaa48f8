/** The exercises on whom to trust. */

import { exercise } from "../exercise_sets.js";
import { up } from "../rounding.js";
import { centralError, localError, samplingError } from "../../theory/shuffle.js";

/** Of one person: what chance adds to pi (1 - pi) in the local model, E/(E - 1)^2. @param {number} epsilon */
const added = (epsilon) => localError(0, epsilon, 1) ** 2;

export const one = exercise({ people: [1000, 2000, 5000], share: [30, 20, 10, 40, 50], epsilon: [1, 0.5] }, ({ people, share, epsilon }) => ({
  sampling: [100 * samplingError(share / 100, people), 3], noise: [100 * centralError(0, epsilon, people), 3], error: [100 * centralError(share / 100, epsilon, people), 3],
}));

export const two = exercise({ error: [2, 1.5, 1.2, 2.5, 3], share: [30, 20, 10], epsilon: [1, 0.5, 2, 1.5] }, ({ error, share, epsilon }) => {
  const single = localError(share / 100, epsilon, 1) ** 2;
  return {
    fraction: [error / 100, 3], answers: [samplingError(share / 100, 1) ** 2, 4], chance: [added(epsilon), 4], single: [single, 4],
    people: [up(single * 1e4 / error ** 2, 0), 0], open: [up(share * (100 - share) / error ** 2, 0), 0],
  };
});

export const three = exercise({ share: [30, 20, 10, 40, 50], epsilon: [1, 0.5, 2] }, ({ share, epsilon }) => ({
  answers: [share * (100 - share) / 1e4, 4], people: [up(2e6 / (epsilon ** 2 * share * (100 - share)), 0), 0], // 200/(epsilon^2 pi (1 - pi))
  chance: [added(epsilon), 4], times: [Math.sqrt(added(epsilon)) / samplingError(share / 100, 1), 2],
}));
