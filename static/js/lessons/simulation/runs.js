/** The same survey again and again: in pieces, so that the page stays alive, and what the estimates did. */

import { drawing, element } from "../../page/page.js";
import { coverage } from "../../theory/interval.js";
import { countDeviation, deviation, estimateDeviation, price } from "../../theory/spread.js";
import { place, scaleLine } from "./bars.js";
import { ticks } from "../drawing/scale.js";
import { fixed, number, percent, say } from "../words.js";

/** @typedef {import("./play.js").Box} Box */

/** How many runs. */
export const RUNS = 100;

const PIECE = 30; // milliseconds of work before the page may do something else
const BINS = 41;
const DOT = 6; // pixels

/**
 * @param {number} runs @param {() => Box[]} play @param {(runs: readonly Box[][]) => void} show after every piece
 * @returns {() => void} stops it
 */
export function repeat(runs, play, show) {
  /** @type {Box[][]} */
  const done = [];
  let timer = 0;
  const piece = () => {
    const end = performance.now() + PIECE;
    do done.push(play()); while (done.length < runs && performance.now() < end);
    if (done.length < runs) timer = window.setTimeout(piece);
    show(done);
  };
  timer = window.setTimeout(piece);
  return () => window.clearTimeout(timer);
}

/**
 * What theory says of one box, in respondents: it does not change from run to run.
 *
 * @param {number} share @param {number} respondents @param {number} p bright share
 */
export const theory = (share, respondents, p) => ({
  share,
  truth: share * respondents,
  deviation: respondents * estimateDeviation(share, respondents, p),
  times: share > 0 && share < 1 ? price(share, p) : null,
  coverage: coverage(share, respondents, p),
});

/** What the estimates of one box did. @param {readonly Box[]} boxes one for each run @param {ReturnType<typeof theory>} known */
export function summary(boxes, known) {
  return {
    ...known,
    errors: boxes.map(({ estimated, inside }) => ({ error: estimated - known.truth, inside })),
    observed: deviation(boxes.map(({ estimated }) => estimated)),
    held: boxes.filter(({ inside }) => inside).length,
  };
}

/** @typedef {ReturnType<typeof summary>} Summary */

/** @param {readonly string[]} names @param {readonly Summary[]} boxes one run or more */
export function spread(names, boxes) {
  const runs = boxes[0]?.errors.length ?? 0;
  const widest = Math.max(...boxes.flatMap(({ errors, deviation: sd }) => [3.2 * sd, ...errors.map(({ error }) => Math.abs(error))]));
  const across = place(-widest, widest);
  const marks = ticks({ title: "", from: -widest, to: widest }, 5);
  return [
    ...boxes.map((box, index) => element("div.strip-row",
      element("div.strip-words", element("p.trio-name", names[index] ?? ""),
        element("p", said(box, runs))),
      dots(box, widest, across))),
    element("div.strip-row.trio-axis", element("p", say("spread.axis")),
      scaleLine(marks, across, (value) => (value ? number(value) : say("spread.truth")))),
  ];
}

/** @param {Summary} box @param {number} runs */
function said({ held, coverage: chance, observed, deviation: sd, times }, runs) {
  return [say("spread.box", { held: number(held), runs: number(runs), expected: fixed(runs * chance, 1), observed: fixed(observed, 1), theory: fixed(sd, 1) }),
    times === null ? "" : say("spread.price", { times: number(times, 2) })].join(" ");
}

/** Each dot is one run; those whose interval misses the true value are crosses. @param {Summary} box @param {number} widest @param {(value: number) => string} across */
function dots({ errors }, widest, across) {
  /** @type {number[]} */
  const heaps = new Array(BINS).fill(0);
  const placed = errors.map(({ error, inside }) => {
    const bin = Math.min(BINS - 1, Math.floor((error + widest) / (2 * widest) * BINS));
    const level = heaps[bin] ?? 0;
    heaps[bin] = level + 1;
    return { x: across(((bin + 0.5) / BINS * 2 - 1) * widest), level, inside };
  });
  const height = DOT * Math.max(5, ...heaps) + 6;
  return drawing("svg", { class: "trio-bars", height, "aria-hidden": "true" },
    drawing("line", { class: "truth-line", x1: "50%", x2: "50%", y1: 0, y2: height }),
    ...placed.map(({ x, level, inside }) => run(x, height - 3 - DOT / 2 - level * DOT, inside)),
    drawing("line", { class: "axis", x1: 0, x2: "100%", y1: height - 1, y2: height - 1 }));
}

/** @param {string} x in percent @param {number} y @param {boolean} inside */
function run(x, y, inside) {
  if (inside) return drawing("circle", { class: "run", cx: x, cy: y, r: DOT / 2 - 0.4 });
  return drawing("svg", { class: "run-missed", x, y, overflow: "visible" }, drawing("path", { d: "M-3 -3L3 3M-3 3L3 -3" }));
}

/** How many intervals held the true value, and how many should: of all boxes and runs. @param {readonly Summary[]} boxes */
export function covered(boxes) {
  const [all, held, expected, variance] = [
    total(boxes, ({ errors }) => errors.length), total(boxes, (box) => box.held),
    total(boxes, ({ errors, coverage: chance }) => errors.length * chance),
    total(boxes, ({ errors, coverage: chance }) => countDeviation(errors.length, chance) ** 2)]; // every box is randomized by itself
  return say("spread.all", { held: number(held), all: number(all), share: percent(held / all),
    expected: fixed(expected, 1), around: fixed(2 * Math.sqrt(variance), 1) });
}

/** @param {readonly Summary[]} boxes @param {(box: Summary) => number} part */
const total = (boxes, part) => boxes.reduce((sum, box) => sum + part(box), 0);
