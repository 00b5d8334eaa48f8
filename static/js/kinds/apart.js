/** A question that may be skipped, the skip being counted apart: a code of its own, in which chance has no part. */

import { actions, button, element, say, words } from "../page/page.js";

/** Only "not asked" comes after it. @param {Column} column */
const skipCode = ({ codes, part }) => codes - 1 - Number(part !== undefined);

/** @param {Question} question @param {number} index of the column @param {number} [report] */
const isSkip = ({ columns }, index, report) => columns[index] !== undefined && report === skipCode(columns[index]);

/** @param {Question} question */
const skip = ({ columns }) => Object.fromEntries(columns.map((column) => [column.name, skipCode(column)]));

/** @param {Kind} kind @returns {Kind} */
export function dressed(kind) {
  return {
    ...kind,
    recorded: (question, index, report) => (
      isSkip(question, index, report) ? say("skip.apart.recorded") : kind.recorded(question, index, report)),
    list: (question, codes, said) => (isSkip(question, 0, codes[0]) ? undefined : kind.list?.(question, codes, said)),
    skip,
    offer(page, question, showResult) {
      const pass = async () => {
        if (await page.lock(question.columns, () => skip(question))) showResult(words("skip.apart.said"));
      };
      return element("div", kind.offer?.(page, question, showResult) ?? "",
        actions(button("skip.apart.button", "pass", pass, ".plain"), element("p.hint", words("skip.apart.hint"))));
    },
  };
}
