/** Two real coins in place of the device: what they gave is entered, and has codes of its own after the channel's. */

import { actions, button, element, hundredths, say, words } from "../page/page.js";
import { between } from "../chance/curve.js";
import { timesRight } from "../chance/guess.js";
import { TOTAL } from "../chance/randomize.js";
import { radios } from "./group.js";

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
    offer({ lock }, question, showResult) {
      const column = only(question);
      const { inputs, nodes, read } = radios([1, 0].map((answer) => [answer, words(`answer.${answer}`)]));
      const error = element("p.error", { id: "entered", hidden: true }, words("hand.coin.missing"));
      for (const input of inputs) input.setAttribute("aria-describedby", error.id);
      const use = async () => {
        const { answer } = read();
        error.hidden = answer !== undefined;
        if (answer === undefined) return inputs[0]?.focus();
        press.disabled = true;
        // No word is drawn: the coins have decided, and the page is not told the answer.
        if (await lock(question.columns, () => ({ [column.name]: kind.reports(column) + answer }))) showResult(words("hand.coin.said"));
      };
      const press = button("hand.coin.lock", "coins", use);
      return element("details.hand", element("summary", words("hand.coin.title")),
        element("p", words("hand.coin.why")),
        element("ol", ...["first", "tails", "heads"].map((step) => element("li", words(`hand.coin.${step}`)))),
        element("fieldset", { role: "radiogroup" }, element("legend.hint", words("hand.coin.legend")), ...nodes, error),
        actions(press),
        element("p.hint", ...odds(column.by_hand).flatMap((said) => [element("span", said), " "])));
    },
  };
}

/** What an entered value shows, from the integers of the coins. @param {Plain} coins @returns {Filler[]} */
const odds = ({ weights, loss, epsilon }) => [
  ...[1, 0].map((answer) => words("odds.of", () => ({
    answer: say(`answer.${answer}`), yes: say("answer.1"), n: hundredths((weights[answer]?.[1] ?? 0) / TOTAL) }))),
  words("odds.bound", () => ({ n: timesRight([{ loss, pairs: [between(weights[0] ?? [], weights[1] ?? [])] }]) })),
  words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
];
