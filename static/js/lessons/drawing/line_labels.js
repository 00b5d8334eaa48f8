/** Words beside the lines of a plot, each where it touches no other line and no other words. */

import { drawing } from "../../page/page.js";

const HIGH = 16; // pixels, of a line of words
const WIDE = { hangul: 13.5, other: 8 }; // of a letter, rather too much than too little
const NEAR = 5; // pixels between samples along a line
const MOST = 4000; // pixels between two points of a line
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
/** @typedef {{x: number, y: number, width: number, height: number}} Box in pixels */
/** @typedef {readonly number[]} Places in pixels: x and y of one, x and y of the next, for there are thousands of comparisons */

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
  const drawn = lines.map(({ points }) => sampled(points, sides));
  const boxes = taken.map((place) => boxOf(place, sides));
  return lines.flatMap(({ text: full, short, on }, index) => {
    const text = sides.right - sides.left < NARROW ? short ?? full : full;
    const own = drawn[index] ?? [];
    if (!text || !own.length) return [];
    const others = drawn.flatMap((line, at) => (at === index ? [] : line));
    let [least, best] = [Infinity, /** @type {[number, number, string] | undefined} */ (undefined)];
    for (let at = 0; at < own.length; at += 2 * EVERY) {
      const [x, y] = [own[at] ?? 0, own[at + 1] ?? 0];
      const unclear = 8 * Math.max(0, APART - nearest(x, y, others));
      if (unclear >= least) continue;
      for (const [dx, dy, anchor] of on ? ON : PLACES) {
        const box = words(text, x + dx, y + dy, anchor);
        let price = unclear + misplaced(box, boxes, sides);
        if (price < least && !on) price += 60 * covered(box, own, 0) + strange(box, own, others);
        if (price < least) price += 110 * covered(box, others, 0) + 4 * covered(box, others, ROOM);
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

/** How many of these points are under a box, or so near to it. @param {Box} box @param {Places} places @param {number} room */
function covered({ x, y, width, height }, places, room) {
  let count = 0;
  for (let at = 0; at < places.length; at += 2) {
    const [a, b] = [places[at] ?? 0, places[at + 1] ?? 0];
    if (a > x - room && a < x + width + room && b > y - room && b < y + height + room) count += 1;
  }
  return count;
}

/** Whether words are nearer to another line than to their own, and by how much. @param {Box} box @param {Places} own @param {Places} others */
function strange({ x, y, width, height }, own, others) {
  const [middle, half] = [x + width / 2, y + height / 2];
  return 8 * Math.max(0, nearest(middle, half, own) - nearest(middle, half, others));
}

/** How far the nearest of these places is. @param {number} x @param {number} y @param {Places} places */
function nearest(x, y, places) {
  let least = Infinity; // squared
  for (let at = 0; at < places.length; at += 2) {
    const [across, up] = [(places[at] ?? 0) - x, (places[at + 1] ?? 0) - y];
    least = Math.min(least, across * across + up * up);
  }
  return Math.sqrt(least);
}

/** The common area, with a few pixels between them. @param {Box} box @param {Box} other */
const overlap = (box, other) => Math.max(0, Math.min(box.x + box.width, other.x + other.width) + 6 - Math.max(box.x, other.x))
  * Math.max(0, Math.min(box.y + box.height, other.y + other.height) + 6 - Math.max(box.y, other.y));

/** @param {string} text @param {number} x @param {number} y of the foot of the letters @param {string} anchor @returns {Box} */
function words(text, x, y, anchor) {
  const width = [...text].reduce((sum, letter) => sum + (letter > "\u1100" ? WIDE.hangul : WIDE.other), 0);
  return { x: x - width * (anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5), y: y - HIGH + 4, width, height: HIGH };
}

/** @param {{at: XY, reach?: number, text?: string, dx?: number, dy?: number, anchor?: string}} taken @param {Sides} sides @returns {Box} */
function boxOf({ at: [a, b], reach = 0, text = "", dx = 0, dy = 0, anchor = "start" }, { x, y }) {
  if (text) return words(text, x(a) + dx, y(b) + dy, anchor);
  return { x: x(a) - reach, y: y(b) - reach, width: 2 * reach, height: 2 * reach };
}

/** Points in small steps along a line, in pixels, as far as it is inside; where a number is missing there is a gap. @param {readonly XY[]} points @param {Sides} sides @returns {Places} */
function sampled(points, { x, y, left, right, top, bottom }) {
  const places = /** @type {number[]} */ ([]);
  let [px, py] = [NaN, NaN]; // the last one that was taken
  for (const [a, b] of points) {
    const [to, up] = [x(a), y(b)];
    const [from, down] = [px, py];
    const length = Math.min(MOST, Math.hypot(to - from, up - down));
    if (length < NEAR) continue; // so dense are they already
    const steps = Number.isNaN(length) ? 1 : Math.floor(length / NEAR);
    for (let step = 1; step <= steps; step += 1) {
      [px, py] = step === steps ? [to, up] : [from + (to - from) * step / steps, down + (up - down) * step / steps];
      if (px >= left && px <= right && py >= top && py <= bottom) places.push(px, py);
    }
  }
  return places;
}
