/** Spinner and coin: the wheel to scale, the chances that follow from it, one spin and a thousand. */

import { element } from "../../page/page.js";
import { epsilonOf, spinnerCoin, spinnerCoinChances, weights } from "../../theory/response.js";
import { chanceTable } from "../chances.js";
import { button, choices, controls } from "../controls.js";
import { bar, curve, label, line } from "../marks.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { fixed, number, percent, say } from "../words.js";
import { spinnable } from "../wheel.js";

const SPINS = 1000;
const RANGE = { min: 0.05, max: 6, step: 0.05 };
const CURVE = Array.from({ length: 120 }, (_, index) => 0.05 + index * 0.05).map((epsilon) => /** @type {XY} */ ([epsilon, spinnerCoin(epsilon)]));

const wheel = spinnable("spinner_coin");
const chances = element("div");
const share = element("p.outcome", { "data-value": "p" });
const shares = plot(say("curve.caption"), 0.5, { hint: say("curve.hint") });
const spun = element("p.outcome", { role: "status", "data-value": "spun" });
const counted = plot("", 0.5);
let answer = 1;
let epsilon = 1;

/** @param {{epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  const p = spinnerCoin(epsilon);
  share.textContent = say("share", { epsilon: number(epsilon), p: fixed(p, 4), percent: percent(p) });
  chances.replaceChildren(chanceTable(say("chances.caption", { epsilon: fixed(epsilonOf(spinnerCoinChances(p)), 3) }), spinnerCoinChances(p)));
  drawCurve(p);
  clear();
}

/** A wheel that has not been spun, with this epsilon and this answer. */
function clear() {
  wheel.show(weights(epsilon));
  spun.textContent = "";
  counted.node.hidden = true;
}

/** @param {number} p */
function drawCurve(p) {
  shares.draw({
    name: say("curve.name", { epsilon: number(epsilon), p: fixed(p, 4) }),
    x: { title: say("epsilon"), from: 0, to: RANGE.max },
    y: { title: say("curve.p"), from: 0, to: 1 },
    marks: [curve([[0, 0], ...CURVE]), line([epsilon, 0], [epsilon, p]), line([0, p], [epsilon, p]),
      label({ text: fixed(p, 3), at: [epsilon, p], dx: 14, dy: 22 })],
    handles: [{ label: say("epsilon"), at: [epsilon, p], ...RANGE, say: (value) => number(value), move: (value) => panel.set("epsilon", value) }],
    table: { head: [say("epsilon"), say("curve.p")],
      rows: [0.1, 0.5, 1, 2, 4, 6].map((each) => [number(each), fixed(spinnerCoin(each), 4)]) },
  });
}

async function spinOnce() {
  spun.textContent = "";
  const result = await wheel.spin(answer);
  if (!result) return;
  const report = say(`answer.${result.report}`);
  const how = say(result.kept ? "kept" : "mechanism.spinner_coin.chance", { report });
  spun.textContent = `${how} ${say("result.recorded", { report })}.`;
}

function spinMany() {
  const [no, yes] = wheel.many(answer, SPINS);
  const expected = spinnerCoinChances(spinnerCoin(epsilon))[answer] ?? [];
  const rows = [{ report: 1, count: yes }, { report: 0, count: no }].map(({ report, count }, place) => (
    { words: say(`answer.${report}`), count, expected: SPINS * (expected[report] ?? 0), place: place + 1 }));
  const said = rows.map(({ words, count, expected: mean }) => say("counts.row", { report: words, count: number(count), expected: number(mean, 1) }));
  const spins = say("counts.spins", { n: number(SPINS), answer: say(`answer.${answer}`) });
  counted.node.hidden = false;
  counted.draw({
    caption: `${spins} ${say("counts.caption")}`,
    name: said.join(" "),
    x: { title: say("counts.recorded"), from: 0.4, to: 2.6, ticks: [1, 2], format: (value) => rows[value - 1]?.words ?? "" },
    y: { title: say("counts.count"), from: 0, to: SPINS },
    marks: rows.flatMap(({ count, expected: mean, place }) => [
      bar({ x: place, y: count, width: 0.55, look: place === 1 ? "bright" : "dark" }),
      line([place - 0.42, mean], [place + 0.42, mean], "accent", 0),
      label({ text: number(count), at: [place, Math.max(count, mean)], dy: -10, anchor: "middle" })]),
    table: { caption: spins, head: [say("counts.recorded"), say("counts.count"), say("counts.expected")],
      rows: rows.map(({ words, count, expected: mean }) => [words, number(count), number(mean, 1)]) },
  });
  spun.textContent = said.join(" ");
}

const panel = controls({ epsilon: { label: say("epsilon"), hint: say("hint"), ...RANGE, value: epsilon } }, show, [part("result")]);
part("controls").append(panel.node,
  choices("answer", say("made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); clear(); }),
  element("div.toolbar", button(say("once"), spinOnce, "", "once"), button(say("many", { n: number(SPINS) }), spinMany, "plain", "many")));
part("result").append(element("div.beside", wheel.node, element("div", share, chances)), spun, counted.node, shares.node);
