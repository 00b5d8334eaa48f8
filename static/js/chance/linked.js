/** The reports on linked questions, from one word: the twin of survey/randomize_linked.py. */

import { row } from "./compact_form.js";
import { requireWhole, walk } from "./randomize.js";

/** The number of combinations of their answers. @param {readonly number[]} sizes */
export const combinations = (sizes) => sizes.reduce((product, size) => product * size, 1);

/** @type {WheelOf} The wheel has one combination more where all can be left out. */
export const wheelOf = ({ wheels, skip }, sizes) => /** @type {WindowsForm} */ (
  wheels.find(({ form }) => form.answers === combinations(sizes) + Number(skip))?.form);

/** @type {RandomizeLinked} One draw for all: a combination is an answer and a report. */
export function randomizeLinked(linked, sizes, answers, word) {
  const form = wheelOf(linked, sizes);
  if (!answers && !linked.skip) throw new TypeError("answers must be one to each question, got none");
  const combination = answers ? sizes.reduce((before, size, place) => {
    requireWhole("answers", answers[place], size);
    return before * size + (answers[place] ?? 0);
  }, 0) : form.answers - 1;
  const report = walk(row(form, combination), word);
  return report === combinations(sizes) ? [...sizes] : taken(report, sizes);
}

/** A combination as an answer to each question. @param {number} combination @param {readonly number[]} sizes */
export function taken(combination, sizes) {
  let rest = combination;
  return sizes.slice().reverse().map((size) => {
    const answer = rest % size;
    rest = (rest - answer) / size;
    return answer;
  }).reverse();
}
