/** The likelihood-ratio interval of a share of yes answers; the twin of survey/interval/likelihood_ratio.py. */

import { require, requireProbability, requireShare, requireWhole } from "./requirements.js";
import { estimate } from "./response.js";
import { reportShare } from "./spread.js";

/** The 95 % quantile of the chi-square distribution with one degree of freedom: the square of 1.959964. */
const CHI_SQUARE = 3.841458820694124;

/** An interval holds a share that misses it by less: the ends are rounded. */
export const HAIR = 1e-9;

/** A chance too small to be added up, in units of the greatest. */
const NOTHING = 1e-20;

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

/**
 * The chance that the interval holds the true share: of all counts of yes reports whose interval does. Both ends rise with
 * the count, so these counts stand side by side, and the likeliest count is among them.
 *
 * @param {number} share the true one @param {number} respondents @param {number} p
 */
export function coverage(share, respondents, p) {
  const lambda = reportShare(requireProbability("share", share), requireShare("p", p));
  requireWhole("respondents", respondents, 1);
  const likeliest = Math.min(respondents, Math.floor((respondents + 1) * lambda));
  const [first, last] = [
    reach(likeliest, 0, (yes) => likelihoodRatio(yes, respondents, p)[1] >= share - HAIR),
    reach(likeliest, respondents, (yes) => likelihoodRatio(yes, respondents, p)[0] <= share + HAIR)];
  let [all, held] = [1, 1]; // in units of the chance of the likeliest count
  /** @param {number} yes @param {number} chance */
  const add = (yes, chance) => {
    all += chance;
    if (first <= yes && yes <= last) held += chance;
  };
  for (let [yes, chance] = [likeliest, 1]; yes < respondents && chance > NOTHING; yes += 1, add(yes, chance)) {
    chance *= (respondents - yes) / (yes + 1) * lambda / (1 - lambda); // binomial: from X = yes to yes + 1
  }
  for (let [yes, chance] = [likeliest, 1]; yes > 0 && chance > NOTHING; yes -= 1, add(yes, chance)) {
    chance *= yes / (respondents - yes + 1) * (1 - lambda) / lambda;
  }
  return held / all;
}

/** How far from a count that fits others fit as well. @param {number} from @param {number} end @param {(yes: number) => boolean} fits */
function reach(from, end, fits) {
  if (fits(end)) return end;
  let [inside, outside] = [from, end];
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.round((inside + outside) / 2);
    if (fits(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
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
