/** The options of a question, as a list with numbers. */

import { code, element, filler, words } from "../page/page.js";
import { BRIEF, names } from "./names.js";

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

/** The names beside their numbers: in view while they are few and short, to be opened otherwise. @param {Question} question */
export function legend(question) {
  const list = element("ol.legend", ...labels(question).map((label) => element("li", label)));
  return list.childElementCount > 8 || names(question).some((name) => name().length > BRIEF)
    ? element("details.names", element("summary", words("kind.choice.options")), list) : list;
}
