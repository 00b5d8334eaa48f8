/**
 * The privacy loss between two answers a and b, L = ln(P(report | a) / P(report | b)) with the report drawn under a, for
 * three mechanisms. Each has a tail P(L > epsilon), and delta(epsilon) = E[max(0, 1 - e^(epsilon - L))], which is at most the tail:
 * the mean is over all reports, of which those up to epsilon count 0.
 * Dwork & Rothblum (2016), Concentrated Differential Privacy, section 2; Balle & Wang (2018), Improving the Gaussian Mechanism for Differential Privacy, for delta.
 *
 * Randomized response and Laplace are named by their loss bound, above 0: for Laplace noise sensitivity/b. Gaussian noise is named by
 * mu = sensitivity/sigma, above 0.
 */

import { millsRatio, normalCdf, normalDensity } from "./normal.js";
import { require, requirePositive } from "./requirements.js";

/** @param {number} epsilon @param {string} name @param {number} parameter */
function requireBoth(epsilon, name, parameter) {
  requirePositive("epsilon", epsilon);
  requirePositive(name, parameter);
}

/** @param {string} name @param {number} value */
function requireNumber(name, value) {
  require(name, typeof value === "number" && !Number.isNaN(value), "a number", value);
  return value;
}

/** The loss of one report: ln(P(report | a)/P(report | b)), from its chances or its densities under the two. @param {number} mine under a, above 0 @param {number} other under b, above 0 */
export function reportLoss(mine, other) {
  return Math.log(requirePositive("mine", mine)) - Math.log(requirePositive("other", other));
}

/** How much of its chance a report with this loss adds to delta: max(0, 1 - e^(epsilon - loss)). @param {number} loss @param {number} epsilon */
export function lossWeight(loss, epsilon) {
  return Math.max(0, -Math.expm1(requirePositive("epsilon", epsilon) - requireNumber("loss", loss)));
}

/** The chances of the losses -bound and bound, the only two there are. @param {number} bound @returns {[number, number]} */
export function responseAtoms(bound) {
  const untrue = 1 / (1 + Math.exp(requirePositive("bound", bound))); // 1/(E0 + 1)
  return [untrue, 1 - untrue];
}

/** @param {number} epsilon above 0 @param {number} bound */
export function responseExceeds(epsilon, bound) {
  requireBoth(epsilon, "bound", bound);
  return epsilon < bound ? responseAtoms(bound)[1] : 0; // E0/(E0 + 1)
}

/** @param {number} epsilon above 0 @param {number} bound */
export function responseDelta(epsilon, bound) {
  requireBoth(epsilon, "bound", bound);
  return Math.max(0, -Math.expm1(epsilon - bound)) / (1 + Math.exp(-bound)); // (E0 - E)/(E0 + 1)
}

/** @param {number} epsilon above 0 @param {number} bound */
export function laplaceExceeds(epsilon, bound) {
  requireBoth(epsilon, "bound", bound);
  return epsilon < bound ? 1 - Math.exp((epsilon - bound) / 2) / 2 : 0; // 1/2 + the integral of e^((l - bound)/2)/4 from epsilon on
}

/** Balle, Barthe & Gaboardi (2018), Privacy Amplification by Subsampling, for Laplace noise. @param {number} epsilon above 0 @param {number} bound */
export function laplaceDelta(epsilon, bound) {
  requireBoth(epsilon, "bound", bound);
  return Math.max(0, -Math.expm1((epsilon - bound) / 2)); // 1 - e^((epsilon - bound)/2)
}

/** The mean of that loss; its standard deviation is mu. @param {number} mu */
export function gaussianLossMean(mu) {
  return requirePositive("mu", mu) ** 2 / 2; // mu^2/2
}

/** @param {number} epsilon above 0 @param {number} mu */
export function gaussianExceeds(epsilon, mu) {
  requireBoth(epsilon, "mu", mu);
  return normalCdf(mu / 2 - epsilon / mu);
}

/** Balle & Wang (2018), section 3. @param {number} epsilon above 0 @param {number} mu */
export function gaussianDelta(epsilon, mu) {
  requireBoth(epsilon, "mu", mu);
  const near = mu / 2 - epsilon / mu;
  // Phi(near) - E Phi(-far) with far = mu/2 + epsilon/mu: since E phi(far) = phi(near), no e^epsilon is needed, which could overflow.
  return normalCdf(near) - normalDensity(near) * millsRatio(mu / 2 + epsilon / mu);
}
