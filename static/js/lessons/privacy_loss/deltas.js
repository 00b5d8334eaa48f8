/** delta for every epsilon, with the point that is asked for. */

import { beside } from "../drawing/line_labels.js";
import { curve } from "../drawing/marks.js";
import { chance, ten } from "../small_chances.js";
import { number, say } from "../words.js";

/** @typedef {import("./sorted_losses.js").Device} Device */

const LEAST = 1e-6; // that is drawn
const MOST = 6; // the greatest epsilon
const EPSILONS = Array.from({ length: 120 }, (_, index) => (index + 1) * MOST / 120);
const ROWS = Array.from({ length: 12 }, (_, index) => (index + 1) * MOST / 12);

/** @param {Device} device @param {number} epsilon @param {Omit<Handle, "at" | "say">} handle @returns {PlotPicture} */
export function deltas({ kind, mechanism: { exceeds, delta }, parameter }, epsilon, handle) {
  /** Down to the foot of the plot, and no further. @param {(epsilon: number, parameter: number) => number} of @returns {XY[]} */
  const drawn = (of) => {
    const values = EPSILONS.map((at) => Math.max(LEAST, of(at, parameter)));
    const end = values.indexOf(LEAST);
    return EPSILONS.slice(0, end < 0 ? undefined : end + 1).map((at, index) => [at, values[index] ?? LEAST]);
  };
  const said = (/** @type {number} */ value) => ({ epsilon: number(value), delta: chance(delta(value, parameter)), tail: chance(exceeds(value, parameter)) });
  const [all, part] = [drawn(exceeds), drawn(delta)];
  const at = /** @type {XY} */ ([epsilon, Math.max(LEAST, delta(epsilon, parameter))]);
  return {
    caption: say("deltas.caption", { mechanism: say(`set.${kind}`, { value: number(parameter) }) }),
    name: say("deltas.name", said(epsilon)),
    x: { title: say("epsilon"), from: 0, to: MOST },
    y: { title: say("losses.chance"), from: LEAST, to: 1, log: true, format: (value) => ten(Math.round(Math.log10(value))) },
    marks: [curve(all, "ink", 1), curve(part, "bright"), beside([{ text: say("tail.short"), points: all }, { text: "δ(ε)", points: part }], [{ at, reach: 14 }])],
    handles: [{ ...handle, at, say: (value) => say("deltas.point", said(value)) }],
    table: () => ({
      head: [say("epsilon"), say("tail.short"), "δ(ε)"],
      rows: ROWS.map((value) => [number(value), chance(exceeds(value, parameter)), chance(delta(value, parameter))]),
    }),
  };
}
