/** Noise for numbers in its textbook form: densities, scales, and what privacy costs in exactness. */

import { normalCdf, normalDensity } from "./normal.js";
import { require, requireDelta, requirePositive, requireWhole } from "./requirements.js";

const HALVINGS = 200; // more than a double needs: a search ends earlier, when no number is left between its ends

/**
 * b of the Laplace mechanism. Dwork, McSherry, Nissim & Smith (2006), Calibrating Noise to Sensitivity in Private Data Analysis.
 *
 * @param {number} sensitivity how far one person can move what is published, in absolute value (L1) @param {number} epsilon
 */
export function laplaceScale(sensitivity, epsilon) {
  return requirePositive("sensitivity", sensitivity) / requirePositive("epsilon", epsilon); // b = sensitivity/epsilon
}

/** @param {number} x @param {number} scale b */
export function laplaceDensity(x, scale) {
  requirePositive("scale", scale);
  return Math.exp(-Math.abs(requireNumber("x", x)) / scale) / (2 * scale); // e^(-|x|/b)/(2b)
}

/** @param {number} scale b */
export function laplaceDeviation(scale) {
  return Math.SQRT2 * requirePositive("scale", scale); // the square root of the variance 2 b^2
}

/** The noise that a uniform number in (0, 1) stands for: the inverse of its distribution. @param {number} uniform @param {number} scale b */
export function laplaceNoise(uniform, scale) {
  require("uniform", uniform > 0 && uniform < 1, "a number in (0, 1)", uniform);
  requirePositive("scale", scale);
  return uniform < 0.5 ? scale * Math.log(2 * uniform) : -scale * Math.log(2 * (1 - uniform));
}

/** Gaussian noise from two uniform numbers. Box & Muller (1958), A Note on the Generation of Random Normal Deviates. @param {number} first in (0, 1) @param {number} second @param {number} sigma */
export function gaussianNoise(first, second, sigma) {
  for (const uniform of [first, second]) require("uniform", uniform > 0 && uniform < 1, "a number in (0, 1)", uniform);
  return requirePositive("sigma", sigma) * Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}

/**
 * Sigma of the textbooks. Dwork & Roth (2014), theorem 3.22 (appendix A): proved for epsilon below 1 only.
 *
 * @param {number} sensitivity Euclidean (L2) @param {number} epsilon @param {number} delta
 */
export function classicalSigma(sensitivity, epsilon, delta) {
  requirePositive("sensitivity", sensitivity);
  requirePositive("epsilon", epsilon);
  return Math.sqrt(2 * Math.log(1.25 / requireDelta(delta))) * sensitivity / epsilon; // sqrt(2 ln(1.25/delta)) sensitivity/epsilon
}

/**
 * The smallest sigma for which Gaussian noise keeps (epsilon, delta). Balle & Wang (2018), Improving the Gaussian
 * Mechanism for Differential Privacy, theorem 8.
 *
 * @param {number} sensitivity Euclidean (L2) @param {number} epsilon at most 700 @param {number} delta
 */
export function exactSigma(sensitivity, epsilon, delta) {
  requirePositive("sensitivity", sensitivity);
  require("epsilon", epsilon > 0 && epsilon <= 700, "a number in (0, 700]", epsilon); // e^700 is the end of a double
  requireDelta(delta);
  /** @param {number} log */
  const excess = (log) => {
    const sigma = Math.exp(log);
    // delta = Phi(1/(2 sigma) - epsilon sigma) - E Phi(-1/(2 sigma) - epsilon sigma), for sensitivity 1; it falls as sigma rises
    return normalCdf(0.5 / sigma - epsilon * sigma) - Math.exp(epsilon) * normalCdf(-0.5 / sigma - epsilon * sigma) - delta;
  };
  return sensitivity * Math.exp(rootOfFalling(excess, -10, 20));
}

/** @param {number} x @param {number} sigma */
export function gaussianDensity(x, sigma) {
  return normalDensity(requireNumber("x", x) / requirePositive("sigma", sigma)) / sigma; // phi(x/sigma)/sigma
}

/**
 * How far one person can move so many counts at once, who may change each of them by 1: the sum of the changes (L1), for
 * Laplace noise, and their straight line (L2), for Gaussian noise. Dwork & Roth (2014), definitions 3.1 and 3.8.
 *
 * @param {number} counts k @returns {[number, number]}
 */
export function countSensitivities(counts) {
  requireWhole("counts", counts, 1);
  return [counts, Math.sqrt(counts)]; // sum of |1|, and root of the sum of 1^2
}

/** From so many counts on, each changed by at most 1 by one person, exact Gaussian noise is smaller on every count than Laplace noise. @param {number} epsilon @param {number} delta */
export function gaussianWinsFrom(epsilon, delta) {
  // Laplace: sqrt(2) k/epsilon, for the L1 sensitivity is k. Gaussian: sigma sqrt(k), for the L2 sensitivity is sqrt(k).
  return Math.floor((exactSigma(1, epsilon, delta) / laplaceDeviation(laplaceScale(1, epsilon))) ** 2) + 1;
}

/**
 * The worst standard deviation of one bit: the number is rounded at random to an end, and that end goes through spinner + coin.
 * Duchi, Jordan & Wainwright (2018), Minimax Optimal Procedures for Locally Private Estimation.
 *
 * @param {number} range high - low @param {number} epsilon
 */
export function oneBitDeviation(range, epsilon) {
  return requirePositive("range", range) / 2 / Math.tanh(requirePositive("epsilon", epsilon) / 2); // range/2 (E + 1)/(E - 1)
}

/**
 * The worst standard deviation of the Hybrid mechanism. N. Wang et al. (2019), Collecting and Analyzing Multidimensional
 * Data with Local Differential Privacy, sections III-B and III-C.
 *
 * @param {number} range high - low @param {number} epsilon
 */
export function hybridDeviation(range, epsilon) {
  const onebit = oneBitDeviation(range, epsilon);
  const root = Math.exp(epsilon / 2);
  // On [-1, 1]: (R + 3)/(3 R (R - 1)) + (E + 1)^2/(R (E - 1)^2) with R = e^(epsilon/2), and one bit alone where that is less
  const variance = (root + 3) / (3 * root * (root - 1)) + 1 / (root * Math.tanh(epsilon / 2) ** 2);
  return Math.min(onebit, range / 2 * Math.sqrt(variance));
}

/** @param {string} name @param {number} value */
function requireNumber(name, value) {
  require(name, typeof value === "number" && !Number.isNaN(value), "a number", value);
  return value;
}

/** Where a falling function is 0, to the last digit. @param {(x: number) => number} f @param {number} low @param {number} high */
function rootOfFalling(f, low, high) {
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}
