/** A question that may be skipped, the skip being counted apart: a code of its own, in which chance has no part. */

import { element, say, words } from "../page/page.js";

/** Only "not asked" comes after it. @param {Column} column */
const skipCode = ({ codes, part }) => codes - 1 - Number(part !== undefined);

/** @param {Question} question @param {number} index of the column @param {number} [report] */
const isSkip = ({ columns }, index, report) => columns[index] !== undefined && report === skipCode(columns[index]);

/** @param {Question} question @returns {Entry} */
function entry({ columns }) {
  const box = element("input", { type: "checkbox", autocomplete: "off", "data-action": "pass" });
  return {
    node: element("div.skip", element("label.choice", box, element("span", words("skip.apart.button"))), element("p.hint", words("skip.apart.hint"))),
    inputs: [box],
    reports: () => (box.checked ? Object.fromEntries(columns.map((column) => [column.name, skipCode(column)])) : undefined),
    said: words("skip.apart.said"),
  };
}

/** @param {Kind} kind @returns {Kind} */
export function dressed(kind) {
  return {
    ...kind,
    recorded: (question, index, report) => (
      isSkip(question, index, report) ? say("skip.apart.recorded") : kind.recorded(question, index, report)),
    list: (question, codes, said) => (isSkip(question, 0, codes[0]) ? undefined : kind.list?.(question, codes, said)),
    entries: (question) => [...kind.entries?.(question) ?? [], entry(question)],
  };
}
