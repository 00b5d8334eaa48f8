/** One answer: the wheel turns, and what is recorded could have come from either answer. */

import { button, element } from "../page/page.js";
import { CHANCES, CHANNEL } from "../lessons/two_coins/survey.js";
import { spinnable } from "../lessons/drawing/spinnable_wheel.js";
import { number, say } from "../lessons/words.js";

const EXAMPLE = 1; // Yes
const QUICK = 4; // times as fast as a spin of the reader's own: with the time to load, it has come out within two seconds

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
    recorded.textContent = say("result", { report: say(`answer.${report}`) });
    could.textContent = say("could", {
      report: say(`answer.${report}`), other: say(`answer.${1 - report}`), same: of(report, report), different: of(1 - report, report) });
    onward.hidden = false;
  }

  /** Nobody has to press to see what the wheel does: it turns once, in the page. */
  async function example() {
    const result = await wheel.spin(EXAMPLE, QUICK);
    if (!result) return; // somebody has pressed
    const { report } = result;
    recorded.textContent = say("result", { report: say(`answer.${report}`) });
    could.textContent = say("example", { answer: say(`answer.${EXAMPLE}`), report: say(`answer.${report}`), own: of(EXAMPLE, report), other: of(1 - EXAMPLE, report) });
  }

  const node = element("div.spinning", element("div.toolbar.answers", ...answers), wheel.node, element("div.outcome-space", said, onward));
  return { node, example };
}

/** Of a hundred people with an answer, how many send a report. @param {number} answer @param {number} report */
const of = (answer, report) => number(100 * (CHANCES[answer]?.[report] ?? 0));

/** Whether somebody wants less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
