/** The exercises on many counts. */

import { exercise } from "../exercise_sets.js";
import { countSensitivities, exactSigma, gaussianWinsFrom, laplaceDeviation, laplaceScale } from "../../theory/noise.js";

export const one = exercise({ counts: [9, 16, 25, 4, 36], epsilon: [1, 0.5, 2] }, ({ counts, epsilon }) => {
  const [foot, straight] = countSensitivities(counts);
  const b = laplaceScale(foot, epsilon);
  return { foot: [foot, 0], straight: [straight, 2], b: [b, 2], deviation: [laplaceDeviation(b), 1] };
});

export const two = exercise({ epsilon: [1, 1.5, 0.5], places: [6, 5, 8, 4, 7] }, ({ epsilon, places }) => {
  const sigma = exactSigma(1, epsilon, 10 ** -places);
  return { sigma: [sigma, 3], square: [(sigma * epsilon) ** 2 / 2, 2], from: [gaussianWinsFrom(epsilon, 10 ** -places), 0] };
});

export const three = exercise({ counts: [50, 100, 20, 30, 64], few: [2, 3, 4], epsilon: [1, 0.5] }, ({ counts, few, epsilon }) => {
  const sigma = exactSigma(1, epsilon, 1e-6);
  const laplace = (/** @type {number} */ k) => laplaceDeviation(laplaceScale(k, epsilon));
  return {
    sigma: [sigma, 2], laplace: [laplace(counts), 1], gaussian: [sigma * Math.sqrt(counts), 1],
    few_laplace: [laplace(few), 1], few_gaussian: [sigma * Math.sqrt(few), 1],
  };
});
