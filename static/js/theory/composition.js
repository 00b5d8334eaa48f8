/** What k reports of one person give away together, each drawn with the same loss and independently. */

import { gaussianDelta } from "./loss.js";
import { require, requireDelta, requirePositive, requireProbability, requireWhole } from "./requirements.js";

const MOST = 1000; // reports
const NONE = 1e-300; // as good as an epsilon of 0
const FAR = 40; // standard deviations: what lies beyond is no number
const CLOSE = 1e-12; // how far, in parts of itself, a searched number may be off

/**
 * The sum, which always holds. Dwork & Roth (2014), theorem 3.16 (for basic composition of several).
 *
 * @param {number} epsilon of one report @param {number} reports k
 */
export function plainSum(epsilon, reports) {
  return requireReports(reports) * requirePositive("epsilon", epsilon); // k epsilon
}

/**
 * The chances of j = 0, ..., k among k independent trials. By logarithms, so that none of them is lost on the way.
 *
 * @param {number} trials k @param {number} chance in (0, 1)
 */
export function binomialChances(trials, chance) {
  requireReports(trials);
  require("chance", chance > 0 && chance < 1, "a number in (0, 1)", chance);
  let logWays = 0; // ln C(k, j)
  return Array.from({ length: trials + 1 }, (_, j) => {
    if (j) logWays += Math.log((trials - j + 1) / j);
    return Math.exp(logWays + j * Math.log(chance) + (trials - j) * Math.log1p(-chance));
  });
}

/**
 * The smallest epsilon that goes with delta for k yes/no questions; and for k reports of any mechanisms with that loss, for
 * none is worse than these. If j of the reports speak for an answer, the loss is (2j - k) epsilon. Kairouz, Oh & Viswanath
 * (2015), The Composition Theorem for Differential Privacy, theorem 3.3.
 *
 * @param {number} epsilon of one report @param {number} reports k @param {number} delta
 */
export function composedEpsilon(epsilon, reports, delta) {
  requireDelta(delta);
  const kept = 1 / (1 + Math.exp(-requirePositive("epsilon", epsilon))); // E/(1 + E)
  const mine = binomialChances(requireReports(reports), kept);
  // delta(x) is the largest of P(j >= t) - e^x Q(j >= t) over t. So the smallest x is the largest of ln((P - delta)/Q).
  let [p, q, found] = [0, 0, 0];
  for (let j = reports; j >= 0; j -= 1) {
    p += mine[j] ?? 0;
    q += (mine[j] ?? 0) * Math.exp(-(2 * j - reports) * epsilon); // Q(j) = P(j)/e^loss
    if (p > delta) found = Math.max(found, Math.log((p - delta) / q));
  }
  return found;
}

/**
 * The bound that textbooks give first. Dwork & Roth (2014), theorem 3.20, for mechanisms without a delta of their own.
 *
 * @param {number} epsilon of one report @param {number} reports k @param {number} delta
 */
export function advancedEpsilon(epsilon, reports, delta) {
  requirePositive("epsilon", epsilon);
  requireReports(reports);
  // sqrt(2 k ln(1/delta)) epsilon + k epsilon (E - 1)
  return Math.sqrt(2 * reports * Math.log(1 / requireDelta(delta))) * epsilon + reports * epsilon * Math.expm1(epsilon);
}

/**
 * The smallest epsilon that goes with delta for k numbers with Gaussian noise: each loss is normal with mean mu^2/2 and
 * variance mu^2, so their sum is that of one number with mu sqrt(k). Dong, Roth & Su (2022), Gaussian Differential Privacy,
 * corollary 3.3.
 *
 * @param {number} mu sensitivity/sigma of one number @param {number} reports k @param {number} delta
 */
export function gaussianComposedEpsilon(mu, reports, delta) {
  const together = requirePositive("mu", mu) * Math.sqrt(requireReports(reports));
  requireDelta(delta);
  let [low, high] = [NONE, together ** 2 / 2 + FAR * together]; // the mean, and so many standard deviations above it
  if (gaussianDelta(low, together) <= delta) return 0;
  while (high - low > CLOSE * high) { // delta falls as epsilon rises
    const middle = (low + high) / 2;
    if (gaussianDelta(middle, together) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The belief in yes after k reports on the same question, by Bayes: every yes multiplies its odds by E, every no divides them.
 *
 * @param {number} prior in [0, 1] @param {number} epsilon of one report @param {number} yes reports @param {number} reports k
 */
export function belief(prior, epsilon, yes, reports) {
  requireProbability("prior", prior);
  requireWhole("yes", yes, 0, requireReports(reports));
  const shrink = Math.exp(-requirePositive("epsilon", epsilon) * (2 * yes - reports)); // 1 over E^(yes - no)
  return prior === 0 ? 0 : 1 / (1 + shrink * (1 - prior) / prior);
}

/**
 * How often somebody is right who goes by what most of k reports on the same question say, and tosses a coin where they tie.
 *
 * @param {number} epsilon of one report @param {number} reports k
 */
export function majorityRight(epsilon, reports) {
  const chances = binomialChances(reports, 1 / (1 + Math.exp(-requirePositive("epsilon", epsilon))));
  return chances.reduce((sum, chance, j) => sum + (2 * j > reports ? chance : 2 * j === reports ? chance / 2 : 0), 0);
}

/** @param {number} value */
const requireReports = (value) => requireWhole("reports", value, 1, MOST);
