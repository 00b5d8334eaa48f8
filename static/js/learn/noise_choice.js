/** The exponential mechanism: how likely every choice is, when one is the answer. */

import { element } from "../element.js";
import { exponentialChances, squaredDistance, textbookScale, tightScale } from "../theory/exponential.js";
import { epsilonOf } from "../theory/response.js";
import { controls } from "./controls.js";
import { bar, dot, label } from "./marks.js";
import { figure } from "./noise_parts.js";
import { part } from "./parts.js";
import { plot } from "./plot.js";
import { ticks } from "./scale.js";
import { dataTable } from "./tables.js";
import { fixed, number, percent, say } from "./words.js";

const chart = plot(say("choice.caption"), 0.55);
const table = element("div", { "data-value": "scales" });
let answer = 2;
let now = { choices: 5, choice_epsilon: 1 };

/** @param {typeof now} values */
function show(values) {
  now = values;
  const { choices, choice_epsilon: epsilon } = values;
  answer = Math.min(answer, choices);
  const scales = { tight: tightScale(choices, epsilon), textbook: textbookScale(choices, epsilon) };
  const tables = { tight: exponentialChances(choices, scales.tight), textbook: exponentialChances(choices, scales.textbook) };
  drawChances(tables.tight[answer - 1] ?? [], tables.textbook[answer - 1] ?? []);
  const rows = /** @type {const} */ (["tight", "textbook"]);
  table.replaceChildren(dataTable(say("choice.table"), ["", say("choice.scale"), say("choice.loss"), say("choice.kept"), say("choice.off")],
    rows.map((which) => [say(`choice.${which}`), figure(scales[which]), fixed(epsilonOf(tables[which]), 3),
      percent(tables[which][answer - 1]?.[answer - 1] ?? 0), figure(Math.sqrt(squaredDistance(tables[which], answer - 1)))])));
}

/** @param {readonly number[]} tight @param {readonly number[]} textbook */
function drawChances(tight, textbook) {
  const places = tight.map((chance, index) => ({ place: index + 1, chance, plain: textbook[index] ?? 0 }));
  const most = Math.max(...tight);
  chart.draw({
    name: say("choice.name", { answer, chance: percent(tight[answer - 1] ?? 0), least: percent(Math.min(...tight)) }),
    x: { title: say("choice.reported"), from: 0.4, to: tight.length + 0.6, ticks: places.map(({ place }) => place) },
    y: { title: say("choice.chance"), from: 0, to: Math.min(1, 1.25 * most), ticks: ticks({ title: "", from: 0, to: most }, 4), format: (value) => percent(value) },
    marks: [...places.flatMap(({ place, chance, plain }) => [
      bar({ x: place, y: chance, width: 0.6, look: place === answer ? "bright" : "dark" }), dot([place, plain], "soft")]),
    label({ text: say("choice.answer_mark"), at: [answer, most], dy: -20, anchor: "middle" })],
    handles: [{ label: say("choice.answer"), at: [answer, tight[answer - 1] ?? 0], min: 1, max: tight.length, step: 1,
      say: (value) => number(value), move: (value) => { answer = value; show(now); } }],
    table: { head: [say("choice.reported"), say("choice.tight"), say("choice.textbook")],
      rows: places.map(({ place, chance, plain }) => [number(place), fixed(chance, 4), fixed(plain, 4)]) },
  });
}

const panel = controls({
  choices: { label: say("choice.choices"), min: 2, max: 10, step: 1, whole: true, value: now.choices },
  choice_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: now.choice_epsilon },
}, show, [part("choice-result")]);
part("choice-controls").append(panel.node);
part("choice-result").append(chart.node, table);
