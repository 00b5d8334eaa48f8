/** The rate of an illness with and without one person: exactly, it gives the person away; with noise, both are nearly as likely. */

import { element } from "../../page/page.js";
import { laplaceDensity, laplaceScale } from "../../theory/noise.js";
import { beside } from "../drawing/line_labels.js";
import { atMost } from "../rounding.js";
import { controls } from "../controls/controls.js";
import { curve, dot, line } from "../drawing/marks.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { scrub } from "../controls/scrub.js";
import { fixed, number, say } from "../words.js";

const [WITH, WITHOUT] = [30, 29]; // ill, of 100 and of the 99 others
const EPSILON = { min: 0.1, max: 1, step: 0.05 };
const RESULT = { min: 10, max: 50, step: 0.5 };
const PLACES = Array.from({ length: 161 }, (_, index) => RESULT.min + index / 4);
const SMALL = Array.from({ length: 31 }, (_, index) => index / 20);
const HERE = "\u0000"; // where the number stands in its sentence
const TOP = 1.15; // times the peak
const DIGITS = 4; // after the point: with fewer, e rounded up would be 2.719
const TABLE = [0.01, 0.1, 0.5, 1, 1.5];

const chart = plot(say("rate.caption"), 0.5, { tableCaption: say("rate.table"), hint: say("rate.hint") });
const powers = plot(say("small.caption"), 0.5, { tableCaption: say("small.table") });
const dragged = scrub({ label: say("rate.count"), ...RESULT, value: RESULT.min, say: (value) => number(value) }, (value) => panel.set("published_count", value));
const outcome = element("p.outcome", { "data-value": "rate" }, document.createTextNode(""), dragged.node, document.createTextNode(""));
const about = element("p.outcome", { "data-value": "about" });

/** A ratio that reaches the bound is written like it. @param {number} times */
const most = (times) => atMost(times, DIGITS);

/** The density of a published count, of its own peak, and how many times as likely one of the two makes it. @param {number} z @param {number} epsilon */
function densities(z, epsilon) {
  const scale = laplaceScale(1, epsilon); // one person moves a count by 1
  const [mine, other] = [laplaceDensity(z - WITH, scale), laplaceDensity(z - WITHOUT, scale)];
  const peak = laplaceDensity(0, scale);
  return { mine: mine / peak, other: other / peak, ratio: Math.max(mine, other) / Math.min(mine, other) };
}

/** @param {{rate_epsilon: number, published_count: number}} values */
function show({ rate_epsilon: epsilon, published_count: z }) {
  const { mine, other, ratio } = densities(z, epsilon);
  const bound = Math.exp(epsilon);
  const said = (/** @type {string} */ count) => say("rate.outcome", { z: count, more: say(mine > other ? "rate.with" : "rate.without"), ratio: most(ratio), bound: most(bound), about: fixed(1 + epsilon, DIGITS) });
  const [before = "", after = ""] = said(HERE).split(HERE);
  dragged.set(z);
  [outcome.firstChild, outcome.lastChild].forEach((text, index) => { if (text) text.textContent = index ? after : before; });
  const at = /** @type {XY} */ ([z, 0]);
  const lines = /** @type {const} */ (["mine", "other"]).map((which) => PLACES.map((place) => /** @type {XY} */ ([place, densities(place, epsilon)[which]])));
  const [own = [], others = []] = lines;
  chart.draw({
    name: said(number(z)),
    x: { title: say("rate.count"), from: RESULT.min, to: RESULT.max },
    y: { title: say("rate.density"), from: 0, to: TOP, ticks: [0, 0.5, 1] },
    marks: [line(at, [z, Math.max(mine, other)], "soft"), curve(others, "dark", 1), curve(own, "bright"), dot([z, mine], "bright"), dot([z, other], "dark"),
      beside([{ text: say("rate.with"), points: own }, { text: say("rate.without"), points: others }], [{ at, reach: 14 }, { at: [z, mine], reach: 8 }])],
    handles: [{ label: say("rate.count"), at, ...RESULT, say: (value) => number(value), move: (value) => panel.set("published_count", value) }],
    table: () => ({ head: [say("rate.count"), say("rate.with"), say("rate.without"), say("rate.ratio")],
      rows: [20, 25, 29, 29.5, 30, 35, 40].map((place) => {
        const each = densities(place, epsilon);
        return [number(place), fixed(each.mine, 4), fixed(each.other, 4), most(each.ratio)];
      }) }),
  });
  about.textContent = say("small.outcome", { epsilon: number(epsilon), power: most(bound), about: fixed(1 + epsilon, DIGITS) });
  const [exact, straight] = [SMALL.map((exponent) => /** @type {XY} */ ([exponent, Math.exp(exponent)])), SMALL.map((exponent) => /** @type {XY} */ ([exponent, 1 + exponent]))];
  powers.draw({
    name: about.textContent,
    x: { title: say("rate.epsilon"), from: 0, to: 1.5 },
    y: { title: say("rate.ratio"), from: 1, to: 5 },
    marks: [line([epsilon, 1], [epsilon, bound], "soft"), curve(straight, "accent", 1), curve(exact, "ink"), dot([epsilon, bound], "ink"), dot([epsilon, 1 + epsilon], "accent"),
      beside([{ text: "exp(ε)", points: exact }, { text: "1 + ε", points: straight }, { text: "", points: [[epsilon, 1], [epsilon, bound]] }], [{ at: [epsilon, bound], reach: 8 }])],
    table: () => ({ head: [say("rate.epsilon"), "exp(ε)", "1 + ε"], rows: TABLE.map((epsilon) => [number(epsilon), most(Math.exp(epsilon)), fixed(1 + epsilon, DIGITS)]) }),
  });
}

const panel = controls({
  rate_epsilon: { label: say("rate.epsilon"), ...EPSILON, value: 0.5 },
  published_count: { label: say("rate.count"), ...RESULT, value: 33 },
}, show, [part("rate-result")]);
part("rate-controls").append(panel.node);
part("rate-result").append(outcome, chart.node, about, powers.node);
