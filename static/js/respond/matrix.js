/** Questions on one scale, read as one group. Each is drawn by itself: nothing but the look is shared. */

import { element, text, words } from "../page/page.js";
import { ask } from "./question.js";

/** Name of a group -> what stands above it; the first of its questions has it. @type {Map<string, Texts>} */
const stems = new Map();

/** More options than these stand one below the other on any screen. */
const MOST_BESIDE = 7;

/** @param {Kind} kind @param {Question} question @returns {Kind} */
export function dressed(kind, { matrix = "", matrix_wording }) {
  if (matrix_wording) stems.set(matrix, matrix_wording);
  const stem = stems.get(matrix) ?? {};
  return { ...kind, block: (page, first) => block(page, first, stem) };
}

/** @param {Page} page @param {Question} first @param {Texts} stem */
function block(page, first, stem) {
  const { asked, session } = page;
  const items = asked.filter(({ matrix, columns }) => matrix === first.matrix
    && columns.some(({ name }) => !(name in session.saved.reports)));
  const all = items.map((item) => ask(page, item, `-${item.id}`));
  for (const { part } of all) {
    part("progress").remove();
    part("device").remove();
    part("lock").remove();
    part("legend").remove();
    part("wording").ariaLevel = "3";
  }
  const place = asked.indexOf(first);
  const wide = (all[0]?.controls.inputs.length ?? 0) > MOST_BESIDE;
  const node = element(`section.matrix${wide ? "" : ".beside"}`,
    element("header",
      element("p.eyebrow", words("matrix.progress", () => ({ n: place + 1, last: place + items.length, total: asked.length }))),
      element("h1", { tabindex: -1, "data-part": "wording" }, text(stem)),
      element("p.hint", words("matrix.each"))),
    ...all.map((item) => item.node));
  return { node, all };
}
