/** One answer: the wheel turns, and what is recorded could have come from either answer. */

import { button, element } from "../page/page.js";
import { CHANCES, CHANNEL } from "../lessons/two_coins/survey.js";
import { spinnable } from "../lessons/drawing/spinnable_wheel.js";
import { number, say } from "../lessons/words.js";

/** @param {() => void} next what goes on with two hundred people */
export function oneAnswer(next) {
  const wheel = spinnable("spinner_coin");
  const recorded = element("p.recorded", { "data-value": "recorded" });
  const could = element("p", { "data-value": "could" }, say("before"));
  const onward = button("next", "next", next, ".plain.small");
  const said = element("div.said", { role: "status" }, recorded, could);
  const answers = [1, 0].map((answer) => element(
    "button.button.answer", { type: "button", "data-answer": answer, "aria-pressed": "false", onclick: () => void ask(answer) }, say(`answer.${answer}`)));
  onward.hidden = true;
  wheel.show(CHANNEL);

  /** @param {number} answer */
  async function ask(answer) {
    for (const each of answers) each.ariaPressed = String(each.dataset["answer"] === String(answer));
    recorded.textContent = say("spinning");
    node.closest("section")?.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" }); // all of it, on a phone
    could.textContent = "";
    const result = await wheel.spin(answer);
    if (!result) return;
    const { report } = result;
    const of = (/** @type {number} */ truth) => number(100 * (CHANCES[truth]?.[report] ?? 0));
    recorded.textContent = say("result", { report: say(`answer.${report}`) });
    could.textContent = say("could", {
      report: say(`answer.${report}`), other: say(`answer.${1 - report}`), same: of(report), different: of(1 - report) });
    onward.hidden = false;
  }

  const node = element("div.spinning", element("div.toolbar.answers", ...answers), wheel.node, element("div.outcome-space", said, onward));
  return node;
}

/** Whether somebody wants less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
