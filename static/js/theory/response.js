/** Designs for one yes/no question: the wheel, the chances that follow from it, and the estimate. */

import { TOTAL } from "../chance/randomize.js";
import { requireChances, requirePositive, requireProbability, requireShare, requireWhole } from "./requirements.js";

/** @typedef {readonly (readonly number[])[]} Chances `chances[answer][report]`, 0 for no and 1 for yes */

/** p of two coins: the first keeps the answer when it falls tails. Dwork & Roth (2014), section 3.2. */
export const TWO_COINS = 0.5;

/**
 * p of spinner + coin (forced response): the bright share, on which the answer is kept.
 * Boruch (1971); Fox & Tracy (1986), chapter 3.
 *
 * @param {number} epsilon above 0
 */
export function spinnerCoin(epsilon) {
  return Math.tanh(requirePositive("epsilon", epsilon) / 2); // p = (E - 1)/(E + 1); tanh loses nothing at small epsilon
}

/**
 * p of the spinner alone: on the rest of it the other answer is recorded. Warner (1965).
 *
 * @param {number} epsilon above 0
 */
export function spinner(epsilon) {
  return 1 / (1 + Math.exp(-requirePositive("epsilon", epsilon))); // p = E/(1 + E); e^-epsilon cannot overflow
}

/** @param {number} p bright share of spinner + coin @returns {Chances} */
export function spinnerCoinChances(p) {
  requireProbability("p", p);
  const same = p + (1 - p) / 2; // bright, or dark and the coin says the same
  const other = (1 - p) / 2;
  return [[same, other], [other, same]];
}

/** @param {number} p bright share of the spinner alone @returns {Chances} */
export function spinnerChances(p) {
  requireProbability("p", p);
  return [[p, 1 - p], [1 - p, p]];
}

/**
 * The privacy loss bound of a table of chances: the largest ln(P(report | a) / P(report | b)).
 * Dwork & Roth (2014), definition 2.4, for one person's report.
 *
 * @param {Chances} chances
 */
export function epsilonOf(chances) {
  const reports = requireChances(chances)[0]?.map((_, report) => chances.map((row) => row[report] ?? 0)) ?? [];
  return Math.max(0, ...reports.filter((column) => Math.max(...column) > 0)
    .map((column) => Math.log(Math.max(...column) / Math.min(...column))));
}

/**
 * The estimate of the share of yes answers. It may leave [0, 1]. Warner (1965), equation 3, in the terms of spinner + coin.
 *
 * @param {number} noisyShare the share of yes reports @param {number} p bright share of the equivalent spinner + coin
 */
export function estimate(noisyShare, p) {
  return (requireProbability("noisy share", noisyShare) - 0.5 * (1 - requireShare("p", p))) / p; // pi = (pi_noisy - 0.5 (1 - p))/p
}

/** Its standard error, dividing by n. @param {number} noisyShare @param {number} respondents @param {number} p */
export function standardError(noisyShare, respondents, p) {
  requireProbability("noisy share", noisyShare);
  requireWhole("respondents", respondents, 1);
  return Math.sqrt(noisyShare * (1 - noisyShare) / respondents) / requireShare("p", p); // sqrt(pi_noisy (1 - pi_noisy)/n)/p
}

/**
 * The integers that a wheel and a draw are made from, as static/js/randomize.js takes them. A survey's own come
 * from exact arithmetic on the server; these are from the same formula in floating point, which may be one of 2^32 off.
 *
 * @param {number} epsilon above 0
 */
export function weights(epsilon) {
  const kept = Math.floor(TOTAL * spinner(epsilon)); // w = 2^32 E/(1 + E), rounded towards privacy
  return [[kept, TOTAL - kept], [TOTAL - kept, kept]];
}
