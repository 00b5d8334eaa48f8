/** Words beside the lines of a plot, each where it touches no other line and no other words. */

import { drawing } from "../../page/page.js";
import { samples } from "./line_samples.js";

const HIGH = 16; // pixels, of a line of words
const WIDE = { hangul: 13.5, other: 8 }; // of a letter, rather too much than too little
const EVERY = 3; // samples: so often words are tried
const AWAY = 9; // pixels from the words to their line
const ROOM = 7; // pixels around words in which other lines are not wanted
const NARROW = 320; // pixels
const APART = 36; // pixels from another line, from where on it is clear which of the two is meant

/**
 * A line and its words; it is drawn elsewhere. `short` are its words in a narrow plot; words that are `on` it interrupt it,
 * as the heights on a map do.
 *
 * @typedef {{text: string, points: readonly XY[], short?: string, on?: boolean}} Named
 */
/** @typedef {import("./line_samples.js").Box} Box */

/** Where words can stand beside a point of their line: across and up, in pixels, and which end of them is there. */
const PLACES = /** @type {const} */ ([
  [6, -AWAY, "start"], [-6, -AWAY, "end"], [0, -AWAY, "middle"], [6, AWAY + HIGH - 5, "start"], [-6, AWAY + HIGH - 5, "end"], [0, AWAY + HIGH - 5, "middle"]]);

const ON = /** @type {const} */ ([[0, 5, "middle"]]);

/**
 * @param {readonly Named[]} lines every line that words may not touch; those without words are only kept clear of
 * @param {readonly {at: XY, reach?: number, text?: string, dx?: number, dy?: number, anchor?: string}[]} [taken] points with a reach in pixels, or words that stand already, as in a label
 * @returns {Mark}
 */
export const beside = (lines, taken = []) => (sides) => {
  const { drawn, covered, nearest } = samples(lines.map(({ points }) => points), sides);
  const boxes = taken.map((place) => boxOf(place, sides));
  return lines.flatMap(({ text: full, short, on }, index) => {
    const text = sides.right - sides.left < NARROW ? short ?? full : full;
    const places = drawn[index] ?? [];
    if (!text || !places.length) return [];
    const [own, others] = [(/** @type {number} */ line) => line === index, (/** @type {number} */ line) => line !== index];
    /** Whether words are nearer to another line than to their own, and by how much. @param {Box} box @param {XY} at a point of their own */
    const strange = ({ x, y, width, height }, at) => {
      const middle = /** @type {const} */ ([x + width / 2, y + height / 2]);
      const near = nearest(middle, Math.hypot(middle[0] - at[0], middle[1] - at[1]), own);
      return 8 * (near - nearest(middle, near, others));
    };
    let [least, best] = [Infinity, /** @type {[number, number, string] | undefined} */ (undefined)];
    for (let at = 0; at < places.length; at += EVERY) {
      const [x, y] = places[at] ?? [0, 0];
      const unclear = 8 * (APART - nearest([x, y], APART, others));
      if (unclear >= least) continue;
      for (const [dx, dy, anchor] of on ? ON : PLACES) {
        const box = words(text, x + dx, y + dy, anchor);
        let price = unclear + misplaced(box, boxes, sides);
        if (price < least && !on) price += 60 * covered(box, 0, own) + strange(box, [x, y]);
        if (price < least) price += 110 * covered(box, 0, others) + 4 * covered(box, ROOM, others);
        if (price < least) [least, best] = [price, [x + dx, y + dy, anchor]];
      }
    }
    if (!best) return [];
    const [x, y, anchor] = best;
    boxes.push(words(text, x, y, anchor));
    return [drawing("text", { class: "plot-label", x, y, "text-anchor": anchor }, document.createTextNode(text))];
  });
};

/** What words may least of all do: leave the plot, or cover other words. @param {Box} box @param {Box[]} boxes @param {Sides} sides */
function misplaced(box, boxes, { left, right, top, bottom }) {
  const out = Math.max(0, left - box.x) + Math.max(0, box.x + box.width - right) + Math.max(0, top - HIGH - box.y) + Math.max(0, box.y + box.height - bottom);
  return 1000 * out + 100 * boxes.reduce((sum, other) => sum + overlap(box, other), 0);
}

/** The common area, with a few pixels between them. @param {Box} box @param {Box} other */
const overlap = (box, other) => Math.max(0, Math.min(box.x + box.width, other.x + other.width) + 6 - Math.max(box.x, other.x))
  * Math.max(0, Math.min(box.y + box.height, other.y + other.height) + 6 - Math.max(box.y, other.y));

/** The most room that words take. @param {string} text @param {number} x @param {number} y of the foot of the letters @param {string} anchor @returns {Box} */
export function words(text, x, y, anchor) {
  const width = [...text].reduce((sum, letter) => sum + (letter > "\u1100" ? WIDE.hangul : WIDE.other), 0);
  return { x: x - width * (anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5), y: y - HIGH + 4, width, height: HIGH };
}

/** @param {{at: XY, reach?: number, text?: string, dx?: number, dy?: number, anchor?: string}} taken @param {Sides} sides @returns {Box} */
function boxOf({ at: [a, b], reach = 0, text = "", dx = 0, dy = 0, anchor = "start" }, { x, y }) {
  if (text) return words(text, x(a) + dx, y(b) + dy, anchor);
  return { x: x(a) - reach, y: y(b) - reach, width: 2 * reach, height: 2 * reach };
}
