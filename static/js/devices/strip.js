/** A strip on which a marker stops, under one line of chances for each of several answers. */

import { drawing, element, live } from "../page/page.js";
import { FIRST, SECOND, stage } from "./wheel.js";

/** Units of the drawing, which is as wide as the page allows. */
const ALL = 320;
const LINE = 44;
const LETTER = 7.4;
const SMALLER = 6.8;
const BETWEEN = 8;
/** Numbers with more letters than this are drawn smaller. */
const LETTERS = 12;
/** More bars than this are joined. */
const BARS = 61;

/**
 * @typedef {object} Strip
 * @property {number[]} places of the reports, in [0, 1]
 * @property {number} columns how many of them are equally spaced
 * @property {{at: number, name: () => string}[]} marks on the axis: the first two are always named, the others where they have room
 * @property {{at: number, name: () => string, shares: number[]}[]} rows the chances under several answers
 * @property {Filler} [unit] of all the names
 * @property {Filler} caption
 */

/** @param {Strip} strip @returns {Device} */
export function strip({ places, columns, marks, rows, unit, caption }) {
  const longest = Math.max(...[...marks, ...rows].map(({ name }) => name().length));
  const scale = Math.min(1, LETTERS / longest);
  const left = 20 + Math.max(2, ...rows.map(({ name }) => name().length)) * LETTER * scale;
  const width = ALL - left - 8;
  const joined = Math.ceil(columns / BARS);
  const bars = Math.ceil(columns / joined);
  /** Half a bar is left at both ends. @param {number} place */
  const x = (place) => left + (width * (0.5 + place * (bars - 1))) / bars;
  const bottom = rows.length * LINE + 40;
  // A fine grid has most of its chance at the ends: on the scale of roots the rest can be seen too.
  const heights = rows.map(({ shares }) => heap(places, shares, columns, joined).map((share) => (columns > 30 ? Math.sqrt(share) : share)));
  const tallest = Math.max(...heights.flat());
  const named = apart(marks.map(({ at, name }) => ({ at, name, middle: x(at), half: (name().length * SMALLER * scale) / 2 })));
  const pin = drawing("path", { class: "pin-mark", d: `M0 ${bottom - 3}l-7-15a7.6 7.6 0 1 1 14 0z` });
  const svg = drawing("svg", { class: "strip", viewBox: `0 0 ${ALL} ${bottom + 24}` },
    ...rows.flatMap(({ at, name }, index) => {
      const base = (index + 1) * LINE;
      return [
        words(name, { class: "row-name", x: left - 14, y: base - 2 }, scale),
        drawing("path", { class: "chances", d: (heights[index] ?? []).map((height, bar) => (
          `M${x(bar / (bars - 1)) - (width / bars) * 0.4} ${base}v${-(LINE - 8) * height / tallest}h${(width / bars) * 0.8}V${base}z`)).join("") }),
        drawing("path", { class: "base", d: `M${left - 6} ${base}H${left + width + 6}` }),
        drawing("path", { class: "own", d: `M${x(at)} ${base + 1}l-4 6h8z` }),
      ];
    }),
    drawing("path", { class: "track", d: `M${left - 6} ${bottom}H${left + width + 6}${named.map(({ at }) => `M${x(at)} ${bottom}v5`).join("")}` }),
    ...named.map(({ name, middle }) => words(name, { class: "mark-name", x: middle, y: bottom + 18 }, scale)),
    pin);
  pin.style.transform = `translateX(${x(0.5)}px)`;
  const made = stage("strip-device", [svg, ...(unit ? [element("p.unit", unit)] : [])], [], (/** @type {{report: number}} */ { report }) => {
    const [from, to] = [pin.style.transform, `translateX(${x(places[report] ?? 0)}px)`];
    pin.style.transform = to;
    const far = [0.97, 0.03, 0.85, 0.15].map((place, turn) => (
      { transform: `translateX(${x(place)}px)`, offset: [0.15, 0.36, 0.56, 0.76][turn] ?? 1, easing: "ease-in-out" }));
    return [pin.animate([{ transform: from, easing: "ease-in-out" }, ...far, { transform: to }], { duration: FIRST + SECOND / 2 })];
  });
  made.node.append(element("figcaption.strip-caption", caption));
  return made;
}

/**
 * Where names stand: inside the picture, the first two moved apart where they would meet, any other left out where it would meet those.
 *
 * @template {{middle: number, half: number}} Name
 * @param {Name[]} names
 */
function apart(names) {
  const [low, high, ...rest] = names.map((name) => ({ ...name, middle: Math.max(name.half, Math.min(ALL - name.half, name.middle)) }));
  if (!low || !high) return [];
  const push = Math.max(0, low.middle + low.half + BETWEEN - high.middle + high.half) / 2;
  low.middle -= push;
  high.middle += push;
  return [low, high, ...rest.filter(({ middle, half }) => [low, high].every((end) => Math.abs(end.middle - middle) >= end.half + half + BETWEEN))];
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

/** @param {() => string} said @param {Attributes} attributes @param {number} scale */
function words(said, attributes, scale) {
  const node = drawing("text", attributes);
  if (scale < 1) node.style.fontSize = `${12 * scale}px`;
  live(() => { node.textContent = said(); });
  return node;
}
