/** One box of the survey as a picture: the wheel that every answer meets, the people, and the three counts side by side. */

import { element } from "../../page/page.js";
import { spinnerCoin, weights } from "../../theory/response.js";
import { crowd } from "../crowd.js";
import { cast } from "../people.js";
import { spinnable } from "../wheel.js";
import { number, percent, say } from "../words.js";
import { bars, tenth } from "./bars.js";

/** @typedef {import("./play.js").Box} Box */

const NUMBERS = 150; // pixels beside the bars

/** What is drawn of a run: a box, its name, how many people were asked, and the epsilon that sets the wheel. @typedef {{box: Box, name: string, respondents: number, epsilon: number}} Run */

export function picture() {
  const wheel = spinnable("spinner_coin");
  const bright = element("p.hint", { "data-value": "bright" });
  const shown = crowd(say("crowd"));
  const scale = element("p.hint", { "data-value": "scale" });
  const trio = element("div.trios");
  let turned = 0;

  /** @param {Run} run */
  function setWheel({ epsilon }) {
    if (epsilon === turned) return;
    turned = epsilon;
    wheel.show(weights(epsilon));
    bright.textContent = say("bright", { epsilon: number(epsilon), percent: percent(spinnerCoin(epsilon)) });
  }

  /** The wheel, the words and the bars, and the dots of the people. @param {Run} run */
  function around(run) {
    const { box, name, respondents } = run;
    setWheel(run);
    trio.replaceChildren(...bars([name], [box], trio.clientWidth - NUMBERS, respondents));
    const dots = cast([[respondents - box.original - box.noisy + box.both, box.noisy - box.both], [box.original - box.both, box.both]]);
    const each = respondents / dots.answers.length;
    scale.textContent = each > 1 ? say("scale", { n: number(each) }) : say("one");
    return { ...dots, each };
  }

  /** @param {Run} run @param {number} each */
  function found({ box, respondents }, each) {
    const { noisy, estimated, low, high } = box;
    shown.heads([say("heads.noisy", { count: number(noisy) }), say("heads.rest", { count: number(respondents - noisy) })]);
    shown.mark({ at: estimated / each, low: low / each, high: high / each });
    shown.say(say("found", { estimated: tenth(estimated), low: tenth(low), high: tenth(high) }));
  }

  return {
    node: element("div.picture-of-run", element("div", wheel.node, bright), element("div", shown.node, scale), trio),

    /** Where everything ends. @param {Run} run */
    show(run) {
      const { reports, each } = around(run);
      const yes = reports.filter(Boolean).length;
      const sorted = reports.map((_, dot) => /** @type {0 | 1} */ (dot < yes ? 1 : 0)); // so that few dots change from run to run
      shown.people(sorted, sorted);
      found(run, each);
    },

    /** The way there: what everybody would tick, what is recorded of it, the two blocks, and the estimate. @param {Run} run */
    async play(run) {
      const { answers, reports, each } = around(run);
      const { box, name, respondents } = run;
      shown.people(answers);
      shown.heads([say("heads.original", { count: number(box.original) }), say("heads.rest", { count: number(respondents - box.original) })]);
      shown.say(say("meet", { name, n: number(respondents), original: number(box.original) }));
      if (!await shown.turn(reports)) return;
      if (await shown.sort(reports)) found(run, each);
    },
  };
}
