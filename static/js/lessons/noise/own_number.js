/** One person's own number: the noise that epsilon asks for in five ways, a hundred draws of two, and what a mean loses by it. */

import { element } from "../../page/page.js";
import { classicalSigma, exactSigma, gaussianDensity, gaussianNoise, hybridDeviation, laplaceDensity, laplaceDeviation, laplaceNoise, laplaceScale, oneBitDeviation } from "../../theory/noise.js";
import { button, controls } from "../controls/controls.js";
import { beside } from "../drawing/line_labels.js";
import { former } from "../drawing/former_picture.js";
import { curve, ghost, line } from "../drawing/marks.js";
import { draws, figure, uniforms } from "./uniform_noise.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { chance as rare } from "../small_chances.js";
import { ticks } from "../drawing/scale.js";
import { dataTable } from "../data_table.js";
import { number, percent, say } from "../words.js";

const DRAWS = 100;
const REACH = 3.6; // how many standard deviations of the widest noise are shown
const ROOM = 0.42; // for the draws, under the densities, in parts of the highest one
const POINTS = 241;
const LOW = 0.04; // of the peak

const densities = plot(say("number.caption"), 0.6, { tableCaption: say("number.densities") });
const saving = element("p.outcome", { "data-value": "saving" });
const drawn = element("p.outcome", { role: "status", "data-value": "own-drawn" });
const table = element("div", { "data-value": "table" });

/** @type {{laplace: number[], gaussian: number[]}} as uniform numbers: the draws keep their place when the scale changes */
let chance = { laplace: [], gaussian: [] };
/** @type {(scales: {b: number}) => {b: number} | undefined} */
const before = former();
/** @type {number | undefined} b before the controls began to move */
let formerScale;
let now = { range: 20, own_epsilon: 1, delta: 1e-6, respondents: 1000 };

/** @param {typeof now} values */
function show(values) {
  now = values;
  const scales = scalesNow();
  formerScale = before(scales)?.b;
  drawDensities(scales);
  drawn.textContent = "";
  const share = 1 - scales.exact / scales.classical;
  saving.textContent = [say(share > 0 ? "number.saving" : "number.broken",
    { exact: figure(scales.exact), classical: figure(scales.classical), percent: percent(Math.abs(share)) }),
  values.own_epsilon < 1 ? "" : say("number.unproved")].join(" ");
  table.replaceChildren(tableOf(scales));
}

function scalesNow() {
  const { range, own_epsilon: epsilon, delta } = now;
  return { b: laplaceScale(range, epsilon), exact: exactSigma(range, epsilon, delta), classical: classicalSigma(range, epsilon, delta) };
}

/** @param {ReturnType<typeof scalesNow>} scales */
function tableOf({ b, exact, classical }) {
  const rows = /** @type {const} */ ([
    ["number.laplace", figure(b), laplaceDeviation(b)],
    ["number.exact", figure(exact), exact],
    ["number.classical", figure(classical), classical],
    ["number.one_bit", "–", oneBitDeviation(now.range, now.own_epsilon)],
    ["number.hybrid", "–", hybridDeviation(now.range, now.own_epsilon)],
  ]);
  return dataTable(say("number.table"), ["", say("number.scale"), say("number.deviation"), say("number.mean", { n: number(now.respondents) })],
    rows.map(([key, scale, deviation]) => [say(key), scale, figure(deviation), figure(deviation / Math.sqrt(now.respondents))]));
}

/** @param {ReturnType<typeof scalesNow>} scales */
function drawDensities({ b, exact, classical }) {
  const far = REACH * Math.max(exact, classical, laplaceDeviation(b));
  const xs = Array.from({ length: POINTS }, (_, index) => far * (2 * index / (POINTS - 1) - 1));
  const laplace = (/** @type {number} */ x) => laplaceDensity(x, b);
  const gaussian = (/** @type {number} */ x) => gaussianDensity(x, exact);
  const formula = (/** @type {number} */ x) => gaussianDensity(x, classical);
  /** @param {(x: number) => number} density */
  const points = (density) => xs.map((x) => /** @type {XY} */ ([x, density(x)]));
  const peak = Math.max(laplace(0), gaussian(0), formula(0));
  const samples = drawsNow(b, exact);
  const ghosts = formerScale === undefined ? [] : [ghost(points((x) => laplaceDensity(x, formerScale ?? b)).map(([x, y]) => [x, y > peak ? NaN : y]))]; // it stays inside the picture
  /** Where a curve is high enough to be told from the axis: its words stand there. @param {(x: number) => number} density @returns {XY[]} */
  const high = (density) => points(density).map(([x, y]) => [x, y > LOW * peak ? y : NaN]);
  densities.draw({
    name: say("number.name", { b: figure(b), exact: figure(exact), classical: figure(classical) }),
    x: { title: say("number.noise"), from: -far, to: far },
    y: { title: say("number.density"), from: -ROOM * peak, to: peak, ticks: ticks({ title: "", from: 0, to: peak }, 4) },
    marks: [line([-far, 0], [far, 0], "soft", 0), ...ghosts,
      curve(points(formula), "soft", 2), curve(points(gaussian), "accent", 1), curve(points(laplace), "ink"),
      beside([{ text: say("number.laplace"), points: high(laplace) }, { text: say("number.exact"), short: say("number.exact_short"), points: high(gaussian) },
        { text: say("number.classical"), short: say("number.classical_short"), points: high(formula) }, { text: "", points: [[-far, 0], [far, 0]] }]),
      draws(samples.laplace.map((x) => [x, -ROOM * peak / 3]), "ink"), draws(samples.gaussian.map((x) => [x, -ROOM * peak * 2 / 3]), "accent")],
    caption: [say("number.caption"), ...(samples.laplace.length ? [say("number.below")] : [])].join(" "),
    table: () => ({ head: [say("number.noise"), say("number.laplace"), say("number.exact"), say("number.classical")],
      rows: [0, 0.5, 1, 2, 4, 8].map((times) => [figure(times * now.range),
        ...[laplace, gaussian, formula].map((density) => rare(density(times * now.range)))]) }),
  });
}

/** @param {number} b @param {number} sigma */
function drawsNow(b, sigma) {
  const { laplace, gaussian } = chance;
  return { laplace: laplace.map((draw) => laplaceNoise(draw, b)),
    gaussian: gaussian.slice(0, gaussian.length / 2).map((draw, index) => gaussianNoise(draw, gaussian[index + gaussian.length / 2] ?? 0.5, sigma)) };
}

function draw() {
  chance = { laplace: uniforms(DRAWS), gaussian: uniforms(2 * DRAWS) };
  const scales = scalesNow();
  drawDensities(scales);
  const { laplace, gaussian } = drawsNow(scales.b, scales.exact);
  const beyond = (/** @type {number[]} */ all) => all.filter((x) => Math.abs(x) > now.range).length;
  drawn.textContent = say("number.drawn", { n: DRAWS, laplace: beyond(laplace), gaussian: beyond(gaussian) });
}

const panel = controls({
  range: { label: say("number.range"), hint: say("number.range_hint"), min: 1, max: 100, step: 1, value: now.range },
  own_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: now.own_epsilon },
  delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: now.delta },
  respondents: { label: say("respondents"), min: 1, max: 1e6, step: 0.05, log: true, whole: true, value: now.respondents },
}, show, [part("own-result")]);
part("own-controls").append(panel.node, element("div.toolbar", button(say("number.draw", { n: DRAWS }), draw, "", "own-draw")));
part("own-result").append(densities.node, drawn, saving, table);
