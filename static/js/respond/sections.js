/** Which sections a person is asked: the set is drawn once for a browsing session, before any answer. */

import { element } from "../page/element.js";
import { paragraphs, text, words } from "../page/language.js";

/** A survey's questions stand in its sections; where it has none, every question is one. @type {ReadSections} */
export function read(published) {
  const sections = published.sections ?? published.questions.map((question) => ({ questions: [question] }));
  return { ...published, sections, questions: sections.flatMap(({ questions }) => questions) };
}

/** Those among which each person's are drawn: none where everybody is asked everything. @type {DrawnSections} */
export function drawnSections({ sections = [], asked = Infinity }) {
  const drawn = sections.filter(({ always }) => !always);
  return asked < drawn.length ? drawn : [];
}

/** Loaded before anything is drawn, whatever comes. @type {LoadDraw} */
export async function loadDraw(definition) {
  const { length } = drawnSections(definition);
  if (!length) return null;
  const { drawSubset } = await import("../chance/sample.js");
  return (draw) => drawSubset(length, Number(definition.asked), draw());
}

/** @type {AskedQuestions} */
export function askedQuestions(definition, set = []) {
  const drawn = drawnSections(definition);
  return (definition.sections ?? []).filter((section) => !drawn.includes(section) || set.includes(drawn.indexOf(section)))
    .flatMap(({ questions }) => questions);
}

/** What the draw did, in one sentence, where there was one. @type {SayDraw} */
export function sayDraw({ definition, asked }, key) {
  const { sections = [], questions } = definition;
  if (asked.length === questions.length) return [];
  const among = sections.filter((section) => section.questions.some((question) => asked.includes(question)));
  return [element("p", words(key, () => ({ asked: among.length, parts: sections.length })))];
}

/** Where a question stands among those that are asked; by parts, where parts have several. @type {Progress} */
export function progress({ definition: { sections = [] }, asked }, question) {
  const parts = sections.filter(({ questions }) => questions.some((one) => asked.includes(one)));
  const part = parts.findIndex(({ questions }) => questions.includes(question));
  const among = parts.length > 1 && parts.length < asked.length ? parts[part]?.questions ?? [] : asked;
  return { n: among.indexOf(question) + 1, total: among.length, ...(among !== asked && { part: part + 1, parts: parts.length }) };
}

/** What stands above the first question of a section; its h1 refers to it. @type {SectionHead} */
export function sectionHead({ definition, asked }, question) {
  const section = definition.sections?.find(({ questions }) => questions.includes(question));
  const first = section?.questions[0] === question && asked.includes(question);
  if (!first || !section.title && !section.introduction) return [];
  return [element("section.part", { id: "part" },
    ...(section.title ? [element("h2", text(section.title))] : []),
    ...(section.introduction ? [element("div", paragraphs(section.introduction))] : []))];
}
