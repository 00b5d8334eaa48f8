/** One count against many: how far the noise on every single one must reach. */

import { element } from "../element.js";
import { exactSigma, gaussianWinsFrom, laplaceDeviation, laplaceScale } from "../theory/noise.js";
import { controls } from "./controls.js";
import { curve, dot, label, line } from "./marks.js";
import { figure } from "./noise_parts.js";
import { part } from "./parts.js";
import { plot } from "./plot.js";
import { fixed, number, say } from "./words.js";

const RANGE = { min: 1, max: 100, step: 1 };
const COUNTS = Array.from({ length: RANGE.max }, (_, index) => index + 1);
const TABLE = [1, 2, 5, 10, 20, 50, 100];

const chart = plot(say("counts.caption"), 0.6);
const outcome = element("p.outcome", { "data-value": "counts" });

/** @param {{counts: number, counts_epsilon: number, counts_delta: number}} values */
function show({ counts, counts_epsilon: epsilon, counts_delta: delta }) {
  const sigma = exactSigma(1, epsilon, delta);
  const laplace = (/** @type {number} */ k) => laplaceDeviation(laplaceScale(k, epsilon)); // L1 sensitivity k
  const gaussian = (/** @type {number} */ k) => sigma * Math.sqrt(k); // L2 sensitivity sqrt(k)
  const from = gaussianWinsFrom(epsilon, delta);
  const seen = from > 1 && from <= RANGE.max;
  const top = Math.max(laplace(RANGE.max), gaussian(RANGE.max));
  outcome.textContent = [say("counts.outcome", { n: counts, l2: fixed(Math.sqrt(counts), 2), laplace: figure(laplace(counts)), gaussian: figure(gaussian(counts)) }),
    seen ? say("counts.from", { from: number(from) }) : from === 1 ? say("counts.always") : say("counts.later", { from: number(from) })].join(" ");
  chart.draw({
    name: outcome.textContent,
    x: { title: say("counts.counts"), from: 0, to: RANGE.max },
    y: { title: say("counts.deviation"), from: 0, to: top },
    marks: [...(seen ? [line([from, 0], [from, top], "soft"), label({ text: say("counts.crossing", { from: number(from) }), at: [from, top], dx: 8, dy: 14 })] : []),
      curve(COUNTS.map((k) => [k, laplace(k)]), "ink"), curve(COUNTS.map((k) => [k, gaussian(k)]), "accent", 1), dot([counts, laplace(counts)], "ink"),
      label({ text: say("counts.laplace"), at: [78, laplace(78)], dx: -10, dy: -8, anchor: "end" }), label({ text: say("counts.gaussian"), at: [98, gaussian(98)], dy: -12, anchor: "end" })],
    handles: [{ label: say("counts.counts"), at: [counts, gaussian(counts)], ...RANGE, say: (value) => number(value), move: (value) => panel.set("counts", value) }],
    table: { head: [say("counts.counts"), say("counts.l2"), say("counts.laplace"), say("counts.gaussian")],
      rows: TABLE.map((k) => [number(k), fixed(Math.sqrt(k), 2), figure(laplace(k)), figure(gaussian(k))]) },
  });
}

const panel = controls({
  counts: { label: say("counts.counts"), ...RANGE, whole: true, value: 50 },
  counts_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: 1 },
  counts_delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: 1e-6 },
}, show, [part("counts-result")]);
part("counts-controls").append(panel.node);
part("counts-result").append(outcome, chart.node);
