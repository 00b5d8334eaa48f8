/** The same person, asked the same question again and again; and the one draw that is kept. */

import { randomize } from "../../chance/randomize.js";
import { element } from "../../page/page.js";
import { belief, majorityRight } from "../../theory/composition.js";
import { weights } from "../../theory/response.js";
import { bounds } from "../../theory/suspicion.js";
import { nearly, nearlyAtMost } from "../certainty.js";
import { button, choices, controls } from "../controls.js";
import { curve, dot, label } from "../marks.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { drawWords } from "../random.js";
import { number, percent, say } from "../words.js";

const MOST = 40; // reports
const FEWEST = 10; // of them have room at once
const RARE = 1e-6;
const THREE = 1.0986; // ln 3, as it is typed

const chart = plot(say("again.caption"), 0.55, { tableCaption: say("again.table") });
const outcome = element("p.outcome", { "data-value": "again" });
const told = element("p.outcome", { role: "status", "data-value": "kept" });
/** @type {number[]} */
let reports = [];
let answer = 1;
let epsilon = THREE;

function show() {
  const k = reports.length;
  const said = reports.map((_, index) => belief(0.5, epsilon, yes(index + 1), index + 1));
  const last = said.at(-1) ?? 0.5;
  const room = Math.max(FEWEST, k);
  const highest = Array.from({ length: room + 1 }, (_, index) => /** @type {XY} */ ([index, index ? bounds(0.5, index * epsilon)[1] : 0.5]));
  outcome.textContent = k
    ? say(k === 1 ? "again.first" : "again.outcome", { n: k, yes: yes(k), belief: sure(last), bound: sure(bounds(0.5, k * epsilon)[1], nearlyAtMost), right: sure(majorityRight(epsilon, k)) })
    : say("again.none");
  chart.draw({
    name: outcome.textContent,
    x: { title: say("again.reports"), from: 0, to: room },
    y: { title: say("again.belief"), from: 0, to: 1, ticks: [0, 0.5, 1], format: (value) => percent(value) },
    marks: [curve(highest, "soft", 2), curve(highest.map(([x, y]) => [x, 1 - y]), "soft", 2),
      label({ text: say("again.bound"), at: [room * 0.55, 1], dy: -8 }),
      curve([[0, 0.5], ...said.map((each, index) => /** @type {XY} */ ([index + 1, each]))], "ink"),
      ...said.map((each, index) => dot([index + 1, each], reports[index] ? "bright" : "dark"))],
    table: { head: [say("again.reports"), say("again.report"), say("again.belief")],
      rows: reports.map((report, index) => [number(index + 1), say(`answer.${report}`), sure(said[index] ?? 0.5)]) },
  });
}

/** How many of the first reports said yes. @param {number} first */
const yes = (first) => reports.slice(0, first).reduce((sum, report) => sum + report, 0);

/** A percentage that does not say 0 or 100, for it is neither. @param {number} share @param {(share: number) => string} [written] */
function sure(share, written = nearly) {
  if (share > 1 - RARE) return say("again.over", { percent: percent(1 - RARE, 4) });
  if (share < RARE) return say("again.under", { percent: percent(RARE, 4) });
  return written(share);
}

/** @param {number} times */
function ask(times) {
  told.textContent = "";
  const words = drawWords(Math.min(times, MOST - reports.length));
  for (const word of words) reports.push(randomize(weights(epsilon), answer, word));
  if (!words.length) told.textContent = say("again.enough", { n: MOST });
  show();
}

function reload() {
  const [first] = reports;
  told.textContent = first === undefined ? say("again.none") : say("again.kept", { report: say(`answer.${first}`) });
}

function begin() {
  reports = [];
  told.textContent = "";
  show();
}

const panel = controls({ again_epsilon: { label: say("sum.epsilon"), min: 0.05, max: 4, step: 0.05, value: epsilon } },
  (values) => { epsilon = values.again_epsilon; begin(); }, [part("again-result")]);
part("again-controls").append(panel.node,
  choices("answer", say("again.made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); begin(); }),
  element("div.toolbar", button(say("again.ask"), () => ask(1), "", "ask"), button(say("again.ten"), () => ask(10), "plain", "ten"),
    button(say("again.reload"), reload, "plain", "reload"), button(say("again.begin"), begin, "plain", "begin")));
part("again-result").append(outcome, told, chart.node);
