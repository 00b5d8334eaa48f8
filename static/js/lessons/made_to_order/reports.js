/** The most frequent reports of a channel: the days that each names, and how likely it is under an answer. */

import { drawing, element } from "../../page/page.js";
import { inPercent } from "../rounding.js";
import { renew, tell } from "../drawing/renew.js";
import { number, say } from "../words.js";
import { CHANNELS, OPTIONS } from "./channels.js";

/** @typedef {import("./channels.js").Purpose} Purpose */

const SHOWN = 13;
const ROUNDS = 2;
const [CELL, HIGH, GAP, ROW, TOP, LEFT] = [24, 13, 2, 17, 20, 4];
const [BARS, WIDTH] = [LEFT + OPTIONS * CELL + 12, 372];
const MOST = 0.3; // the chance that a bar as wide as the drawing would have
const HEIGHT = TOP + (SHOWN + 1) * ROW + 12;

/** @param {string} name @param {number} x @param {number} y @param {string} words @param {string} [anchor] */
const text = (name, x, y, words, anchor = "middle") => drawing("text", { class: name, x, y, "text-anchor": anchor }, document.createTextNode(words));

/** @param {Purpose} purpose @param {number} report @param {number} answer @param {number} y @param {string} look */
function line(purpose, report, answer, y, look) {
  const { sets, chances } = CHANNELS[purpose];
  const named = sets[report] ?? [];
  const chance = chances[answer]?.[report] ?? 0;
  return [
    ...Array.from({ length: OPTIONS }, (_, day) => drawing("rect", { class: `day ${named.includes(day) ? "named" : ""}`, x: LEFT + day * CELL, y, width: CELL - GAP, height: HIGH, rx: 2 })),
    drawing("rect", { class: `bar ${named.includes(answer) ? "bright" : "dark"} ${look}`, x: BARS, y, width: Math.max(1, (WIDTH - BARS) * chance / MOST), height: HIGH }),
  ];
}

/** The reports of a channel, the most frequent first. @param {Purpose} purpose */
function frequent(purpose) {
  const { chances, sets } = CHANNELS[purpose];
  const means = sets.map((_, report) => chances.reduce((sum, row) => sum + (row[report] ?? 0), 0));
  return sets.map((_, report) => report).filter((report) => sets[report]?.length).sort((first, second) => (means[second] ?? 0) - (means[first] ?? 0) || first - second);
}

/** A figure of them, which can be drawn again. */
export function reports() {
  const svg = drawing("svg", { class: "reports-made", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const words = element("figcaption");
  return {
    node: element("figure.plot-figure", svg, words),
    /** @param {Purpose} purpose @param {number} answer @param {number | null} drawn the report that came out @param {number} [run] how far a mark is that runs over them */
    show(purpose, answer, drawn, run) {
      const { sets, chances } = CHANNELS[purpose];
      const all = frequent(purpose);
      const listed = all.slice(0, SHOWN);
      const at = run === undefined ? -1 : Math.floor(run * ROUNDS * listed.length) % listed.length;
      const foot = TOP + SHOWN * ROW + 10;
      const own = listed.findIndex((report) => sets[report]?.includes(answer));
      const other = listed.findIndex((report) => !sets[report]?.includes(answer));
      const chance = (/** @type {number} */ place) => inPercent(chances[answer]?.[listed[place] ?? 0] ?? 0);
      svg.setAttribute("aria-label", say("reports.name", { answer: number(answer), own: chance(own), other: chance(other) }));
      renew(svg, [
        drawing("rect", { class: "asked-day", x: LEFT + answer * CELL - GAP, y: 1, width: CELL + GAP, height: TOP + listed.length * ROW, rx: 3 }),
        ...Array.from({ length: OPTIONS }, (_, day) => text(day === answer ? "plot-label" : "tick", LEFT + day * CELL + (CELL - GAP) / 2, 14, number(day))),
        text("axis-title", WIDTH, 14, say("reports.chance"), "end"),
        ...listed.flatMap((report, place) => line(purpose, report, answer, TOP + place * ROW, report === drawn || place === at ? "out" : "")),
        ...(drawn === null ? [] : [...line(purpose, drawn, answer, foot, "out"), text("plot-label", WIDTH, foot + 11, say("reports.sent"), "end")]),
      ]);
      tell(words, say("reports.caption", { shown: number(listed.length), all: number(all.length) }));
    },
  };
}
