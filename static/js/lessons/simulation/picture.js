/** One box of the survey as a picture: the wheel that every answer meets, the people, and the three counts side by side. */

import { element } from "../../page/page.js";
import { spinnerCoin, weights } from "../../theory/response.js";
import { inPercent } from "../rounding.js";
import { crowd } from "../drawing/crowd.js";
import { cast, MOST } from "../drawing/people.js";
import { tell } from "../drawing/renew.js";
import { spinnable } from "../drawing/spinnable_wheel.js";
import { number, say } from "../words.js";
import { barsIn, impossible, people } from "./bars.js";
import { followed } from "./one_person.js";

/** @typedef {import("./play.js").Box} Box */

/** What is drawn of a run: a box, its name, how many people were asked, and the epsilon that sets the wheel. @typedef {{box: Box, name: string, respondents: number, epsilon: number}} Run */

/** Of more people each dot stands for several. @param {Run} run */
const dotsOf = ({ respondents }) => Math.min(MOST, respondents);

export function picture() {
  const wheel = spinnable("spinner_coin");
  const bright = element("p.hint", { "data-value": "bright" });
  const person = followed(wheel);
  const shown = crowd(say("crowd"));
  const scale = element("p.hint", { "data-value": "scale" });
  const trio = element("div.trios");
  const drawBars = barsIn(trio);
  let turned = 0;
  let stands = ""; // the run whose end is shown

  /** @param {Run} run */
  function setWheel({ epsilon }) {
    if (epsilon === turned) return;
    turned = epsilon;
    wheel.show(weights(epsilon));
    tell(bright, say("bright", { epsilon: number(epsilon), percent: inPercent(spinnerCoin(epsilon)) }));
  }

  /** The wheel, the words and the bars. @param {Run} run */
  function around(run) {
    const { box, name, respondents } = run;
    setWheel(run);
    drawBars([name], [box], respondents);
    person.of(name, box.share);
    const each = respondents / dotsOf(run);
    tell(scale, each > 1 ? say("scale", { n: number(each) }) : say("one"));
  }

  /** @param {Run} run */
  function showEstimate(run) {
    const { box, name, respondents } = run;
    const each = respondents / dotsOf(run);
    const { noisy, estimated, low, high } = box;
    shown.heads([say("heads.noisy", { count: number(noisy) }), say("heads.rest", { count: number(respondents - noisy) })]);
    shown.mark({ at: estimated / each, low: low / each, high: high / each });
    shown.say([say("found", { estimated: people(estimated), low: people(low), high: people(high) }),
      impossible(box, respondents) ? say("outside", { boxes: name, respondents: number(respondents) }) : ""].join(" ").trim());
  }

  return {
    node: element("div.picture-of-run", element("div", wheel.node, bright), person.node, element("div", shown.node, scale), trio),

    /** Where everything ends. @param {Run} run */
    show(run) {
      const before = stands;
      stands = JSON.stringify(run);
      if (stands === before) return; // another box has changed
      around(run);
      const [dots, { box, respondents }] = [dotsOf(run), run];
      const yes = Math.round(dots * box.noisy / respondents);
      const sorted = Array.from({ length: dots }, (_, dot) => /** @type {0 | 1} */ (dot < yes ? 1 : 0)); // so that few dots change from run to run
      shown.people(sorted, sorted);
      showEstimate(run);
    },

    /** The way there: what everybody would tick, what is recorded of it, the two blocks, and the estimate. @param {Run} run */
    async play(run) {
      stands = "";
      around(run);
      const { box, name, respondents } = run;
      const { answers, reports } = cast([[respondents - box.original - box.noisy + box.both, box.noisy - box.both], [box.original - box.both, box.both]]);
      shown.people(answers);
      shown.heads([say("heads.original", { count: number(box.original) }), say("heads.rest", { count: number(respondents - box.original) })]);
      shown.say(say("meet", { name, n: number(respondents), original: number(box.original) }));
      if (!await shown.turn(reports)) return;
      if (await shown.sort(reports)) showEstimate(run);
    },
  };
}
