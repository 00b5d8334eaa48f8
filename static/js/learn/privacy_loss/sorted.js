/** The picture of the lesson: all reports side by side, each as wide as its probability, and how much of each counts in delta. */

import { lossWeight } from "../../theory/loss.js";
import { area, curve, label } from "../marks.js";
import { chance } from "../powers.js";
import { number, say } from "../words.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */

const STEPS = 160;
const ROWS = 8;
const DIGITS = 1000; // three after the point
const HALVINGS = 30; // of the range of epsilon: more than its three digits need
const HIGH = 1.14; // room for words above the highest that there can be
const WIDE = { letter: 0.1, number: 0.28, rest: 0.62 }; // so wide must an area be for its name, and at most so wide for that of the rest
const HEIGHT = 0.12; // of an area that has room for its name

/**
 * Where the filled area ends: P(L > loss), and the weight of that loss, from the greatest loss down to epsilon. Nothing if no
 * loss is above epsilon.
 *
 * @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @param {number} [steps] @returns {XY[]}
 */
export function sorted({ exceeds, bound, far }, parameter, epsilon, steps = STEPS) {
  if (epsilon >= bound(parameter)) return [];
  const top = Math.min(bound(parameter) * (1 - 1e-9), Math.max(far(parameter), epsilon + 6)); // just below a bound: at it, nothing is above
  return [[0, lossWeight(top, epsilon)], ...Array.from({ length: steps + 1 }, (_, index) => {
    const loss = top + (epsilon - top) * index / steps;
    return /** @type {XY} */ ([exceeds(loss, parameter), lossWeight(loss, epsilon)]);
  })];
}

/** The epsilon above which so much lies, of the range that can be set; the tail only falls. @param {Mechanism} mechanism @param {number} parameter @param {number} tail @param {{min: number, max: number}} range */
function epsilonOf({ exceeds }, parameter, tail, { min, max }) {
  let [low, high] = [min, max];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (exceeds(middle, parameter) > tail) low = middle;
    else high = middle;
  }
  return Math.max(min, Math.floor(low * DIGITS) / DIGITS); // not up: at a bound nothing is left above
}

/** The edge of what is above epsilon, to drag, where it moves at all. @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @param {Edge} edge @returns {Handle[]} */
function edgeOf(mechanism, parameter, epsilon, { label: name, range, move }) {
  if (!mechanism.noise) return [];
  const most = mechanism.exceeds(range.min, parameter);
  return [{
    label: name, at: [mechanism.exceeds(epsilon, parameter), 0.5], min: 0, max: most, step: 0.01,
    say: () => say("sorted.edge", { epsilon: number(epsilon), tail: chance(mechanism.exceeds(epsilon, parameter), 3) }),
    move: (tail) => move(epsilonOf(mechanism, parameter, tail, range)),
  }];
}

/** @typedef {{label: string, range: {min: number, max: number}, move: (epsilon: number) => void}} Edge */

/** @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @param {Edge} edge @returns {PlotPicture} */
export function picture(mechanism, parameter, epsilon, edge) {
  const [tail, delta] = [mechanism.exceeds(epsilon, parameter), mechanism.delta(epsilon, parameter)];
  const points = sorted(mechanism, parameter, epsilon);
  const height = points[0]?.[1] ?? 0;
  const words = [
    ...(tail > 0 ? [label({ text: say("sorted.all", { tail: chance(tail, 3) }), at: [0, 1], dx: 4, dy: -7 })] : []),
    ...(tail > WIDE.letter && height > HEIGHT ? [label({ text: tail > WIDE.number ? say("sorted.delta", { delta: chance(delta, 3) }) : "δ", at: [0, 0.2 * height], dx: 8, dy: 5 })] : []),
    ...(tail < WIDE.rest ? [label({ text: say("sorted.rest"), at: [1, 0], dx: -4, dy: -9, anchor: "end" })] : []),
  ];
  return {
    name: say("sorted.name", { epsilon: number(epsilon), tail: chance(tail), delta: chance(delta) }),
    x: { title: say("sorted.reports"), from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    y: { title: say("sorted.counts"), from: 0, to: HIGH, ticks: [0, 0.5, 1] },
    marks: [
      area(points, "bright"),
      curve([...points, [tail, 0], [1, 0]], "bright"),
      ...(tail > 0 ? [curve([[0, 0], [0, 1], [tail, 1], [tail, 0]], "accent", 1)] : []),
      ...words,
    ],
    handles: edgeOf(mechanism, parameter, epsilon, edge),
    table: {
      head: [say("sorted.loss"), say("tail.short"), say("sorted.counts")],
      rows: rows(mechanism, parameter, epsilon),
    },
  };
}

/** Losses from epsilon upwards. @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon */
function rows({ exceeds, bound, far }, parameter, epsilon) {
  const top = Math.min(bound(parameter), Math.max(far(parameter), epsilon + 2));
  return Array.from({ length: ROWS + 1 }, (_, index) => epsilon + Math.max(0, top - epsilon) * index / ROWS)
    .map((loss) => [number(loss, 2), chance(exceeds(loss, parameter)), chance(lossWeight(loss, epsilon))]);
}
