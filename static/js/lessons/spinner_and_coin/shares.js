/** The bright share of the wheel for every epsilon, with a point to move. */

import { spinnerCoin } from "../../theory/response.js";
import { inHundred } from "../rounding.js";
import { curve, label, line } from "../drawing/marks.js";
import { plot } from "../drawing/plot.js";
import { fixed, number, say } from "../words.js";

const MOST = 6;
const CURVE = [/** @type {XY} */ ([0, 0]), ...Array.from({ length: 120 }, (_, index) => (index + 1) * 0.05)
  .map((epsilon) => /** @type {XY} */ ([epsilon, 100 * spinnerCoin(epsilon)]))];
const ROWS = [0.1, 0.5, 1, 2, 4, 6];

/** @param {Omit<Handle, "at" | "say">} handle */
export function shares(handle) {
  const figure = plot(say("curve.caption"), 0.8, { hint: say("curve.hint") });
  return {
    node: figure.node,
    /** @param {number} epsilon */
    draw(epsilon) {
      const share = spinnerCoin(epsilon);
      const [p, words] = [100 * share, inHundred(share)]; // in 100, as everything on this page
      figure.draw({
        name: say("curve.name", { epsilon: number(epsilon), p: words }),
        x: { title: say("epsilon"), from: 0, to: MOST },
        y: { title: say("curve.p"), from: 0, to: 100 },
        marks: [curve(CURVE), line([epsilon, 0], [epsilon, p]), line([0, p], [epsilon, p]), beside(words, [epsilon, p])],
        handles: [{ ...handle, at: [epsilon, p], say: (value) => number(value) }],
        table: () => ({ head: [say("epsilon"), say("curve.p")], rows: ROWS.map((epsilon) => [number(epsilon), fixed(100 * spinnerCoin(epsilon), 2)]) }),
      });
    },
  };
}

/** Below the point, and above the axis. @param {string} text @param {XY} at @returns {Mark} */
const beside = (text, at) => (sides) => label({ text, at, dx: 16, dy: Math.min(22, sides.bottom - 6 - sides.y(at[1])) })(sides);
