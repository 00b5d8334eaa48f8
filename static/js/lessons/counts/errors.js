/** The noise on every single count, for one to a hundred counts: with the steps on foot for Laplace noise, with the straight line for Gaussian. */

import { countSensitivities, exactSigma, gaussianWinsFrom, laplaceDeviation, laplaceScale } from "../../theory/noise.js";
import { beside } from "../drawing/line_labels.js";
import { curve, dot, label, line } from "../drawing/marks.js";
import { chance } from "../small_chances.js";
import { ticks } from "../drawing/scale.js";
import { number, say } from "../words.js";

export const COUNTS = { min: 1, max: 100, step: 1 };
const ALL = Array.from({ length: COUNTS.max }, (_, index) => index + 1);
const TABLE = [1, 2, 5, 10, 20, 50, 100];
const TOP = 150; // times 1/epsilon: more than a hundred counts ever need here, and Laplace noise is always the same line

/** The standard deviations on each count. @param {number} epsilon @param {number} delta */
export function deviations(epsilon, delta) {
  const sigma = exactSigma(1, epsilon, delta);
  return {
    laplace: (/** @type {number} */ k) => laplaceDeviation(laplaceScale(countSensitivities(k)[0], epsilon)),
    gaussian: (/** @type {number} */ k) => sigma * countSensitivities(k)[1], // sigma grows with the sensitivity
    from: gaussianWinsFrom(epsilon, delta),
  };
}

/** @param {number} counts @param {number} epsilon @param {number} delta @param {string} name @param {(counts: number) => void} move @returns {PlotPicture} */
export function errors(counts, epsilon, delta, name, move) {
  const { laplace, gaussian, from } = deviations(epsilon, delta);
  const top = TOP / epsilon;
  const lines = [laplace, gaussian].map((of) => ALL.map((k) => /** @type {XY} */ ([k, of(k)])));
  const [wide, narrow] = [lines[0] ?? [], lines[1] ?? []];
  const at = /** @type {XY} */ ([counts, gaussian(counts)]);
  const seen = from > 1 && from <= COUNTS.max;
  const crossing = seen ? [{ text: say("errors.crossing", { from: number(from) }), at: /** @type {XY} */ ([from, top]), dx: 6, dy: 12 }] : [];
  return {
    name,
    x: { title: say("errors.counts"), from: 0, to: COUNTS.max },
    y: { title: say("errors.deviation"), from: 0, to: top, ticks: ticks({ title: "", from: 0, to: top }, 4) },
    marks: [
      ...(seen ? [line([from, 0], [from, top], "soft")] : []), ...crossing.map(label),
      curve(wide, "ink"), curve(narrow, "accent", 1), dot([counts, laplace(counts)], "ink"),
      beside([{ text: say("errors.laplace"), points: wide }, { text: say("errors.gaussian"), points: narrow },
        ...(seen ? [{ text: "", points: /** @type {XY[]} */ ([[from, 0], [from, top]]) }] : [])], [...crossing, { at, reach: 14 }]),
    ],
    handles: [{ label: say("errors.counts"), at, ...COUNTS, say: (value) => number(value), move }],
    table: () => ({
      head: [say("errors.counts"), "Δ₁", "Δ₂", say("errors.laplace"), say("errors.gaussian")],
      rows: TABLE.map((k) => [number(k), number(k), countSensitivities(k)[1].toFixed(2), chance(laplace(k)), chance(gaussian(k))]),
    }),
  };
}
