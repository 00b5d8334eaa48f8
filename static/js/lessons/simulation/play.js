/** A survey among simulated people: every box of every one of them is randomized by itself, with a word of its own. */

import { brightWeight } from "../../devices/device.js";
import { requireWhole, TOTAL } from "../../chance/randomize.js";
import { HAIR, likelihoodRatio } from "../../theory/interval.js";
import { estimate, weights } from "../../theory/response.js";
import { requireProbability } from "../../theory/requirements.js";

/**
 * One box: what was drawn, and what a researcher makes of it.
 *
 * @typedef {object} Box
 * @property {number} share the true share in the population
 * @property {number} original how many respondents would tick the box; only a simulation knows it
 * @property {number} noisy how many were recorded as ticked
 * @property {number} both how many of these would tick it
 * @property {number} estimated n times the estimated share; it may lie outside 0 to n
 * @property {number} low the 95 % interval, in respondents
 * @property {number} high
 * @property {boolean} inside whether it holds n times the true share
 */

/**
 * @param {readonly number[]} shares the true share of each box
 * @param {number} respondents n
 * @param {number} epsilon of one box
 * @param {() => number} word gives words uniform in [0, 2**32): two for each respondent and box
 * @returns {Box[]}
 */
export function play(shares, respondents, epsilon, word) {
  const channel = weights(epsilon);
  const p = brightWeight("spinner_coin", channel) / TOTAL; // of the integers in use
  return shares.map((share) => {
    const { original, noisy, both } = count(share, respondents, channel, word);
    const [low = 0, high = respondents] = likelihoodRatio(noisy, respondents, p).map((end) => end * respondents);
    const truth = share * respondents;
    return {
      share, original, noisy, both, low, high,
      estimated: respondents * estimate(noisy / respondents, p), // n pi_est
      inside: low - HAIR * respondents <= truth && truth <= high + HAIR * respondents,
    };
  });
}

/**
 * Draw the answers of people from a population with the true share, and randomize each of them.
 *
 * The report is the first column of the answer's row whose cumulative weight exceeds the word: with two columns, 1 just
 * when the word is not below the first weight. tests/js/simulation.test.js holds this against `walk`.
 *
 * @param {number} share @param {number} respondents @param {Channel} channel of two answers and two reports @param {() => number} word
 */
export function count(share, respondents, channel, word) {
  requireProbability("share", share);
  requireWhole("respondents", respondents, TOTAL);
  const ticking = Math.round(share * TOTAL); // of 2**32 words
  const [[sendsNo = 0] = [], [sendsNoOfYes = 0] = []] = channel;
  let original = 0;
  let noisy = 0;
  let both = 0;
  for (let person = 0; person < respondents; person += 1) {
    const answer = Number(word() < ticking);
    original += answer;
    const report = Number(word() >= (answer ? sendsNoOfYes : sendsNo));
    noisy += report;
    both += answer & report;
  }
  return { original, noisy, both };
}
