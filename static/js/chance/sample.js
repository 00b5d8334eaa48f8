/** Which boxes or sections a word draws; and several boxes, each randomized with its own word. */

import { choose, randomize, requireWhole, TOTAL } from "./randomize.js";

/** The report of a box that was not drawn. */
export const NOT_DRAWN = 2;

/**
 * Boxes of a question, or sections of a survey: at most 2**20 subsets, so that every number here is exact.
 *
 * @param {number} places n
 * @param {number} size k
 * @param {number} word
 * @returns {number[]} the k-subset whose rank, in lexicographic order, is floor(word * C(n, k) / 2**32)
 */
export function drawSubset(places, size, word) {
  requireWhole("word", word, TOTAL);
  let rank = Math.floor((word * choose(places, size)) / TOTAL);
  /** @type {number[]} */
  const drawn = [];
  for (let place = 0; place < places && drawn.length < size; place += 1) {
    const with_ = choose(places - place - 1, size - drawn.length - 1);
    if (rank < with_) drawn.push(place);
    else rank -= with_;
  }
  return drawn;
}

/**
 * @param {Channel} box two answers and two reports
 * @param {number} sampled how many boxes are reported on; all of them need no drawing
 * @param {readonly number[]} answers 0 or 1 for each box
 * @param {readonly number[]} words one for each box reported on, after one that draws them where only some are
 * @returns {{reports: number[], drawn: number[], spent: number[]}} a report a box; the word that each drawn box spent
 */
export function randomizeBoxes(box, sampled, answers, words) {
  const all = sampled === answers.length;
  const drawn = all ? answers.map((_, index) => index) : drawSubset(answers.length, sampled, /** @type {number} */ (words[0]));
  const spent = words.slice(all ? 0 : 1);
  const reports = answers.map(() => NOT_DRAWN);
  drawn.forEach((index, turn) => {
    reports[index] = randomize(box, /** @type {number} */ (answers[index]), /** @type {number} */ (spent[turn]));
  });
  return { reports, drawn, spent };
}
