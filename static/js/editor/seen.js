/** One question of the draft as respondents will see it: drawn by their own modules from the integers to be published. */

import { loadKinds, oddsFigure } from "../respond/definition.js";
import { element, forget, text, words } from "../page/page.js";
import { drawWord } from "../chance/randomize.js";

/** @param {Question & {nodes?: Trees}} question @returns {Promise<Element[]>} */
export async function seen(question) {
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
  for (const each of controls.querySelectorAll("*")) {
    for (const name of each.getAttributeNames()) if (/^(id|for|aria-.+)$/.test(name)) each.removeAttribute(name);
  }
  return controls;
}

/** Put a view in the place of the one before: what was open stays open, and the focus stays where it was. @param {Element} place @param {Node[]} nodes */
export function replace(place, nodes) {
  const open = [...place.querySelectorAll("details")].map((each) => each.open);
  const focus = reachable(place).findIndex((each) => each === document.activeElement);
  place.replaceChildren(...nodes);
  for (const [index, each] of [...place.querySelectorAll("details")].entries()) each.open = open[index] ?? each.open;
  reachable(place)[focus]?.focus({ preventScroll: true });
}

/** @param {Element} place @returns {HTMLElement[]} */
const reachable = (place) => [...place.querySelectorAll("summary, button, input")].map((each) => /** @type {HTMLElement} */ (each));
