/** One question of the draft as respondents will see it: drawn by their own modules from the integers to be published. */

import { loadKinds } from "../definition.js";
import { element } from "../element.js";
import { forget, text, words } from "../language.js";
import { oddsFigure } from "../odds.js";
import { drawWord } from "../word.js";

/** @param {Question} question @returns {Promise<Node[]>} */
export async function seen(question) {
  const kinds = await loadKinds(/** @type {Definition} */ ({ questions: [question] }));
  const kind = /** @type {Kind} */ (kinds.get(question));
  const nodes = [
    element("p.wording", text(question.wording)),
    ...(question.note ? [element("p.note.quiet", text(question.note))] : []),
    kind.device(question).node,
    oddsFigure(kind.odds(question, drawWord), true),
    // To be looked at: an answer that is tried out here would go nowhere.
    element("div.answer", { inert: true }, element("p.hint", words("question.legend")), ...kind.controls(question).nodes),
  ];
  forget();
  return nodes;
}
