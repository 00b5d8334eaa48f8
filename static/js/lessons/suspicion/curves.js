/** The curves of belief after a report against belief before it, all in 100. */

import { drawing } from "../../page/page.js";
import { bounds } from "../../theory/suspicion.js";
import { beside } from "../drawing/line_labels.js";
import { area, curve, dot, label, line } from "../drawing/marks.js";
import { atLeast, atMost, hundredth } from "./amounts.js";
import { both } from "./bounds.js";
import { number, say } from "../words.js";

/** @typedef {{epsilon: number, words: string, look: Look, dash: number}} Compared a curve, how its epsilon is written and how it is drawn */

const GAP = /** @type {XY} */ ([NaN, NaN]);
/** Where no words may stand: the diagonal, and the words below it. */
const TAKEN = [{ text: "", points: /** @type {XY[]} */ ([[0, 0], [100, 100]]) }, { text: "", points: /** @type {XY[]} */ ([[40, 36], [84, 80]]) }];
const SAME = 0.005; // curves of epsilons so near each other are one line
const HIGH = 18; // pixels, of a line of words
const ROWS = Array.from({ length: 11 }, (_, index) => index / 10);

/**
 * @param {{prior: number, epsilon: number}} now the prior as a probability
 * @param {readonly Compared[]} compared
 * @param {Pick<Handle, "label" | "min" | "max" | "step" | "move">} handle of the prior, in 100 @returns {PlotPicture}
 */
export function picture({ prior, epsilon }, compared, handle) {
  const [low, high] = bounds(prior, epsilon);
  const [before, least, most] = [100 * prior, 100 * low, 100 * high];
  const [lower, upper] = both(epsilon);
  const said = spoken(prior, epsilon);
  const ends = { before, most, least, high: said.high, low: low === high ? "" : said.low };
  const own = { epsilon, words: number(epsilon, 4), look: /** @type {const} */ ("bright"), dash: 0 };
  const all = [...compared, own].sort((left, right) => left.epsilon - right.epsilon);
  const apart = compared.some((other) => Math.abs(other.epsilon - epsilon) < SAME) ? compared : all;
  return {
    name: say("curves.name", { ...said, epsilon: number(epsilon, 4) }),
    x: { title: say("curves.before"), from: 0, to: 100 },
    y: { title: say("curves.after"), from: 0, to: 100 },
    marks: [
      area([...upper, ...lower.toReversed()], "bright"),
      line([0, 0], [100, 100], "soft", 0),
      along(say("curves.nothing")),
      ...compared.flatMap((other) => both(other.epsilon).map((points) => curve(points, other.look, other.dash))),
      curve(upper, "bright"), curve(lower, "bright"),
      line([before, 0], [before, least], "soft", 2), line([before, least], [before, most], "ink", 0),
      dot([before, most], "bright"), dot([before, least], "dark"),
      words([...apart.map(named), ...TAKEN, { text: "", points: [[before, 0], [before, most]] }], ends),
    ],
    handles: [{ ...handle, at: [before, before], say: (value) => say("curves.point", spoken(value / 100, epsilon)) }],
    table: () => ({
      head: [say("curves.row"), ...all.map(({ words }) => say("curves.epsilon", { epsilon: words }))],
      rows: ROWS.map((row) => [hundredth(row), ...all.map((drawn) => {
        const ends = bounds(row, drawn.epsilon);
        return say("curves.from_to", { low: atLeast(ends[0]), high: atMost(ends[1]) });
      })]),
    }),
  };
}

/** @param {number} prior @param {number} epsilon */
function spoken(prior, epsilon) {
  const [low, high] = bounds(prior, epsilon);
  return { before: hundredth(prior), low: atLeast(low), high: atMost(high) };
}

/**
 * Both ends of the belief in numbers, above the foot of the picture and never on each other, then every epsilon on its line.
 *
 * @param {Parameters<typeof beside>[0]} lines @param {{before: number, most: number, least: number, high: string, low: string}} ends
 * @returns {Mark}
 */
const words = (lines, { before, most, least, high, low }) => (sides) => {
  const [top, foot] = [sides.y(most), sides.y(least)];
  const under = Math.min(foot + 18, sides.bottom - 4);
  const numbers = [
    { text: high, at: /** @type {XY} */ ([before, most]), dx: 12, dy: Math.min(top - (low ? 8 : 14), low ? under - HIGH : sides.bottom - 4) - top },
    ...(low ? [{ text: low, at: /** @type {XY} */ ([before, least]), dx: 12, dy: under - foot }] : [])];
  const taken = [...numbers, { at: numbers[0]?.at ?? [0, 0], reach: 8 }, { at: /** @type {XY} */ ([before, least]), reach: 8 }, { at: /** @type {XY} */ ([before, before]), reach: 14 }];
  return [...beside(lines, taken)(sides), ...numbers.flatMap((end) => label(end)(sides))];
};

/** Both curves of an epsilon, with a gap between them, and how it is written on one of them. @param {Compared} compared */
const named = ({ epsilon, words }) => {
  const [lower, upper] = both(epsilon);
  return { text: words, on: true, points: [...lower, GAP, ...upper] };
};

/** Words along the diagonal, which is as steep as the plot is high. @param {string} words @returns {Mark} */
const along = (words) => ({ x, y }) => {
  const [across, up] = [x(82), y(82)];
  const angle = Math.atan2(y(100) - y(0), x(100) - x(0)) * 180 / Math.PI;
  return [drawing("text", { class: "plot-label quiet-label", "text-anchor": "end", x: across, y: up, dy: 15,
    transform: `rotate(${angle} ${across} ${up})` }, document.createTextNode(words))];
};
