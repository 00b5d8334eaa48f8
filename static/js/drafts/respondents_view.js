/** One question of the draft as respondents will see it: drawn by their own modules from the integers to be published. */

import { loadKinds, oddsFigure } from "../respond/definition.js";
import { element, forget, text, words } from "../page/page.js";
import { drawWord } from "../chance/randomize.js";
import { knowPicture } from "./picture.js";

/** What the view shows, as JSON. */
let shown = "";

/** Show a question or a linked part as it would be published, or nothing where it could not be. @param {HTMLElement | null} panel @param {Question | Section | null} entry */
export async function showView(panel, entry) {
  const next = JSON.stringify(entry);
  const place = panel?.querySelector(".seen-question");
  if (!panel || !place || (shown === next && place.firstChild)) return;
  shown = next;
  panel.hidden = !entry;
  const nodes = entry ? await drawnEntry(entry).catch(() => []) : []; // rather nothing than the picture of other settings
  // Another may have come while modules were fetched.
  if (shown === next && place.isConnected) replace(place, nodes);
}

/** @param {Question | Section} entry */
async function drawnEntry(entry) {
  for (const { picture } of "questions" in entry ? entry.questions : [entry]) knowPicture(picture);
  if (!("questions" in entry)) return drawn({ ...entry, kind: entry.kind ?? "yes_no" });
  const nodes = (await (await import("./linked_view.js")).drawnPart(entry)).map((node) => (node.inert ? bare(node) : node));
  forget();
  return nodes;
}

/** @param {Question & { nodes?: Trees }} question @returns {Promise<Element[]>} */
async function drawn(question) {
  const kinds = await loadKinds(/** @type {Definition} */ ({ questions: [question], nodes: question.nodes }));
  const kind = /** @type {Kind} */ (kinds.get(question));
  const parts = {
    wording: element("p.wording", text(question.wording)),
    note: element("p.note.quiet", { hidden: !question.note }, text(question.note ?? {})),
  };
  const head = element("div", ...Object.values(parts));
  kind.dress?.(question, (id) => /** @type {Record<string, HTMLElement>} */ (parts)[id] ?? head);
  const nodes = [
    head,
    kind.device(question).node,
    oddsFigure(() => kind.odds(question, drawWord), true),
    // To be looked at: an answer that is tried out here would go nowhere.
    bare(element("div.answer", { inert: true }, element("p.hint", words("question.legend")), ...kind.controls(question).nodes)),
  ];
  forget();
  return nodes;
}

/** Respondents see one question at a time; here an id would be there once for each of them. @param {HTMLElement} controls */
function bare(controls) {
  for (const control of controls.querySelectorAll("*")) {
    for (const name of control.getAttributeNames()) if (/^(id|for|aria-.+)$/.test(name)) control.removeAttribute(name);
  }
  return controls;
}

/** Put a view in the place of the one before: what was open stays open, and the focus stays where it was. @param {Element} place @param {Node[]} nodes */
function replace(place, nodes) {
  const folds = () => [...place.querySelectorAll("details")];
  const open = folds().map((fold) => fold.open);
  const focus = reachable(place).findIndex((node) => node === document.activeElement);
  place.replaceChildren(...nodes);
  for (const [index, fold] of folds().entries()) fold.open = open[index] ?? fold.open;
  reachable(place)[focus]?.focus({ preventScroll: true });
}

/** @param {Element} place @returns {HTMLElement[]} */
const reachable = (place) => [...place.querySelectorAll("summary, button, input")].map((node) => /** @type {HTMLElement} */ (node));
