/** The exercises on the privacy loss. */

import { exercise } from "../exercise_sets.js";
import { laplaceDelta, laplaceExceeds, lossWeight, reportLoss } from "../../theory/loss.js";

export const one = exercise({ mine: [0.3, 0.2, 0.4, 0.5], other: [0.05, 0.02, 0.04], epsilon: [1, 0.5, 0.8, 0.6, 1.2] }, ({ mine, other, epsilon }) => {
  const loss = reportLoss(mine, other);
  return { times: [mine / other, 2], loss: [loss, 3], part: [lossWeight(loss, epsilon), 3], added: [mine * lossWeight(loss, epsilon), 3] };
});

export const two = exercise({ bound: [2, 1.5, 3, 2.5], epsilon: [1, 0.5, 1.2] }, ({ bound, epsilon }) => {
  const [delta, tail] = [laplaceDelta(epsilon, bound), laplaceExceeds(epsilon, bound)];
  return { falls: [1 - delta, 3], delta: [delta, 3], tail: [tail, 3], times: [tail / delta, 1] };
});

export const three = exercise({ people: [1000, 5000, 2000, 8000], often: [10_000, 20_000, 50_000] }, ({ people, often }) => ({
  exposed: [people / often, 2], any: [-100 * Math.expm1(people * Math.log1p(-1 / often)), 1], safe: [100 * people, 0],
}));
