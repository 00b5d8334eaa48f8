/** The likelihood-ratio interval of a share of yes answers; the twin of survey/interval/likelihood_ratio.py. */

import { require, requireShare, requireWhole } from "./requirements.js";
import { estimate } from "./response.js";

/** The 95 % quantile of the chi-square distribution with one degree of freedom: the square of 1.959964. */
const CHI_SQUARE = 3.841458820694124;

/** How far the log-likelihood may fall below the greatest. */
const DROP = CHI_SQUARE / 2;

/**
 * The shares pi for which 2 (l_max - l(lambda)) is at most the quantile, where lambda = (1 - p)/2 + p pi is the chance of a
 * yes report: at the 95 % level, and never outside [0, 1]. Wilks (1938), with the maximum taken over what can be.
 *
 * @param {number} yes how many yes reports @param {number} respondents @param {number} p bright share of the equivalent spinner + coin
 * @returns {[number, number]}
 */
export function likelihoodRatio(yes, respondents, p) {
  requireWhole("respondents", respondents, 1);
  require("yes", Number.isInteger(yes) && yes >= 0 && yes <= respondents, `a whole number from 0 to ${respondents}`, yes);
  const lowest = (1 - requireShare("p", p)) / 2;
  const low = lowEnd(yes, respondents, lowest);
  const high = 1 - lowEnd(respondents - yes, respondents, lowest); // the interval of "no", seen in a mirror
  return [clip(estimate(low, p)), clip(estimate(high, p))];
}

/** The smallest lambda in [lowest, 1 - lowest] that is likely enough. @param {number} x @param {number} n @param {number} lowest */
function lowEnd(x, n, lowest) {
  const likely = Math.min(Math.max(x / n, lowest), 1 - lowest);
  const least = logLikelihood(x, n, likely) - DROP;
  if (likely === lowest || logLikelihood(x, n, lowest) >= least) return lowest;
  let [outside, inside] = [lowest, likely];
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (outside + inside) / 2;
    if (logLikelihood(x, n, middle) < least) outside = middle;
    else inside = middle;
  }
  return inside;
}

/** x log lambda + (n - x) log(1 - lambda), where 0 times anything is 0. @param {number} x @param {number} n @param {number} lambda */
function logLikelihood(x, n, lambda) {
  return (x && x * Math.log(lambda)) + (n - x && (n - x) * Math.log1p(-lambda));
}

/** @param {number} share rounding may leave [0, 1] by a hair */
const clip = (share) => Math.min(Math.max(share, 0), 1);
