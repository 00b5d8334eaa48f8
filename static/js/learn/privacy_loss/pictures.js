/** The loss as a random variable: how it is distributed, what lies beyond epsilon, and how much of that counts as delta. */

import { lossWeight } from "../../theory/loss.js";
import { beside } from "../beside.js";
import { area, bar, curve, label, line } from "../marks.js";
import { chance, ten } from "../powers.js";
import { number, say } from "../words.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */

const STEPS = 200;
const LEAST = -6; // the least power of ten that is drawn
const MOST = 6; // the greatest epsilon
const EPSILONS = Array.from({ length: 240 }, (_, index) => (index + 1) * MOST / 240);
const ROWS = 10;

/** @param {number} from @param {number} to @param {number} steps */
const between = (from, to, steps) => Array.from({ length: steps + 1 }, (_, index) => from + (to - from) * index / steps);

/** The whole distribution, with what is beyond epsilon filled. @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @returns {PlotPicture} */
export function losses(mechanism, parameter, epsilon) {
  const [from, to] = mechanism.losses(epsilon, parameter);
  const { curveOf, atoms, highest, title, cells } = shape(mechanism, parameter);
  const wide = 0.035 * (to - from);
  return {
    name: say("losses.name", { epsilon: number(epsilon), tail: chance(mechanism.exceeds(epsilon, parameter)) }),
    x: { title: say("loss"), from, to },
    y: { title, from: 0, to: 1.2 * highest(from, to), format: chance },
    marks: [
      ...(mechanism.density ? [area(curveOf(epsilon, to), "bright"), curve(curveOf(from, to), "ink")] : []),
      ...atoms.map(([loss, weight]) => bar({ x: loss, y: weight, width: wide, look: loss > epsilon ? "bright" : "soft" })),
      line([epsilon, 0], [epsilon, 1.2 * highest(from, to)], "accent", 1),
      ...atoms.map(([loss, weight]) => label({ text: chance(weight, 3), at: [loss, weight], dy: -7, anchor: "middle" })),
      label({ text: "ε", at: [epsilon, 1.2 * highest(from, to)], dy: -5, anchor: "middle" }), // above all other words
    ],
    table: { head: [say("loss"), title], rows: cells(between(from, to, ROWS)) },
  };
}

/** What is beyond epsilon alone: all of it, and within it what counts. @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @returns {PlotPicture} */
export function tail(mechanism, parameter, epsilon) {
  const to = mechanism.end(epsilon, parameter);
  const { curveOf, atoms, highest, title, cells } = shape(mechanism, parameter);
  const beyond = atoms.filter(([loss]) => loss > epsilon);
  const weighed = (/** @type {number} */ loss, /** @type {number} */ whole) => whole * lossWeight(loss, epsilon);
  const points = curveOf(epsilon, to);
  const inner = points.map(([loss, whole]) => /** @type {XY} */ ([loss, weighed(loss, whole)]));
  const wide = 0.06 * (to - epsilon);
  return {
    name: say("tail.name", { tail: chance(mechanism.exceeds(epsilon, parameter)), delta: chance(mechanism.delta(epsilon, parameter)) }),
    x: { title: say("loss"), from: epsilon, to },
    y: { title, from: 0, to: 1.2 * highest(epsilon, to), format: chance },
    marks: [
      ...(mechanism.density ? [area(points, "soft"), area(inner, "bright"), curve(points, "ink", 1), curve(inner, "bright"),
        ...named(points, beyond.length ? chance(mechanism.exceeds(epsilon, parameter) - sumOf(beyond), 3) : say("tail.short"), -8, 8),
        ...named(inner, "δ", -6, 4)] : []),
      ...beyond.flatMap(([loss, weight]) => [
        bar({ x: loss, y: weight, width: wide, look: "soft" }),
        bar({ x: loss, y: weighed(loss, weight), width: wide, look: "bright" }),
        label({ text: "δ", at: [loss - wide / 2, weighed(loss, weight)], dx: -7, dy: 14, anchor: "end" }),
        label({ text: chance(weight, 3), at: [loss, weight], dy: -7, anchor: "middle" })]),
    ],
    table: {
      head: [say("loss"), title, say("tail.counts"), say("tail.counted")],
      rows: cells(between(epsilon, to, ROWS), beyond, (loss, whole) => [number(lossWeight(loss, epsilon), 4), chance(weighed(loss, whole))]),
    },
  };
}

