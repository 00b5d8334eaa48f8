/** How far counts and estimates scatter when the same survey, or the same toss, is repeated. */

import { require, requireProbability, requireShare, requireWhole } from "./requirements.js";
import { standardError } from "./response.js";

/** The chance of a yes report when a share pi would answer yes. @param {number} share @param {number} p bright share of spinner + coin */
export function reportShare(share, p) {
  return requireProbability("share", share) * requireShare("p", p) + (1 - p) / 2; // lambda = p pi + (1 - p)/2
}

/**
 * The standard deviation of the estimate over repeated surveys: the standard error with the true chance of a yes report.
 *
 * @param {number} share the true one @param {number} respondents @param {number} p
 */
export function estimateDeviation(share, respondents, p) {
  return standardError(reportShare(share, p), respondents, p); // sqrt(lambda (1 - lambda)/n)/p
}

/**
 * What the protection costs in precision: how many times as much the estimate scatters as the share of yes answers would
 * in a survey of as many people without it. The root of the design effect, 1 + E/((E - 1)^2 pi (1 - pi)).
 *
 * @param {number} share the true one, strictly between 0 and 1: at the ends answers do not scatter @param {number} p
 */
export function price(share, p) {
  require("share", share > 0 && share < 1, "a number in (0, 1)", share);
  return Math.sqrt(1 + (1 / requireShare("p", p) ** 2 - 1) / (4 * share * (1 - share))); // E/(E - 1)^2 = (1/p^2 - 1)/4
}

/** The standard deviation of how often something happens. @param {number} trials @param {number} chance */
export function countDeviation(trials, chance) {
  return Math.sqrt(requireWhole("trials", trials, 1) * requireProbability("chance", chance) * (1 - chance)); // binomial: sqrt(n q (1 - q))
}

/**
 * The standard deviation of several values about their own mean, dividing by their number.
 *
 * @param {readonly number[]} values one or more
 */
export function deviation(values) {
  requireWhole("values", values.length, 1);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
