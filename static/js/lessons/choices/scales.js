/** What the scale of the textbooks and the tight one lose and keep, and the wheel, for any number of options. */

import { element } from "../../page/page.js";
import { exponentialChances, squaredDistance, textbookScale, tightScale, wheelChances } from "../../theory/exponential.js";
import { epsilonOf } from "../../theory/response.js";
import { atMost, inHundred } from "../rounding.js";
import { controls } from "../controls/controls.js";
import { part } from "../places.js";
import { dataTable } from "../data_table.js";
import { fixed, say } from "../words.js";

const table = element("div", { "data-value": "scales" });

/** @param {{options: number, options_epsilon: number}} values */
function show({ options, options_epsilon: epsilon }) {
  const middle = Math.floor((options - 1) / 2);
  const row = (/** @type {"tight" | "textbook" | "wheel"} */ which, /** @type {string} */ scale, /** @type {readonly (readonly number[])[]} */ chances) => (
    [say(`scale.${which}`), scale, atMost(epsilonOf(chances), 3), inHundred(chances[middle]?.[middle] ?? 0), fixed(Math.sqrt(squaredDistance(chances, middle)), 2)]);
  const scored = (/** @type {"tight" | "textbook"} */ which, /** @type {number} */ scale) => row(which, fixed(scale, 4), exponentialChances(options, scale));
  const rows = [
    scored("tight", tightScale(options, epsilon)),
    scored("textbook", textbookScale(options, epsilon)),
    row("wheel", "–", wheelChances(options, epsilon)),
  ];
  table.replaceChildren(dataTable(say("scale.caption"), ["", say("scale.weight"), say("scale.loss"), say("scale.kept"), say("scale.off")], rows));
}

const panel = controls({
  options: { label: say("scale.options"), min: 2, max: 10, step: 1, whole: true, value: 5 },
  options_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: 1 },
}, show, [part("scales-result")]);
part("scales-controls").append(panel.node);
part("scales-result").append(table);
