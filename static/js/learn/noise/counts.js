/** One count against many: how far the noise on every single one must reach. */

import { element } from "../../page/page.js";
import { countSensitivities, exactSigma, gaussianWinsFrom, laplaceDeviation, laplaceScale } from "../../theory/noise.js";
import { controls } from "../controls.js";
import { beside } from "../beside.js";
import { curve, dot, label, line } from "../marks.js";
import { figure } from "./parts.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { fixed, number, say } from "../words.js";

const RANGE = { min: 1, max: 100, step: 1 };
const COUNTS = Array.from({ length: RANGE.max }, (_, index) => index + 1);
const TABLE = [1, 2, 5, 10, 20, 50, 100];

const chart = plot(say("counts.caption"), 0.6, { tableCaption: say("counts.table"), hint: say("counts.hint") });
const outcome = element("p.outcome", { "data-value": "counts" });

/** @param {{counts: number, counts_epsilon: number, counts_delta: number}} values */
function show({ counts, counts_epsilon: epsilon, counts_delta: delta }) {
  const laplace = (/** @type {number} */ k) => laplaceDeviation(laplaceScale(countSensitivities(k)[0], epsilon));
  const gaussian = (/** @type {number} */ k) => exactSigma(countSensitivities(k)[1], epsilon, delta);
  const from = gaussianWinsFrom(epsilon, delta);
  const seen = from > 1 && from <= RANGE.max;
  const top = Math.max(laplace(RANGE.max), gaussian(RANGE.max));
  outcome.textContent = [say(counts === 1 ? "counts.single" : "counts.outcome", { n: counts, l2: l2(counts), laplace: figure(laplace(counts)), gaussian: figure(gaussian(counts)) }),
    seen ? say("counts.from", { from: number(from) }) : from === 1 ? say("counts.always") : say("counts.later", { from: number(from) })].join(" ");
  const lines = { laplace: COUNTS.map((k) => /** @type {XY} */ ([k, laplace(k)])), gaussian: COUNTS.map((k) => /** @type {XY} */ ([k, gaussian(k)])) };
  const at = /** @type {XY} */ ([counts, gaussian(counts)]);
  const crossing = seen ? [{ text: say("counts.crossing", { from: number(from) }), at: /** @type {XY} */ ([from, top]), dx: 8, dy: 14 }] : [];
  chart.draw({
    name: outcome.textContent,
    x: { title: say("counts.counts"), from: 0, to: RANGE.max },
    y: { title: say("counts.deviation"), from: 0, to: top },
    marks: [...(seen ? [line([from, 0], [from, top], "soft")] : []), ...crossing.map(label),
      curve(lines.laplace, "ink"), curve(lines.gaussian, "accent", 1), dot([counts, laplace(counts)], "ink"),
      beside([{ text: say("counts.laplace"), points: lines.laplace }, { text: say("counts.gaussian"), points: lines.gaussian },
        ...(seen ? [{ text: "", points: /** @type {XY[]} */ ([[from, 0], [from, top]]) }] : [])], [...crossing, { at, reach: 14 }])],
    handles: [{ label: say("counts.counts"), at, ...RANGE, say: (value) => number(value), move: (value) => panel.set("counts", value) }],
    table: { head: [say("counts.counts"), say("counts.l2"), say("counts.laplace"), say("counts.gaussian")],
      rows: TABLE.map((k) => [number(k), l2(k), figure(laplace(k)), figure(gaussian(k))]) },
  });
}

/** @param {number} k */
const l2 = (k) => fixed(countSensitivities(k)[1], 2);

const panel = controls({
  counts: { label: say("counts.counts"), ...RANGE, whole: true, value: 50 },
  counts_epsilon: { label: say("epsilon"), min: 0.05, max: 10, step: 0.05, value: 1 },
  counts_delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: 1e-6 },
}, show, [part("counts-result")]);
part("counts-controls").append(panel.node);
part("counts-result").append(outcome, chart.node);
