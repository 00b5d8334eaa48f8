/** Linked questions as they are asked: all of them, or those that chance picks, are answered, then one wheel turns for all. */

import { drawSubset } from "../chance/sample.js";
import { dressed as linkedKind, linking, said, smallWheel, spin, together } from "../kinds/linked.js";
import { element, text, words } from "../page/page.js";
import { drawnSections } from "./definition.js";
import { ask, unmark } from "./question.js";

/** For the editor, which draws the same. */
export const drawing = { linking, said, smallWheel, together };

/** @param {Kind} kind @param {Question} question @param {Definition} definition @returns {Promise<Kind>} */
export async function dressed(kind, question, { sections = [], questions }) {
  const section = /** @type {Section} */ (sections.find(({ questions }) => questions.includes(question)));
  // Drawn by themselves: their numbers come after those of sections.
  const first = sections.length + questions.indexOf(question);
  if (section.asked) question.columns.forEach((column, place) => { column.part = first + place * questions.length; });
  if (section.asked && question.kind === "boxes") question.narrow = narrowing(question);
  const answers = section.questions.flatMap(({ columns }) => columns).length;
  question.matrix = `${section.id} linked`; // they stand on one screen, as those on one scale do
  const offerCoins = section.by_hand === "coin" && (await import("./coins_together.js")).offerCoins;
  return { ...linkedKind(kind, question, linking(section)), block: (page, first) => block(page, first, section, answers, offerCoins) };
}

/** Of boxes those that were drawn are asked; the others have the code for "not asked" alone. @param {Question} question @returns {(set: readonly number[]) => boolean} */
function narrowing(question) {
  const { columns, options = [] } = question;
  return (set) => {
    const isDrawn = (/** @type {unknown} */ _, /** @type {number} */ place) => set.includes(columns[place]?.part ?? -1);
    Object.assign(question, { columns: columns.filter(isDrawn), options: options.filter(isDrawn) });
    return question.columns.length > 0;
  };
}

/** Draws sections where not all are asked, then with one word each the questions of those that are asked in part. @type {(definition: Definition) => DrawSet} */
export function drawsOf(definition) {
  const drawn = drawnSections(definition);
  // Before any are narrowed.
  const columnsOf = new Map(definition.sections?.map((section) => [section, section.questions.flatMap(({ columns }) => columns)]));
  return (draw) => {
    const set = drawn.length ? drawSubset(drawn.length, Number(definition.asked), draw()) : [];
    const sections = definition.sections?.filter((section) => section.asked && (!drawn.includes(section) || set.includes(drawn.indexOf(section)))) ?? [];
    return [...set, ...sections.flatMap((section) => {
      const columns = columnsOf.get(section) ?? [];
      return drawSubset(columns.length, Number(section.asked), draw()).map((place) => columns[place]?.part ?? -1);
    })];
  };
}

/** All that are asked, with what one spin does above. @param {Page} page @param {Question} first @param {Section} section @param {number} answers of all its questions @param {false | typeof import("./coins_together.js").offerCoins} offerCoins */
function block(page, first, section, answers, offerCoins) {
  const linked = linking({ ...section, questions: section.questions.filter((question) => page.asked.includes(question)) });
  const { questions, sizes } = linked;
  const kind = first.kind === "boxes" ? "boxes" : "questions";
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
      element("p.eyebrow", questions.length > 1 ? words("matrix.progress", () => ({ n: place + 1, last: place + questions.length, total: page.asked.length }))
        : words("question.progress", () => ({ n: place + 1, total: page.asked.length }))),
      element("h1", { tabindex: -1, "data-part": "wording" }, said("title", sizes)),
      ...(section.asked ? [element("p.hint", words(`linked.drawn.${kind}`, () => ({ asked: sizes.length, n: answers })))] : []),
      element("div.one-spin", element("div", { "aria-hidden": true }, smallWheel(linked)), element("p", said("spin", sizes)))),
    ...all.flatMap(({ node: own, question: { matrix_wording } }) => [...(matrix_wording ? [element("p.stem", text(matrix_wording))] : []), own]));
  const skip = linked.skip ? leave(node, all) : undefined;
  /** @type {ReturnType<typeof spin> | undefined} */
  let came;
  all.forEach((asked, at) => {
    const { columns } = asked.question;
    // The first draws for all; the others take what came.
    asked.draw = () => {
      came ??= drawn();
      const { reports, picture } = came;
      return { reports: Object.fromEntries(columns.map(({ name }) => [name, reports[name] ?? 0])), picture: at ? null : picture };
    };
  });
  if (offerCoins) node.append(offerCoins(all));
  return { node, all, whole };

  function drawn() {
    const answers = skip?.checked ? undefined : all.flatMap(({ controls }) => controls.read().answer).map(Number);
    unmark(all.flatMap(({ inputs }) => inputs));
    return spin(linked, answers, page.draw);
  }
}


/** A box that leaves all of them out together, which is one more answer. @param {HTMLElement} node @param {Asked[]} all */
function leave(node, all) {
  const skip = element("input", { type: "checkbox", autocomplete: "off", "data-leave": true });
  const answered = all.flatMap(({ inputs }) => inputs);
  node.append(element("div.answer.leave-all", element("label.choice", skip, element("span", words("linked.leave"))), element("p.hint", words("linked.leave_hint"))));
  skip.addEventListener("input", () => unmark(answered));
  for (const input of answered) input.addEventListener("input", () => { skip.checked = false; });
  for (const asked of all) {
    const lacks = asked.lacks.bind(asked);
    asked.lacks = () => !skip.checked && lacks();
    asked.inputs = [...asked.inputs, skip];
  }
  return skip;
}
