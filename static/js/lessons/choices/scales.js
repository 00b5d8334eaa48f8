/** What the scale of the textbooks and the tight one lose and keep, for any number of options. */

import { element } from "../../page/page.js";
import { exponentialChances, squaredDistance, textbookScale, tightScale } from "../../theory/exponential.js";
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
  const scales = { tight: tightScale(options, epsilon), textbook: textbookScale(options, epsilon) };
  const rows = /** @type {const} */ (["tight", "textbook"]).map((which) => {
    const chances = exponentialChances(options, scales[which]);
    return [say(`scale.${which}`), fixed(scales[which], 4), atMost(epsilonOf(chances), 3), inHundred(chances[middle]?.[middle] ?? 0), fixed(Math.sqrt(squaredDistance(chances, middle)), 2)];
  });
  table.replaceChildren(dataTable(say("scale.caption"), ["", say("scale.weight"), say("scale.loss"), say("scale.kept"), say("scale.off")], rows));
}

const panel = controls({
  options: { label: say("scale.options"), min: 2, max: 10, step: 1, whole: true, value: 5 },
  options_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: 1 },
}, show, [part("scales-result")]);
part("scales-controls").append(panel.node);
part("scales-result").append(table);
