/** The options of a question, in the language that is being read. */

import { code, element, filler, say, words } from "../page/page.js";

/** @param {Question} question @returns {(() => string)[]} what each answer is called; where a skip is randomized it is the last */
export function names({ options, skip }) {
  const texts = (options ?? []).map((option) => () => option[code()] ?? "");
  const own = texts.length ? texts : [0, 1].map((answer) => () => say(`answer.${answer}`));
  return skip === "randomized" ? [...own, () => say("skip.randomized.option")] : own;
}

/** @param {Question} question @returns {number[]} the answers as people read them, from the top: Yes stands above No */
export const order = (question) => names(question).map((_, place) => (question.options || place > 1 ? place : 1 - place));

/** @param {Question} question @returns {Filler[]} the same as labels, each with its number, as they are read */
export function labels(question) {
  const { options, skip } = question;
  const texts = (options ?? []).map((option) => filler(() => option[code()] ?? ""));
  const all = [...(texts.length ? texts : [words("answer.0"), words("answer.1")]),
    ...(skip === "randomized" ? [words("skip.randomized.option")] : [])];
  return order(question).map((answer, place) => (node) => node.append(element("b.number", String(place + 1)), element("span", /** @type {Filler} */ (all[answer]))));
}

/** Characters of a name where it is one of several in a sentence or a column. */
const BRIEF = 60;

/** @param {string} name */
export const brief = (name) => (name.length > BRIEF ? `${[...name].slice(0, BRIEF - 1).join("").trimEnd()}…` : name);

/** The names beside their numbers: in view while they are few and short, to be opened otherwise. @param {Question} question */
export function legend(question) {
  const list = element("ol.legend", ...labels(question).map((label) => element("li", label)));
  return list.childElementCount > 8 || names(question).some((name) => name().length > BRIEF)
    ? element("details.names", element("summary", words("kind.choice.options")), list) : list;
}
