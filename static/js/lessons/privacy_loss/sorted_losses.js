/** The picture of the lesson: all reports side by side, each as wide as its probability, and how much of each counts in delta. */

import { lossWeight } from "../../theory/loss.js";
import { beside } from "../drawing/line_labels.js";
import { area, curve, label } from "../drawing/marks.js";
import { chance, inColumn } from "../small_chances.js";
import { number, say } from "../words.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */
/** @typedef {{kind: string, mechanism: Mechanism, parameter: number}} Device a mechanism as it is set */
/** @typedef {{label: string, range: {min: number, max: number}, move: (epsilon: number) => void}} Edge */

const STEPS = 160;
const ROWS = 8;
const DIGITS = 1000; // three after the point
const HALVINGS = 30; // of the range of epsilon: more than its three digits need
const HIGH = 1.14; // room for words above the highest that there can be
const REACH = 14; // pixels, of a handle
const WIDE = 0.28; // so wide and so high must an area be to have its delta in it
const HEIGHT = 0.12;
const LOW = 0.2; // how far up it stands, in parts of the height
/** Lines of the two that are not chosen, told apart without colour. */
const DASHES = /** @type {Record<string, number>} */ ({ response: 3, laplace: 2, gaussian: 0 });

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

/** The edge of what is above epsilon, to drag, where it moves at all. @param {Device} chosen @param {number} epsilon @param {Edge} edge @returns {Handle[]} */
function edgeOf({ mechanism, parameter }, epsilon, { label: name, range, move }) {
  if (!mechanism.noise) return [];
  const most = mechanism.exceeds(range.min, parameter);
  return [{
    label: name, at: [mechanism.exceeds(epsilon, parameter), 0.5], min: 0, max: most, step: 0.01,
    say: () => say("sorted.edge", { epsilon: number(epsilon), tail: inColumn(mechanism.exceeds(epsilon, parameter)) }),
    move: (tail) => move(epsilonOf(mechanism, parameter, tail, range)),
  }];
}

/** The chosen one filled, the others as lines in the same axes. @param {readonly Device[]} devices @param {string} chosen @param {number} epsilon @param {Edge} edge @returns {PlotPicture} */
export function picture(devices, chosen, epsilon, edge) {
  const shapes = devices.map(({ kind, mechanism, parameter }) => ({ kind, mechanism, parameter, points: sorted(mechanism, parameter, epsilon),
    tail: mechanism.exceeds(epsilon, parameter), delta: mechanism.delta(epsilon, parameter) }));
  const drawn = shapes.find(({ kind }) => kind === chosen);
  if (!drawn) throw new RangeError(`chosen must be one of ${devices.map(({ kind }) => kind)}, got ${chosen}`);
  const { tail } = drawn;
  /** @param {typeof drawn} shape @returns {XY[]} */
  const outline = ({ points, tail: end }) => (points.length ? [...points, [end, 0]] : [[0, 0], [1, 0]]);
  const all = /** @type {XY[]} */ (tail > 0 ? [[0, 0], [0, 1], [tail, 1], [tail, 0]] : []);
  const words = wordsOf(drawn);
  const handles = edgeOf(drawn, epsilon, edge);
  /** @param {typeof drawn} shape */
  const named = (shape) => (shape === drawn && tail > 0 ? { text: words.length > 1 ? "" : deltaOf(shape) }
    : { text: say("sorted.named", { mechanism: say(`short.${shape.kind}`), delta: inColumn(shape.delta) }), short: say(`short.${shape.kind}`) });
  return {
    name: say("sorted.name", { epsilon: number(epsilon), all: shapes.map((shape) => (
      say("sorted.each", { mechanism: say(`set.${shape.kind}`, { value: number(shape.parameter) }), tail: inColumn(shape.tail), delta: inColumn(shape.delta) }))).join("; ") }),
    x: { title: say("sorted.reports"), from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    y: { title: say("sorted.counts"), from: 0, to: HIGH, ticks: [0, 0.5, 1] },
    marks: [
      area(drawn.points, "bright"),
      ...shapes.filter((shape) => shape !== drawn).map((shape) => curve(outline(shape), "ink", DASHES[shape.kind])),
      curve([...outline(drawn), [1, 0]], "bright"),
      ...(tail > 0 ? [curve(all, "accent", 1)] : []), ...words.map(label),
      beside([...shapes.map((shape) => ({ ...named(shape), points: outline(shape) })), { text: "", points: all }],
        [...words, ...handles.map(({ at }) => ({ at, reach: REACH }))]),
    ],
    handles,
    table: () => ({
      head: [say("sorted.loss"), say("sorted.counts"), ...shapes.map(({ kind, parameter }) => say(`set.${kind}`, { value: number(parameter) }))],
      rows: rows(devices, epsilon),
    }),
  };
}

/** @param {{delta: number}} shape */
const deltaOf = ({ delta }) => say("sorted.delta", { delta: inColumn(delta) });

/** What stands at the filled one: its name on the rectangle, and delta in the area if there is room. @param {{kind: string, tail: number, delta: number, points: readonly XY[]}} shape @returns {PlotLabel[]} */
function wordsOf({ kind, tail, delta, points }) {
  if (!(tail > 0)) return [];
  const height = points[0]?.[1] ?? 0;
  const all = /** @type {PlotLabel} */ ({ text: say("sorted.all", { mechanism: say(`short.${kind}`), tail: inColumn(tail) }), at: [0, 1], dx: 4, dy: -7 });
  return tail > WIDE && height > HEIGHT ? [all, { text: deltaOf({ delta }), at: [0, LOW * height], dx: 8, dy: 5 }] : [all];
}

/** Losses from epsilon upwards: what counts of each, and how likely a greater one is. @param {readonly Device[]} devices @param {number} epsilon */
function rows(devices, epsilon) {
  const top = Math.max(...devices.map(({ mechanism: { bound, far }, parameter }) => Math.min(bound(parameter), Math.max(far(parameter), epsilon + 2))));
  return Array.from({ length: ROWS + 1 }, (_, index) => epsilon + Math.max(0, top - epsilon) * index / ROWS)
    .map((loss) => [number(loss, 2), chance(lossWeight(loss, epsilon)), ...devices.map(({ mechanism, parameter }) => chance(mechanism.exceeds(loss, parameter)))]);
}
