/** Linked questions as they are asked: all of them are answered, then one wheel turns for all. */

import { dressed as linkedKind, linking, said, smallWheel, spin, together } from "../kinds/linked.js";
import { element, text, words } from "../page/page.js";
import { ask, unmark } from "./question.js";

/** @param {Kind} kind @param {Question} question @param {Definition} definition @returns {Kind} */
export function dressed(kind, question, { sections = [] }) {
  const section = /** @type {Section} */ (sections.find(({ questions }) => questions.includes(question)));
  const linked = linking(section);
  question.matrix = `${section.id} linked`; // they stand on one screen, as those on one scale do
  return { ...linkedKind(kind, question, linked), block: (page, first) => block(page, first, linked) };
}

/** All of them, with what one spin does above. @param {Page} page @param {Question} first @param {Linking} linked */
function block(page, first, linked) {
  const { questions } = linked;
  const all = questions.map((question) => ask(page, question, `-${question.id}`));
  for (const { part } of all) {
    part("progress").remove();
    part("device").remove();
    part("lock").remove();
    part("legend").remove();
    part("wording").ariaLevel = "3";
  }
  const whole = together(page, first, linked);
  const place = page.asked.indexOf(first);
  const node = element("section.matrix.linked",
    element("header",
      element("p.eyebrow", words("matrix.progress", () => ({ n: place + 1, last: place + questions.length, total: page.asked.length }))),
      element("h1", { tabindex: -1, "data-part": "wording" }, said("title", questions)),
      element("div.one-spin", element("div", { "aria-hidden": true }, smallWheel(linked)), element("p", said("spin", questions)))),
    ...all.flatMap(({ node: own, question: { matrix_wording } }) => [...(matrix_wording ? [element("p.stem", text(matrix_wording))] : []), own]));
  const skip = linked.skip ? leave(node, all) : undefined;
  /** @type {ReturnType<typeof spin> | undefined} */
  let came;
  all.forEach((asked, at) => {
    const name = asked.question.columns[0]?.name ?? "";
    // The first draws for all; the others take what came.
    asked.draw = () => {
      came ??= drawn();
      return { reports: { [name]: came.reports[name] ?? 0 }, picture: at ? null : came.picture };
    };
  });
  return { node, all, whole };

  function drawn() {
    const answers = skip?.checked ? undefined : all.map(({ controls }) => Number(controls.read().answer));
    unmark(all.flatMap(({ inputs }) => inputs));
    return spin(linked, answers, page.draw);
  }
}


/** A box that leaves all of them out together, which is one more answer. @param {HTMLElement} node @param {Asked[]} all */
function leave(node, all) {
  const skip = element("input", { type: "checkbox", autocomplete: "off", "data-leave": true });
  const answered = all.flatMap(({ inputs }) => inputs);
  node.append(element("div.answer.leaves", element("label.choice", skip, element("span", words("linked.leave"))), element("p.hint", words("linked.leave_hint"))));
  skip.addEventListener("input", () => unmark(answered));
  for (const input of answered) input.addEventListener("input", () => { skip.checked = false; });
  for (const asked of all) {
    const lacks = asked.lacks.bind(asked);
    asked.lacks = () => !skip.checked && lacks();
    asked.inputs = [...asked.inputs, skip];
  }
  return skip;
}
