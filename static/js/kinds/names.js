/** What the answers to a question are called, in the language that is being read. */

import { code, say } from "../page/page.js";

/** @param {Question} question @returns {(() => string)[]} what each answer is called; where a skip is randomized it is the last */
export function names({ options, skip }) {
  const texts = (options ?? []).map((option) => () => option[code()] ?? "");
  const own = texts.length ? texts : [0, 1].map((answer) => () => say(`answer.${answer}`));
  return skip === "randomized" ? [...own, () => say("skip.randomized.option")] : own;
}

/** Characters of a name where it is one of several in a sentence or a column. */
export const BRIEF = 60;

/** @param {string} name */
export const brief = (name) => (name.length > BRIEF ? `${[...name].slice(0, BRIEF - 1).join("").trimEnd()}…` : name);
