/** One person of the simulation, followed through both steps: the wheel, and the coin where the wheel stops on its dark side. */

import { drawWord, TOTAL } from "../../chance/randomize.js";
import { element } from "../../page/page.js";
import { button } from "../controls/controls.js";
import { say } from "../words.js";

/** @param {ReturnType<typeof import("../drawing/spinnable_wheel.js").spinnable>} wheel the wheel that the person's answer meets */
export function followed(wheel) {
  const steps = element("ol.person", { role: "status", "data-value": "person" });
  let name = "";
  let share = 0;
  const words = (/** @type {number} */ answer) => say(answer ? "person.yes" : "person.no");

  async function follow() {
    const answer = Number(drawWord() < share * TOTAL); // made up, like everybody here
    const line = (/** @type {string} */ text) => steps.append(element("li", text));
    steps.replaceChildren();
    line(say("person.answer", { name, answer: words(answer) }));
    const spun = await wheel.spin(answer);
    if (!spun) return;
    const report = words(spun.report);
    line(say(spun.bright ? "person.bright" : "person.dark"));
    line(spun.bright ? say("person.kept") : say("person.tossed", { report }));
    line(say("person.sent", { report }));
  }

  return {
    node: element("div.followed", button(say("person.follow"), follow, "plain", "follow"), steps),

    /** The box that the next person answers, and how many in the population tick it. @param {string} box @param {number} ticking */
    of(box, ticking) {
      [name, share] = [box, ticking];
      steps.replaceChildren();
    },
  };
}
