/** The exercises on reports that are sets. */

import { exercise } from "../exercise_sets.js";

export const one = exercise({ cut: [2, 3, 1, 4, 5], epsilon: [1, 2, 1.5], share: [0.4, 0.25, 0.6, 0.5], people: [1000, 2000] }, ({ epsilon, share, people }) => {
  const r = 1 / (1 + Math.exp(-epsilon));
  const below = Math.round(people * (r * share + (1 - r) * (1 - share)));
  return { below: [below, 0], power: [Math.exp(epsilon), 3], r: [r, 3], rest: [1 - r, 3], noisy: [below / people, 4], estimate: [(below / people - (1 - r)) / (2 * r - 1), 3] };
});

export const two = exercise({ times: [3.1, 1.7, 2.5, 2, 4.4], people: [800, 1000, 1200] }, ({ times, people }) => (
  { needed: [times * people, 0], wider: [Math.sqrt(times), 2] }));

export const three = exercise({ options: [8, 10, 12], size: [4, 3, 5, 2], epsilon: [1, 2, 0.5, 1.5] }, ({ options, size, epsilon }) => {
  const power = Math.exp(epsilon);
  return { others: [options - 1, 0], outside: [options - size, 0], power: [power, 3], wheel: [100 * power / (power + options - 1), 1], set: [100 * power * size / (power * size + options - size), 1] };
});
