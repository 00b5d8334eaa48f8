/** The loss of every report, for each mechanism: where its bound is reached, and where the loss is smaller. */

import { reportLoss } from "../../theory/loss.js";
import { spinner, spinnerChances } from "../../theory/response.js";
import { area, curve, label, line } from "../drawing/marks.js";
import { chance } from "../small_chances.js";
import { fixed, number, say } from "../words.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */

const MOST = 6; // the greatest loss that is drawn: more than any bound that can be set
const PLACES = { from: -1, to: 2 }; // so that words have room between the two answers
const STEPS = 90;
const NEAR = 4.5; // to the ends of the plot: there, words stand on the inner side

/** The loss of a report of noise, y, between the answers 0 and 1. @param {NonNullable<Mechanism["noise"]>} noise @param {number} parameter */
export const lossAt = (noise, parameter) => (/** @type {number} */ y) => reportLoss(noise(y, parameter), noise(y - 1, parameter));

/** @param {string} kind @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @returns {PlotPicture} */
export const reports = (kind, { noise, bound }, parameter, epsilon) => (noise
  ? noisy(kind, lossAt(noise, parameter), bound(parameter), epsilon) : steps(parameter, epsilon));

const losses = () => ({ title: say("sorted.loss"), from: -MOST, to: MOST, ticks: [-6, -3, 0, 3, 6] });

/** What lies above epsilon, and the line at epsilon. @param {readonly XY[]} points @param {number} epsilon @param {number} from @param {number} to */
const beyond = (points, epsilon, from, to) => [
  area(points.map(([y, loss]) => [y, Math.max(epsilon, Math.min(MOST, loss))]), "bright", epsilon),
  line([from, epsilon], [to, epsilon], "accent", 1),
  label({ text: "ε", at: [to, epsilon], dx: -2, dy: -5, anchor: "end" }),
];

/** Where the bound is reached, at both ends. @param {number} here @param {number} there @param {number} bound */
const reached = (here, there, bound) => [
  label({ text: "L = ε₀", at: [here, bound], dy: bound > NEAR ? 18 : -8, anchor: "middle" }),
  label({ text: "L = −ε₀", at: [there, -bound], dy: bound > NEAR ? -8 : 18, anchor: "middle" }),
];

/** Two reports, and two losses. @param {number} bound @param {number} epsilon @returns {PlotPicture} */
function steps(bound, epsilon) {
  const chances = spinnerChances(spinner(bound));
  const reportLosses = [1, 0].map((report) => reportLoss(chances[1]?.[report] ?? 0, chances[0]?.[report] ?? 0));
  const names = [1, 0].map((report) => say(`answer.${report}`));
  const drawn = reportLosses.map((loss, index) => /** @type {XY[]} */ ([[index + 0.5, loss], [index + 1.5, loss]]));
  return {
    caption: say("kind.response"),
    name: say("losses.response", { bound: number(bound) }),
    x: { title: say("reports.report"), from: 0.5, to: 2.5, ticks: [1, 2], format: (value) => names[value - 1] ?? "" },
    y: losses(),
    marks: [
      ...beyond(drawn[0] ?? [], epsilon, 0.5, 2.5),
      ...drawn.map((points) => curve(points, "ink")),
      ...reached(1, 2, bound),
    ],
    table: () => ({ head: [say("reports.report"), say("sorted.loss")], rows: names.map((name, index) => [name, signed(reportLosses[index] ?? 0)]) }),
  };
}

/** @param {string} kind @param {(y: number) => number} lossOf @param {number} bound @param {number} epsilon @returns {PlotPicture} */
function noisy(kind, lossOf, bound, epsilon) {
  const { from, to } = PLACES;
  const all = [...Array.from({ length: STEPS + 1 }, (_, index) => from + (to - from) * index / STEPS)];
  const points = all.map((y) => /** @type {XY} */ ([y, lossOf(y)])).filter(([, loss]) => Math.abs(loss) <= MOST);
  return {
    caption: say(`kind.${kind}`),
    name: say(`losses.${kind}`, { bound: number(bound) }),
    x: { title: say("reports.report"), from, to, ticks: [0, 1], format: (value) => say("reports.centre", { mark: value ? "a′" : "a", value: number(value) }) },
    y: losses(),
    marks: [
      line([0, -MOST], [0, MOST], "soft", 2), line([1, -MOST], [1, MOST], "soft", 2),
      ...beyond(points, epsilon, from, to),
      curve(points, "ink"),
      ...(Number.isFinite(bound)
        ? [...reached(-0.5, 1.5, bound), label({ text: "|L| < ε₀", at: [0.5, -MOST], dy: -8, anchor: "middle" })]
        : [label({ text: say("reports.none"), at: [from, -MOST], dx: 6, dy: -8 })]),
    ],
    table: () => ({
      head: [say("reports.report"), say("sorted.loss")],
      rows: [-2, -1, 0, 0.25, 0.5, 0.75, 1, 2, 3].map((y) => [signed(y, 2), signed(lossOf(y))]),
    }),
  };
}

/** @param {number} value @param {number} [digits] */
const signed = (value, digits = 3) => fixed(value, digits).replace(/^−(0(\.0+)?)$/, "$1");

/** The set of all reports with a loss above epsilon, and what the definition and the slip say of it. @param {number} mine P(S | a) @param {number} other P(S | a') @param {number} epsilon @param {number} delta @returns {(readonly [string, string])[]} */
export const slip = (mine, other, epsilon, delta) => [
  ["mine", chance(mine)], ["far", chance(other)], ["ratio", chance(mine / other)],
  ["slip", chance(Math.exp(epsilon) + delta)], ["right", chance(Math.exp(epsilon) + delta / other)],
];
