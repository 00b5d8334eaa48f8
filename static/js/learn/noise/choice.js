/** The exponential mechanism: how likely every choice is, when one is the answer. */

import { element } from "../../page/page.js";
import { exponentialChances, scores, squaredDistance, textbookScale, tightScale } from "../../theory/exponential.js";
import { epsilonOf } from "../../theory/response.js";
import { nearly } from "../certainty.js";
import { controls } from "../controls.js";
import { bar, dot, label } from "../marks.js";
import { figure } from "./parts.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { ticks } from "../scale.js";
import { dataTable } from "../tables.js";
import { fixed, number, percent, say } from "../words.js";

const chart = plot(say("choice.caption"), 0.55, { tableCaption: say("choice.chances"), hint: say("choice.hint") });
const table = element("div", { "data-value": "scales" });
let answer = 2;
let now = { choices: 5, choice_epsilon: 1 };

/** @param {typeof now} values */
function show(values) {
  now = values;
  const { choices, choice_epsilon: epsilon } = values;
  answer = Math.min(answer, choices);
  const scales = { solved: tightScale(choices, epsilon), classical: textbookScale(choices, epsilon) };
  const tables = { solved: exponentialChances(choices, scales.solved), classical: exponentialChances(choices, scales.classical) };
  drawChances(tables.solved[answer - 1] ?? [], tables.classical[answer - 1] ?? []);
  const rows = /** @type {const} */ (["solved", "classical"]);
  table.replaceChildren(dataTable(say("choice.table"), ["", say("choice.scale"), say("choice.loss"), say("choice.kept"), say("choice.off")],
    rows.map((which) => [say(`choice.${which}`), figure(scales[which]), fixed(epsilonOf(tables[which]), 3),
      nearly(tables[which][answer - 1]?.[answer - 1] ?? 0), figure(Math.sqrt(squaredDistance(tables[which], answer - 1)))])));
}

/** @param {readonly number[]} solved @param {readonly number[]} classical */
function drawChances(solved, classical) {
  const score = scores(solved.length)[answer - 1] ?? [];
  const places = solved.map((chance, index) => ({ place: index + 1, score: score[index] ?? 0, chance, plain: classical[index] ?? 0 }));
  const most = Math.max(...solved);
  chart.draw({
    name: say("choice.name", { answer, chance: nearly(solved[answer - 1] ?? 0), least: nearly(Math.min(...solved)) }),
    x: { title: say("choice.reported"), from: 0.4, to: solved.length + 0.6, ticks: places.map(({ place }) => place) },
    y: { title: say("choice.chance"), from: 0, to: Math.min(1, 1.25 * most), ticks: ticks({ title: "", from: 0, to: most }, 4), format: (value) => percent(value) },
    marks: [...places.flatMap(({ place, chance, plain }) => [
      bar({ x: place, y: chance, width: 0.6, look: place === answer ? "bright" : "dark" }), dot([place, plain], "soft")]),
    label({ text: say("choice.answer_mark"), at: [answer, most], dy: -20, anchor: "middle" })],
    handles: [{ label: say("choice.answer"), at: [answer, solved[answer - 1] ?? 0], min: 1, max: solved.length, step: 1,
      say: (value) => number(value), move: (value) => { answer = value; show(now); } }],
    table: { head: [say("choice.reported"), say("choice.score"), say("choice.solved"), say("choice.classical")],
      rows: places.map(({ place, score: u, chance, plain }) => [number(place), number(u).replace("-", "−"), nearly(chance), nearly(plain)]) },
  });
}

const panel = controls({
  choices: { label: say("choice.choices"), min: 2, max: 10, step: 1, whole: true, value: now.choices },
  choice_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: now.choice_epsilon },
}, show, [part("choice-result")]);
part("choice-controls").append(panel.node);
part("choice-result").append(chart.node, table);
