/** The standard normal distribution, to a relative 1e-13 far into its tails. */

import { require } from "./requirements.js";

const NEAR = 2; // up to here the series converges fast; beyond it the continued fraction does
const DEPTH = 80; // at 2, where it is slowest, 50 levels reach the last digit
const FAR = 39; // the density is below the smallest double from here on

/** @param {number} z */
function requireNumber(z) {
  require("z", typeof z === "number" && !Number.isNaN(z), "a number", z);
  return z;
}

/**
 * phi(z) = e^(-z^2/2) / sqrt(2 pi). The square is taken in two parts, one of them exact in a double: at z = 30 the
 * rounding of z^2/2 alone would cost a relative 5e-14. Cody (1969), Rational Chebyshev Approximations for the Error Function.
 *
 * @param {number} z
 */
export function normalDensity(z) {
  if (Math.abs(requireNumber(z)) > FAR) return 0;
  const coarse = Math.trunc(16 * z) / 16;
  const rest = (z - coarse) * (z + coarse); // z^2 - coarse^2
  return Math.exp(-coarse * coarse / 2) * Math.exp(-rest / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Phi(z) = P(Z <= z).
 *
 * @param {number} z
 * @returns {number}
 */
export function normalCdf(z) {
  requireNumber(z);
  if (z < -NEAR) return normalDensity(z) * fraction(-z);
  return z > NEAR ? 1 - normalCdf(-z) : 0.5 + normalDensity(z) * series(z);
}

/**
 * Mills' ratio (1 - Phi(z)) / phi(z): what is left of a tail whose density has been divided out.
 *
 * @param {number} z 0 or more
 */
export function millsRatio(z) {
  require("z", typeof z === "number" && z >= 0, "a number of 0 or more", z);
  return z > NEAR ? fraction(z) : normalCdf(-z) / normalDensity(z);
}

/** (Phi(z) - 1/2)/phi(z) = z + z^3/3 + z^5/(3 * 5) + ... Abramowitz & Stegun (1964), 26.2.11. @param {number} z */
function series(z) {
  let sum = 0;
  for (let term = z, odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= z * z / odd;
  }
  return sum;
}

/** Mills' ratio as 1/(z + 1/(z + 2/(z + 3/(z + ...)))). Abramowitz & Stegun (1964), 26.2.14. @param {number} z above 0 */
function fraction(z) {
  let below = z;
  for (let level = DEPTH; level > 0; level -= 1) below = z + level / below;
  return 1 / below;
}
