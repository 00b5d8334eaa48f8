/** A linked part of the draft as respondents will see it: all answers, and the one wheel that decides for them. */

import { drawWord } from "../chance/randomize.js";
import { element, text, words } from "../page/page.js";
import { askedQuestions, loadKinds, oddsFigure } from "../respond/definition.js";
import { drawing, drawsOf } from "../respond/linked.js";

const { linking, said, smallWheel, together } = drawing;

/** @param {Section & { nodes?: Trees, waves?: number }} section @returns {Promise<HTMLElement[]>} */
export async function drawnPart({ nodes, waves = 1, ...section }) {
  const definition = /** @type {Definition} */ (/** @type {unknown} */ ({ questions: section.questions, sections: [section], nodes, budget: { waves } }));
  const kinds = await loadKinds(definition);
  const answers = linking(section).sizes.length;
  const questions = askedQuestions(definition, drawsOf(definition)(() => 0)); // the first of the sets that chance may pick
  const linked = linking({ ...section, questions });
  const { sizes, coins, skip } = linked;
  const [first] = /** @type {[Question]} */ (questions);
  const whole = together(/** @type {Page} */ ({ kinds, definition }), first, linked);
  const kindOf = (/** @type {Question} */ question) => /** @type {Kind} */ (kinds.get(question));
  const what = first.kind === "boxes" ? "boxes" : "questions";
  return [
    element("p.wording", said("title", sizes)),
    ...(section.asked ? [element("p.hint", words(`linked.drawn.${what}`, () => ({ asked: sizes.length, n: answers })))] : []),
    element("div.one-spin", element("div", { "aria-hidden": true }, smallWheel(linked)), element("p", said("spin", sizes))),
    ...questions.map((question) => element("div.answer", { inert: true },
      element("p.of-part", text(question.wording)), ...kindOf(question).controls(question).nodes)),
    ...(skip ? [element("p.hint", words("linked.leave"))] : []),
    ...(coins ? [element("p.hint", words("hand.linked.title"))] : []),
    kindOf(first).device(first).node,
    oddsFigure(() => kindOf(whole).odds(whole, drawWord), true),
  ];
}
