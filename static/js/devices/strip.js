/** A strip on which a marker stops, under one line of chances for each of several answers. */

import { drawing, element } from "../page/element.js";
import { live } from "../page/language.js";
import { FIRST, SECOND, stage } from "./spinner.js";

const LEFT = 64;
const WIDTH = 240;
const LINE = 44;
/** More bars than this are joined. */
const BARS = 61;
const CLOSE = 60;

/**
 * @typedef {object} Strip
 * @property {number[]} places of the reports, in [0, 1]
 * @property {number} columns how many of them are equally spaced
 * @property {number[]} marks of the reports that have a name on the axis
 * @property {(mark: number) => string} name
 * @property {{at: number, name: () => string, shares: number[]}[]} rows the chances under several answers
 * @property {Filler} caption
 */

/** @param {Strip} strip @returns {Device} */
export function strip({ places, columns, marks, name, rows, caption }) {
  const joined = Math.ceil(columns / BARS);
  const bars = Math.ceil(columns / joined);
  /** Half a bar is left at both ends. @param {number} place */
  const x = (place) => LEFT + (WIDTH * (0.5 + place * (bars - 1))) / bars;
  const bottom = rows.length * LINE + 34;
  // A fine grid has most of its chance at the ends: on the scale of roots the rest can be seen too.
  const heights = rows.map(({ shares }) => heap(places, shares, columns, joined).map((share) => (columns > 30 ? Math.sqrt(share) : share)));
  const tallest = Math.max(...heights.flat());
  const pin = drawing("path", { class: "pin-mark", d: `M0 ${bottom - 3}l-7-15a7.6 7.6 0 1 1 14 0z` });
  const svg = drawing("svg", { class: "strip", viewBox: `0 0 320 ${bottom + 24}` },
    ...rows.flatMap(({ at, name: said }, index) => {
      const base = (index + 1) * LINE;
      return [
        words(said, { class: "row-name", x: LEFT - 14, y: base - 2 }),
        drawing("path", { class: "chances", d: (heights[index] ?? []).map((height, bar) => (
          `M${x(bar / (bars - 1)) - (WIDTH / bars) * 0.4} ${base}v${-(LINE - 8) * height / tallest}h${(WIDTH / bars) * 0.8}V${base}z`)).join("") }),
        drawing("path", { class: "base", d: `M${LEFT - 6} ${base}H${LEFT + WIDTH + 6}` }),
        drawing("path", { class: "own", d: `M${x(at)} ${base + 1}l-4 6h8z` }),
      ];
    }),
    drawing("path", { class: "track", d: `M${LEFT - 6} ${bottom}H${LEFT + WIDTH + 6}${marks.map((mark) => `M${x(places[mark] ?? 0)} ${bottom}v5`).join("")}` }),
    ...marks.map((mark, index) => {
      const [here, before, after] = [mark, marks[index - 1] ?? mark, marks[index + 1] ?? mark].map((other) => x(places[other] ?? 0));
      const [left, right] = [(here ?? 0) - (before ?? 0), (after ?? 0) - (here ?? 0)];
      // Names that would meet stand on either side of their marks.
      const anchor = left > 0 && left < CLOSE ? "start" : right > 0 && right < CLOSE ? "end" : "middle";
      return words(() => name(mark), { class: `mark-name ${anchor}`, x: here, y: bottom + 18 });
    }),
    pin);
  pin.style.transform = `translateX(${x(0.5)}px)`;
  const made = stage("strip-device", [svg], [], (/** @type {{report: number}} */ { report }) => {
    const [from, to] = [pin.style.transform, `translateX(${x(places[report] ?? 0)}px)`];
    pin.style.transform = to;
    const far = [0.97, 0.03, 0.85, 0.15].map((place, turn) => (
      { transform: `translateX(${x(place)}px)`, offset: [0.15, 0.36, 0.56, 0.76][turn] ?? 1, easing: "ease-in-out" }));
    return [pin.animate([{ transform: from, easing: "ease-in-out" }, ...far, { transform: to }], { duration: FIRST + SECOND / 2 })];
  });
  made.node.append(element("figcaption.strip-caption", caption));
  return made;
}

/** How much chance falls on each bar. @param {number[]} places @param {number[]} shares @param {number} columns @param {number} joined */
function heap(places, shares, columns, joined) {
  const heights = Array.from({ length: Math.ceil(columns / joined) }, () => 0);
  shares.forEach((share, report) => {
    const bar = Math.floor(Math.round((places[report] ?? 0) * (columns - 1)) / joined);
    heights[bar] = (heights[bar] ?? 0) + share;
  });
  return heights;
}

/** @param {() => string} said @param {Attributes} attributes */
function words(said, attributes) {
  const node = drawing("text", attributes);
  live(() => { node.textContent = said(); });
  return node;
}