/** delta for every epsilon, with the point that is asked for. @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @param {Omit<Handle, "at" | "say">} handle @returns {PlotPicture} */
export function deltas({ exceeds, delta }, parameter, epsilon, handle) {
  const least = 10 ** LEAST;
  /** Down to the foot of the plot, and no further. @param {(epsilon: number, parameter: number) => number} of @returns {XY[]} */
  const drawn = (of) => {
    const values = EPSILONS.map((each) => Math.max(least, of(each, parameter)));
    const end = values.indexOf(least);
    return EPSILONS.slice(0, end < 0 ? undefined : end + 1).map((each, index) => [each, values[index] ?? least]);
  };
  const said = (/** @type {number} */ each) => ({ epsilon: number(each), delta: chance(delta(each, parameter)), tail: chance(exceeds(each, parameter)) });
  const [all, part] = [drawn(exceeds), drawn(delta)];
  const at = /** @type {XY} */ ([epsilon, Math.max(least, delta(epsilon, parameter))]);
  return {
    name: say("deltas.name", said(epsilon)),
    x: { title: say("epsilon"), from: 0, to: MOST },
    y: { title: say("deltas.chance"), from: least, to: 1, log: true, format: (value) => ten(Math.round(Math.log10(value))) },
    marks: [curve(all, "ink", 1), curve(part, "bright"), beside([{ text: say("tail.short"), points: all }, { text: "δ(ε)", points: part }], [{ at, reach: 14 }])],
    handles: [{ ...handle, at, say: (value) => say("deltas.point", said(value)) }],
    table: {
      head: [say("epsilon"), say("tail.short"), "δ(ε)"],
      rows: between(0, MOST, 12).slice(1).map((each) => [number(each), chance(exceeds(each, parameter)), chance(delta(each, parameter))]),
    },
  };
}

/** @param {readonly (readonly [number, number])[]} atoms */
const sumOf = (atoms) => atoms.reduce((sum, [, weight]) => sum + weight, 0);

/** Words at a line, a part of the way along: above it, or below. @param {XY[]} points @param {string} text @param {number} dy @param {number} part @returns {Mark[]} */
function named(points, text, dy, part) {
  const at = points[Math.floor(points.length / part)];
  return at ? [label({ text, at, dx: dy < 0 ? 6 : -6, dy, anchor: dy < 0 ? "start" : "end" })] : [];
}

/** What both pictures of the distribution need. @param {Mechanism} mechanism @param {number} parameter */
function shape({ atoms: atomsOf, density }, parameter) {
  const atoms = atomsOf(parameter);
  const at = (/** @type {number} */ loss) => density?.(loss, parameter) ?? 0;
  /** @param {number} from @param {number} to @returns {XY[]} */
  const curveOf = (from, to) => (from < to ? between(from, to, STEPS).map((loss) => [loss, at(loss)]) : []);
  return {
    atoms,
    curveOf,
    title: say(density ? (atoms.length ? "losses.both" : "density") : "losses.chance"),
    highest: (/** @type {number} */ from, /** @type {number} */ to) => Math.max(
      ...curveOf(from, to).map(([, value]) => value), ...atoms.filter(([loss]) => loss >= from).map(([, weight]) => weight)) || 1,
    /** Rows of the table: the atoms, marked as such, then the density. @param {number[]} places @param {readonly (readonly [number, number])[]} [shown] @param {(loss: number, whole: number) => string[]} [more] */
    cells: (places, shown = atoms, more = () => []) => [
      ...shown.map(([loss, weight]) => [say("losses.atom", { loss: number(loss, 2) }), chance(weight), ...more(loss, weight)]),
      ...(density ? places.map((loss) => [number(loss, 2), chance(at(loss)), ...more(loss, at(loss))]) : []),
    ],
  };
}
