/** Where the reports of a number stand, as a share of its range: for pictures and words, never for drawing. */

import { answers, row } from "../chance/compact_form.js";

/**
 * As `unbiased_values` of survey/mechanisms/number.py, but that the ends of folded noise stay at the ends.
 *
 * @param {Form} form
 * @returns {number[]} for each report, 0 at the low end of the range and 1 at the high end
 */
export function reportPlaces(form) {
  if (form.form === "tails") return form.tails.map((_, report) => report / (form.tails.length - 1));
  const ends = [0, answers(form) - 1].map((answer) => row(form, answer));
  const blocks = form.form === "windows" ? form.windows.map(([columns = 0]) => columns) : [ends[0]?.length ?? 0];
  let start = 0;
  return blocks.flatMap((columns) => {
    const [first = 0, last = 1] = ends.map((weights) => meanColumn(weights.slice(start, start + columns)));
    start += columns;
    return Array.from({ length: columns }, (_, column) => (column - first) / (last - first));
  });
}

/** @param {readonly number[]} weights */
function meanColumn(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, column) => sum + column * weight, 0) / total;
}
