/** Real coins in place of the wheel: the first decides for all answers, then one for each. What they gave is entered, and looks like what the wheel gives. */

import { element, text, words } from "../page/page.js";
import { radios } from "../kinds/radios.js";
import { unmark } from "./question.js";

/** A fold to enter them, and what it changes of the questions: an answer or an entry, whichever came last. @param {Asked[]} all */
export function offerCoins(all) {
  const lines = all.map((asked) => ({ asked, error: element("p.error", { hidden: true }), ...radios([1, 0].map((answer) => [answer, words(`answer.${answer}`)])) }));
  const entered = lines.flatMap(({ inputs }) => inputs);
  const answered = all.flatMap(({ inputs }) => inputs);
  const isTossed = () => entered.some((input) => input.checked);
  for (const input of answered) input.addEventListener("input", () => unmark(entered));
  for (const input of entered) input.addEventListener("input", () => unmark(answered));
  for (const line of lines) change(line, isTossed);
  return element("details.hand", element("summary", words("hand.linked.title")),
    element("p", words("hand.linked.why")),
    element("ol", ...["coin.first", "linked.tails", "linked.heads"].map((part) => element("li", words(`hand.${part}`)))),
    element("p.hint", words("hand.coin.legend")),
    ...lines.map(({ asked, nodes, error }) => element("fieldset", { role: "radiogroup" }, element("legend", text(asked.question.wording)), ...nodes, error)));
}

/** No word is drawn for what coins have decided. @param {{ asked: Asked, error: HTMLElement } & ReturnType<Radios>} line @param {() => boolean} isTossed */
function change({ asked, error, inputs, read }, isTossed) {
  const [lacks, draw] = [asked.lacks.bind(asked), asked.draw.bind(asked)];
  const { controls, question: { columns: [column] } } = asked;
  asked.entered = () => read().answer !== undefined;
  asked.inputs = [...asked.inputs, ...inputs];
  asked.controls = { ...controls, get inputs() { return isTossed() ? inputs : controls.inputs; } };
  asked.lacks = () => {
    const { problem } = isTossed() ? read() : {};
    error.hidden = !problem;
    error.replaceChildren();
    problem?.(error);
    return isTossed() ? Boolean(problem) : lacks();
  };
  asked.draw = () => {
    const { answer } = read();
    unmark(inputs);
    return answer === undefined ? draw() : { reports: { [column?.name ?? ""]: answer }, picture: null, said: words("hand.coin.said") };
  };
}
