/** Several boxes, each with its own word; where only some are reported on, one word more says which. */

import { divide } from "./compact_form.js";
import { randomize, requireWhole, TOTAL } from "./randomize.js";

/** The report of a box that was not drawn. */
export const NOT_DRAWN = 2;

/**
 * @param {number} boxes d
 * @param {number} size s
 * @param {number} word
 * @returns {number[]} the boxes of the s-subset whose rank, in lexicographic order, is word * C(d, s) / 2**32
 */
export function drawBoxes(boxes, size, word) {
  requireWhole("word", word, TOTAL);
  let [rank] = divide(word * choose(boxes, size), TOTAL);
  /** @type {number[]} */
  const drawn = [];
  for (let box = 0; box < boxes && drawn.length < size; box += 1) {
    const with_ = choose(boxes - box - 1, size - drawn.length - 1);
    if (rank < with_) drawn.push(box);
    else rank -= with_;
  }
  return drawn;
}

/** C(n, k), exact: at most C(20, 10). @param {number} n @param {number} k */
function choose(n, k) {
  let ways = 1;
  for (let i = 1; i <= k; i += 1) ways = (ways * (n - k + i)) / i;
  return ways;
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
  const drawn = all ? answers.map((_, index) => index) : drawBoxes(answers.length, sampled, /** @type {number} */ (words[0]));
  const spent = words.slice(all ? 0 : 1);
  const reports = answers.map(() => NOT_DRAWN);
  drawn.forEach((index, turn) => {
    reports[index] = randomize(box, /** @type {number} */ (answers[index]), /** @type {number} */ (spent[turn]));
  });
  return { reports, drawn, spent };
}
