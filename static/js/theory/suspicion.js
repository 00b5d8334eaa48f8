/** How far a report can move what somebody believes; the formulas of survey/privacy/suspicion.py. */

import { requireChances, requirePositive, requirePrior, requireProbability } from "./requirements.js";

/**
 * The least and the greatest probability of an answer after a report, whatever is reported and by whatever mechanism.
 * Kasiviswanathan & Smith (2014), On the 'Semantics' of Differential Privacy: A Bayesian Formulation.
 *
 * @param {number} prior in [0, 1] @param {number} epsilon above 0 @returns {[number, number]}
 */
export function bounds(prior, epsilon) {
  const q = requireProbability("prior", prior);
  const shrink = Math.exp(-requirePositive("epsilon", epsilon)); // 1/E, which cannot overflow
  if (q === 0 || q === 1) return [q, q]; // who is certain learns nothing
  return [
    q * shrink / (q * shrink + (1 - q)), // q / (E + (1 - E) q)
    q / (q + (1 - q) * shrink), // E q / (1 + (E - 1) q)
  ];
}

/**
 * The exact belief after each report, by Bayes: P(a | y) = P(y | a) P(a) / sum over b of P(y | b) P(b).
 *
 * @param {readonly (readonly number[])[]} chances `chances[answer][report]`
 * @param {readonly number[]} prior a probability for each answer
 * @returns {number[][]} `[report][answer]`; after a report that they thought impossible, the prior
 */
export function posterior(chances, prior) {
  requirePrior(prior, requireChances(chances).length);
  return (chances[0] ?? []).map((_, report) => {
    const joint = chances.map((row, answer) => (row[report] ?? 0) * (prior[answer] ?? 0)); // P(y | a) P(a)
    const evidence = joint.reduce((sum, probability) => sum + probability, 0); // P(y)
    return evidence > 0 ? joint.map((probability) => probability / evidence) : [...prior];
  });
}

/**
 * A belief as betting odds, for it and against it: p to 1 - p, with the smaller side as 1. A side without a chance is 0.
 *
 * @param {number} probability in [0, 1] @returns {[number, number]} for it, and against it
 */
export function bettingOdds(probability) {
  const p = requireProbability("probability", probability);
  if (p === 0 || p === 1) return [p, 1 - p];
  return p < 0.5 ? [1, (1 - p) / p] : [p / (1 - p), 1];
}
