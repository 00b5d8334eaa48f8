/** Composition: what several reports of one person cost together. The other two parts of the lesson are beside it. */

import "./composition_again.js";
import "./composition_models.js";
import { element } from "../element.js";
import { advancedEpsilon, binomialChances, composedEpsilon, plainSum } from "../theory/composition.js";
import { spinner } from "../theory/response.js";
import { controls } from "./controls.js";
import { curve, dot, label } from "./marks.js";
import { part } from "./parts.js";
import { plot } from "./plot.js";
import { fixed, number, percent, say } from "./words.js";

const RANGE = { min: 1, max: 100, step: 1 };
const QUESTIONS = Array.from({ length: RANGE.max }, (_, index) => index + 1);
const TABLE = [1, 2, 5, 10, 20, 50, 100];
const VISIBLE = 0.005; // a gain below half a percent is called none

const chart = plot(say("sum.caption"), 0.62);
const outcome = element("p.outcome", { "data-value": "sum" });

/** @param {{questions: number, epsilon: number, delta: number}} values */
function show({ questions, epsilon, delta }) {
  const sum = plainSum(epsilon, questions);
  const exact = (/** @type {number} */ k) => composedEpsilon(epsilon, k, delta);
  const advanced = (/** @type {number} */ k) => advancedEpsilon(epsilon, k, delta);
  const gain = 1 - exact(questions) / sum;
  outcome.textContent = [say("sum.outcome", { n: questions, sum: fixed(sum, 2), exact: fixed(exact(questions), 2), advanced: fixed(advanced(questions), 2) }),
    gain > VISIBLE ? say("sum.gain", { percent: percent(gain) }) : say("sum.none", { n: questions, percent: percent(binomialChances(questions, spinner(epsilon)).at(-1) ?? 0, 4) })].join(" ");
  const [top, half] = [1.15 * plainSum(epsilon, RANGE.max), RANGE.max / 2];
  const leaves = QUESTIONS.find((k) => advanced(k) > top); // where the bound leaves the picture, if it does: its words go there
  chart.draw({
    name: outcome.textContent,
    x: { title: say("sum.questions"), from: 0, to: RANGE.max },
    y: { title: say("sum.total"), from: 0, to: top },
    marks: [curve([[0, 0], ...QUESTIONS.map((k) => /** @type {XY} */ ([k, plainSum(epsilon, k)]))], "ink"),
      curve(QUESTIONS.map((k) => /** @type {XY} */ ([k, exact(k)])), "accent", 1),
      curve(QUESTIONS.map((k) => /** @type {XY} */ ([k, advanced(k) <= top ? advanced(k) : NaN])), "soft", 2),
      dot([questions, sum], "ink"),
      label({ text: say("sum.plain"), at: [half, plainSum(epsilon, half)], dx: -10, dy: -10, anchor: "end" }),
      label({ text: say("sum.exact"), at: [97, exact(97)], dy: 26, anchor: "end" }),
      label(leaves ? { text: say("sum.advanced"), at: [leaves, top], dx: 8, dy: 14 }
        : { text: say("sum.advanced"), at: [RANGE.max, advanced(RANGE.max)], dy: -9, anchor: "end" })],
    handles: [{ label: say("sum.questions"), at: [questions, exact(questions)], ...RANGE, say: (value) => number(value), move: (value) => panel.set("questions", value) }],
    table: { head: [say("sum.questions"), say("sum.plain"), say("sum.exact"), say("sum.advanced")],
      rows: TABLE.map((k) => [number(k), fixed(plainSum(epsilon, k), 3), fixed(exact(k), 3), fixed(advanced(k), 3)]) },
  });
}

const panel = controls({
  questions: { label: say("sum.questions"), ...RANGE, whole: true, value: 20 },
  epsilon: { label: say("sum.epsilon"), min: 0.01, max: 4, step: 0.01, value: 0.1 },
  delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: 1e-6 },
}, show, [part("result")]);
part("controls").append(panel.node);
part("result").append(outcome, chart.node);
