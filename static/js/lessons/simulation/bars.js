/** Three bars for each box, with their numbers beside them: original, noisy, and estimated with its interval. */

import { drawing, element } from "../../page/page.js";
import { renew } from "../drawing/renew.js";
import { resized } from "../drawing/resized.js";
import { ticks } from "../drawing/scale.js";
import { number, say } from "../words.js";

/** @typedef {import("./play.js").Box} Box */

const BAR = 22; // pixels for each bar
const THICK = 14;
const NUMBERS = 150; // pixels beside the bars
const TICK_ROOM = 75; // pixels for each number
const CHARACTER = 8; // pixels
/** What the noisy and the estimated bars are filled with: they can be told apart without colour. @type {Record<string, string>} */
const FILLS = { noisy: "url(#stars)", estimated: "url(#rays)" };

/** People are counted in whole numbers, and there is no minus before 0. @param {number} count */
export const people = (count) => number(Math.round(count) + 0);

/** Whether an estimate, as it is written, cannot be. @param {Box | undefined} box @param {number} respondents */
export function impossible(box, respondents) {
  const written = Math.round(box?.estimated ?? 0);
  return written < 0 || written > respondents;
}

/**
 * Bars that are drawn for the width that there is.
 *
 * @param {HTMLElement} place @returns {(...drawn: [names: readonly string[], boxes: readonly Box[], end?: number]) => void}
 *   `end` of the axis, at least: so that it stands still from run to run
 */
export function barsIn(place) {
  let width = 0;
  /** @type {Parameters<ReturnType<typeof barsIn>>} */
  let drawn = [[], []];
  const lay = () => { if (width > NUMBERS && drawn[1].length) renew(place, bars(width - NUMBERS, ...drawn)); };
  resized(place, (next) => {
    width = next;
    lay();
  });
  return (...now) => {
    drawn = now;
    lay();
  };
}

/** @param {number} width of the bars, in pixels: room for numbers below @param {readonly string[]} names @param {readonly Box[]} boxes @param {number} [end] */
function bars(width, names, boxes, end = 1) {
  const all = boxes.flatMap(({ original, noisy, estimated, low, high }) => [original, noisy, estimated, low, high]);
  const axis = { title: "", from: Math.min(0, ...all), to: Math.max(end, ...all) };
  const across = place(axis.from, axis.to);
  const marks = apart(ticks(axis, Math.max(3, Math.floor(width / TICK_ROOM))), width / (axis.to - axis.from));
  return [
    ...boxes.map((box, index) => element("div.trio",
      element("p.trio-name", names[index] ?? ""),
      element("dl.trio-numbers", ...[["original", number(box.original)], ["noisy", number(box.noisy)], ["estimated", people(box.estimated)]]
        .map(([kind, value]) => element("div", element("dt", say(`bars.${kind}`)), element("dd", value ?? "")))),
      drawing("svg", { class: "trio-bars", height: 3 * BAR, "aria-hidden": "true" },
        ...marks.map((mark) => drawing("line", { class: "grid", x1: across(mark), x2: across(mark), y1: 0, y2: 3 * BAR })),
        bar("original", 0, box.original, across),
        bar("noisy", 1, box.noisy, across),
        bar("estimated", 2, box.estimated, across),
        ...whisker(2.5 * BAR, box.low, box.high, across)))),
    element("div.trio.trio-axis", element("p", say("bars.axis")), scaleLine(marks, across)),
  ];
}

/** Every one, every second and so on of equal steps, 0 among them, so that their numbers stand apart. @param {number[]} marks @param {number} scale pixels for 1 */
function apart(marks, scale) {
  const longest = Math.max(...marks.map((mark) => number(mark).length));
  const gap = scale * ((marks[1] ?? 0) - (marks[0] ?? 0));
  const every = Math.ceil((CHARACTER * 1.5 * longest) / gap); // a number at an end is moved in by half of it
  const few = marks.filter((_, index) => (index - Math.max(0, marks.indexOf(0))) % every === 0);
  return few.length > 1 ? few : [marks[0] ?? 0, marks.at(-1) ?? 0];
}

/** From a number to a place in percent of the width. @param {number} from @param {number} to */
export const place = (from, to) => (/** @type {number} */ value) => `${(100 * (value - from) / (to - from)).toFixed(3)}%`;

/** The few numbers under bars or dots. @param {readonly number[]} marks @param {(value: number) => string} across @param {(value: number) => string} [write] */
export function scaleLine(marks, across, write = (value) => number(value)) {
  return drawing("svg", { class: "trio-bars", height: 24, "aria-hidden": "true" }, ...marks.map((mark) => {
    const at = Number.parseFloat(across(mark));
    return drawing("text", { class: "tick", x: across(mark), y: 16, "text-anchor": at < 13 ? "start" : at > 87 ? "end" : "middle" },
      document.createTextNode(write(mark)));
  }));
}

/** From 0 to the count, to the left of it where an estimate is below 0. @param {string} kind @param {number} row @param {number} value @param {(value: number) => string} across */
function bar(kind, row, value, across) {
  const [start, end] = [Math.min(0, value), Math.max(0, value)].map((edge) => Number.parseFloat(across(edge)));
  return drawing("rect", { class: `trio-bar ${kind}`, x: `${start}%`, width: `${((end ?? 0) - (start ?? 0)).toFixed(3)}%`,
    y: row * BAR + (BAR - THICK) / 2, height: THICK, fill: FILLS[kind] });
}

/** @param {number} y @param {number} low @param {number} high @param {(value: number) => string} across */
function whisker(y, low, high, across) {
  const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ up) => (
    drawing("line", { class: "whisker", x1: across(from), x2: across(to), y1: y - up, y2: y + up }));
  return [line(low, high, 0), line(low, low, 5), line(high, high, 5)];
}

/** The patterns, once for all bars. */
export const patterns = () => drawing("svg", { class: "visually-hidden", "aria-hidden": "true", width: 0, height: 0 }, drawing("defs", {},
  drawing("pattern", { id: "stars", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    drawing("rect", { class: "night", width: 8, height: 8 }),
    drawing("circle", { class: "star", cx: 2, cy: 2, r: 1.1 }), drawing("circle", { class: "star", cx: 6, cy: 6, r: 1.1 })),
  drawing("pattern", { id: "rays", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    drawing("rect", { class: "ray-ground", width: 6, height: 6 }), drawing("rect", { class: "ray", width: 2, height: 6 }))));
