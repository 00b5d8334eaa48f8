/** Reports made for a purpose: which days each names, one that is drawn, and the curve that three thousand people give. */

import "./purposes.js";
import { drawWord, walk } from "../../chance/randomize.js";
import { element } from "../../page/page.js";
import { button, choices, controls } from "../controls/controls.js";
import { grow } from "../drawing/grow.js";
import { plot } from "../drawing/plot.js";
import { part } from "../places.js";
import { drawWords } from "../random.js";
import { fixed, number, say } from "../words.js";
import { CHANNELS, PURPOSES, reported, TIMES, WANTS } from "./channels.js";
import { cumulative, PEOPLE } from "./cumulative.js";
import { reports } from "./reports.js";

const GROWS = 2600; // milliseconds
const RUNS = 900; // while a mark runs over the reports
const FEWEST = 100; // reports with which a curve begins

const list = reports();
const chart = plot(say("curve.caption"), 0.5, { tableCaption: say("curve.table") });
const needs = element("p.outcome", { "data-value": "needs" });
const outcome = element("p.outcome", { role: "status", "data-value": "drawn" });
/** @type {import("./channels.js").Purpose} */
let purpose = "curve";
let answer = 2;
let run = 0; // what is under way ends when something else begins

function show() {
  run += 1;
  list.show(purpose, answer, null);
  chart.draw(cumulative(purpose, []));
  outcome.textContent = "";
  needs.textContent = say("needs", Object.fromEntries(WANTS.map((want, place) => [want, fixed(TIMES[purpose][place] ?? 0, 1)])));
}

async function draw() {
  const now = ++run;
  const report = walk(CHANNELS[purpose].weights[answer] ?? [], drawWord());
  const days = CHANNELS[purpose].sets[report] ?? [];
  outcome.textContent = "";
  const whole = await grow(RUNS, (share) => {
    if (run !== now) return false;
    list.show(purpose, answer, null, share);
    return true;
  });
  if (!whole) return;
  list.show(purpose, answer, days.length ? report : null);
  outcome.textContent = say(days.includes(answer) ? "drawn.with" : "drawn.without", { answer: number(answer), days: days.map((day) => number(day)).join(", ") });
}

async function ask() {
  const now = ++run;
  const all = reported(purpose, drawWords(2 * PEOPLE));
  outcome.textContent = "";
  const whole = await grow(GROWS, (share) => {
    if (run !== now) return false;
    chart.draw(cumulative(purpose, all.slice(0, FEWEST + Math.round(share * (PEOPLE - FEWEST)))));
    return true;
  });
  if (whole) outcome.textContent = chart.node.querySelector("svg")?.getAttribute("aria-label") ?? "";
}

const panel = controls({ answer: { label: say("answer_of"), min: 0, max: 7, step: 1, whole: true, value: answer } }, (values) => { ({ answer } = values); show(); }, [part("result")]);
part("controls").append(
  choices("made", say("made.for"), PURPOSES.map((name) => [name, say(`made.${name}`)]), purpose, (chosen) => { purpose = /** @type {typeof purpose} */ (chosen); show(); }),
  panel.node, element("div.toolbar", button(say("once"), draw, "", "once"), button(say("many", { n: number(PEOPLE) }), ask, "plain", "many")));
part("result").append(list.node, outcome, chart.node, needs);
