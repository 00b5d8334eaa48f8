/** The table of chances of a yes/no question, and the two ratios that epsilon bounds. */

import { dataTable } from "./data_table.js";
import { fixed, say } from "./words.js";

/** @param {string} caption @param {readonly (readonly number[])[]} chances `chances[answer][report]`, no and yes */
export function chanceTable(caption, chances) {
  const [yes, no] = [1, 0].map((report) => chances.map((row) => row[report] ?? 0));
  const ratio = (/** @type {number[]} */ column) => fixed(Math.max(...column) / Math.min(...column), 3);
  const row = (/** @type {number} */ answer) => [say("chances.answer", { answer: say(`answer.${answer}`) }),
    ...[1, 0].map((report) => fixed(chances[answer]?.[report] ?? 0, 4))];
  return dataTable(caption, ["", ...[1, 0].map((report) => say("chances.recorded", { report: say(`answer.${report}`) }))],
    [row(1), row(0), [say("chances.ratio"), ratio(yes ?? []), ratio(no ?? [])]]);
}
