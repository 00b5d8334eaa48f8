/** The curves of belief after a report against belief before it. */

import { drawing } from "../../page/page.js";
import { bounds } from "../../theory/suspicion.js";
import { beside } from "../beside.js";
import { area, curve, dot, label, line } from "../marks.js";
import { atLeast, atMost, hundredth } from "./amounts.js";
import { number, say } from "../words.js";

/** @typedef {{epsilon: number, words: string, look: Look, dash: number}} Compared a curve, how its epsilon is written and how it is drawn */

/** Even steps of the logarithm of the odds: smooth where a curve is steep, near both ends. */
const STEPS = Array.from({ length: 161 }, (_, index) => (index - 80) / 8);
const GAP = /** @type {XY} */ ([NaN, NaN]);
/** Where no words may stand: the diagonal, and the words below it. */
const TAKEN = [{ text: "", points: /** @type {XY[]} */ ([[0, 0], [1, 1]]) }, { text: "", points: /** @type {XY[]} */ ([[0.4, 0.36], [0.84, 0.8]]) }];
const SAME = 0.005; // curves of epsilons so near each other are one line
const ROWS = Array.from({ length: 11 }, (_, index) => index / 10);

/**
 * @param {{prior: number, epsilon: number}} now @param {readonly Compared[]} compared
 * @param {Pick<Handle, "label" | "min" | "max" | "step" | "move">} handle of the prior @returns {PlotPicture}
 */
export function picture({ prior, epsilon }, compared, handle) {
  const [low, high] = bounds(prior, epsilon);
  const [lower, upper] = both(epsilon);
  const said = { before: hundredth(prior), high: atMost(high), low: atLeast(low) };
  const all = [...compared, { epsilon, words: number(epsilon, 4), look: /** @type {const} */ ("bright"), dash: 0 }].sort((one, other) => one.epsilon - other.epsilon);
  const values = [{ text: said.high, at: /** @type {XY} */ ([prior, high]), dx: 10, dy: -8 }, { text: said.low, at: /** @type {XY} */ ([prior, low]), dx: 10, dy: 18 }];
  return {
    name: say("curves.name", { ...said, epsilon: number(epsilon, 4) }),
    x: { title: say("curves.before"), from: 0, to: 1 },
    y: { title: say("curves.after"), from: 0, to: 1 },
    marks: [
      area([...upper, ...lower.toReversed()], "bright"),
      line([0, 0], [1, 1], "soft", 0),
      along(say("curves.nothing")),
      ...compared.flatMap((each) => both(each.epsilon).map((points) => curve(points, each.look, each.dash))),
      curve(upper, "bright"), curve(lower, "bright"),
      line([prior, 0], [prior, high], "ink", 2),
      beside([...all.filter(({ words, epsilon: each }) => compared.every((other) => other.words === words || Math.abs(other.epsilon - each) > SAME)).map(named), ...TAKEN, { text: "", points: [[prior, 0], [prior, high]] }],
        [...values, { at: [prior, high], reach: 8 }, { at: [prior, low], reach: 8 }, { at: [prior, 0], reach: 14 }]),
      dot([prior, prior], "soft"), dot([prior, high], "bright"), dot([prior, low], "dark"),
      ...values.map(label),
    ],
    handles: [{ ...handle, at: [prior, 0], say: (value) => say("curves.point", spoken(value, epsilon)) }],
    table: {
      head: [say("curves.row"), ...all.map(({ words }) => say("curves.epsilon", { epsilon: words }))],
      rows: ROWS.map((row) => [hundredth(row), ...all.map((each) => {
        const [least, most] = bounds(row, each.epsilon);
        return say("curves.from_to", { low: atLeast(least), high: atMost(most) });
      })]),
    },
  };
}

/** @param {number} prior @param {number} epsilon */
function spoken(prior, epsilon) {
  const [low, high] = bounds(prior, epsilon);
  return { before: hundredth(prior), low: atLeast(low), high: atMost(high) };
}

/** The lower bound and the upper one, from end to end. @param {number} epsilon @returns {[XY[], XY[]]} */
function both(epsilon) {
  const priors = (/** @type {number} */ shift) => [0, ...STEPS.map((step) => 1 / (1 + Math.exp(shift - step))), 1];
  return [
    priors(-epsilon / 2).map((prior) => [prior, bounds(prior, epsilon)[0]]),
    priors(epsilon / 2).map((prior) => [prior, bounds(prior, epsilon)[1]]),
  ];
}

/** Both curves of an epsilon, with a gap between them, and how it is written on one of them. @param {Compared} compared */
const named = ({ epsilon, words }) => ({ text: words, on: true, points: [...both(epsilon)[0], GAP, ...both(epsilon)[1]] });

/** Words along the diagonal, which is as steep as the plot is high. @param {string} words @returns {Mark} */
const along = (words) => ({ x, y }) => {
  const [across, up] = [x(0.82), y(0.82)];
  const angle = Math.atan2(y(1) - y(0), x(1) - x(0)) * 180 / Math.PI;
  return [drawing("text", { class: "plot-label quiet-label", "text-anchor": "end", x: across, y: up, dy: 15,
    transform: `rotate(${angle} ${across} ${up})` }, document.createTextNode(words))];
};
