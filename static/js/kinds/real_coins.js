/** Two real coins in place of the device: what they gave is entered, and has codes of its own after the channel's. */

import { element, hundredths, say, words } from "../page/page.js";
import { between } from "../chance/curve.js";
import { timesRight } from "../chance/guess.js";
import { TOTAL } from "../chance/randomize.js";
import { radios } from "./radios.js";

/** @param {Question} question @returns {Column & {by_hand: Plain}} */
const only = ({ columns: [column] }) => /** @type {any} */ (column);

/** @param {Kind} kind @returns {Kind} */
export function dressed(kind) {
  return {
    ...kind,
    recorded(question, index, report) {
      const column = only(question);
      const entered = report - kind.reports(column);
      return entered >= 0 && entered < column.by_hand.weights.length
        ? say("hand.coin.recorded", { report: say(`answer.${entered}`) }) : kind.recorded(question, index, report);
    },
    entries: (question) => [...kind.entries?.(question) ?? [], entry(question, kind)],
  };
}

/** No word is drawn: the coins have decided, and the page is not told the answer. @param {Question} question @param {Kind} kind @returns {Entry} */
function entry(question, kind) {
  const column = only(question);
  const { inputs, nodes, read } = radios([1, 0].map((answer) => [answer, words(`answer.${answer}`)]));
  return {
    node: element("details.hand", element("summary", words("hand.coin.title")),
      element("p", words("hand.coin.why"), " ", element("span", words("hand.coin.seen"))),
      element("ol", ...["first", "tails", "heads"].map((part) => element("li", words(`hand.coin.${part}`)))),
      element("fieldset", { role: "radiogroup" }, element("legend.hint", words("hand.coin.legend")), ...nodes),
      element("p.hint", ...odds(column.by_hand).flatMap((said) => [element("span", said), " "]))),
    inputs,
    reports: () => (read().answer === undefined ? undefined : { [column.name]: kind.reports(column) + read().answer }),
    said: words("hand.coin.said"),
  };
}

/** What an entered value shows, from the integers of the coins. @param {Plain} coins @returns {Filler[]} */
const odds = ({ weights, loss, epsilon }) => [
  ...[1, 0].map((answer) => words("odds.of", () => ({
    answer: say(`answer.${answer}`), yes: say("answer.1"), n: hundredths((weights[answer]?.[1] ?? 0) / TOTAL) }))),
  words("odds.bound", () => ({ n: timesRight([{ loss, pairs: [between(weights[0] ?? [], weights[1] ?? [])] }]) })),
  words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
];
