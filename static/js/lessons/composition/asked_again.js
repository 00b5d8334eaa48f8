/** The same person, asked the same question again and again; and the one draw that is kept. */

import { randomize } from "../../chance/randomize.js";
import { element } from "../../page/page.js";
import { belief, majorityRight } from "../../theory/composition.js";
import { weights } from "../../theory/response.js";
import { bounds } from "../../theory/suspicion.js";
import { inHundred, inHundredAtMost } from "../rounding.js";
import { button, choices, controls } from "../controls/controls.js";
import { grow } from "../drawing/grow.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { drawWords } from "../random.js";
import { tell } from "../drawing/renew.js";
import { number, say } from "../words.js";
import { inside, steps } from "./steps.js";
import { MOST, walk } from "./walk.js";

const RARE = 1e-6;
const KEPT = 3; // former walks
const LONG = 1200; // milliseconds that many reports take

const chart = plot(say("again.caption"), 0.62, { tableCaption: say("again.table") });
const outcome = element("p.outcome", { role: "status", "data-value": "again" });
const told = element("p.outcome", { role: "status", "data-value": "kept" });
/** @type {number[]} */
let reports = [];
/** @type {XY[][]} */
let former = [];
let answer = 1;
let epsilon = 0.5;
let run = 0; // what is under way ends when something else begins

/** @param {number} [share] of the walk, while it grows */
function show(share = 1) {
  const m = reports.length;
  const said = reports.map((_, index) => belief(0.5, epsilon, yes(index + 1), index + 1));
  tell(outcome, m
    ? say(m === 1 ? "again.first" : "again.outcome", { n: m, yes: yes(m), belief: sure(said.at(-1) ?? 0.5), bound: sure(bounds(0.5, m * epsilon)[1], inHundredAtMost), right: sure(majorityRight(epsilon, m)) })
    : say("again.none")); // once, and not again with every step that the walk grows
  chart.draw({
    name: outcome.textContent ?? "",
    ...walk({ reports, epsilon, answer, former, share }),
    table: m ? () => ({ head: [say("again.reports"), say("again.report"), say("again.belief")],
      rows: reports.map((report, index) => [number(index + 1), say(`answer.${report}`), sure(said[index] ?? 0.5)]) }) : undefined,
  });
}

/** How many of the first reports said yes. @param {number} first */
const yes = (first) => reports.slice(0, first).reduce((sum, report) => sum + report, 0);

/** So many in 100, and neither 0 nor 100. @param {number} share @param {(share: number) => string} [written] */
function sure(share, written = inHundred) {
  if (share > 1 - RARE) return say("again.over", { most: inHundred(1 - RARE) });
  if (share < RARE) return say("again.under", { least: inHundred(RARE) });
  return written(share);
}

/** @param {number} times */
function ask(times) {
  told.textContent = "";
  const before = reports.length;
  for (const word of drawWords(Math.min(times, MOST - before))) reports.push(randomize(weights(epsilon), answer, word));
  if (before === MOST) told.textContent = say("again.enough", { n: MOST });
  run += 1;
  const mine = run;
  if (reports.length - before < 2) show();
  else grow(LONG, (share) => (mine === run ? show((before + share * (reports.length - before)) / reports.length) : false));
}

function askAll() {
  if (reports.length === MOST) begin();
  ask(MOST);
}

function reload() {
  const [first] = reports;
  told.textContent = first === undefined ? say("again.none") : say("again.kept", { report: say(`answer.${first}`) });
}

/** The walk that was is still seen, faintly. @param {boolean} [same] with the same epsilon and answer */
function begin(same = true) {
  run += 1;
  former = same ? [...(reports.length ? [inside(steps(reports, epsilon))] : []), ...former].slice(0, KEPT) : [];
  reports = [];
  told.textContent = "";
  show();
}

const panel = controls({ again_epsilon: { label: say("again.epsilon"), min: 0.1, max: 2, step: 0.05, value: epsilon } },
  (values) => { epsilon = values.again_epsilon; begin(false); }, [part("again-result")]);
part("again-controls").append(panel.node,
  choices("answer", say("again.made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); begin(false); }),
  element("div.toolbar", button(say("again.ask"), () => ask(1), "", "ask"), button(say("again.all", { n: MOST }), askAll, "plain", "all"),
    button(say("again.reload"), reload, "plain", "reload"), button(say("again.begin"), () => begin(), "plain", "begin")));
part("again-result").append(chart.node, outcome, told); // the words grow, and the picture stays where it is
