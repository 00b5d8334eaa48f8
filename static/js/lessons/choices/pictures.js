/** One of five options, drawn by its utility: how often each comes out under two answers, and the ratio of the two. */

import { exponentialChances, scores, textbookScale, tightScale } from "../../theory/exponential.js";
import { countDeviation } from "../../theory/spread.js";
import { atMost } from "../rounding.js";
import { bar, dot, ghost, label, line, whisker } from "../drawing/marks.js";
import { fixed, number, say } from "../words.js";

/** @typedef {{answer: number, other: number, epsilon: number, textbook: boolean}} Choice two answers, 0 to 4 */
/** @typedef {Choice & {counts: readonly number[], before: Choice | undefined}} Shown how often each option has come out */

export const OPTIONS = 5;
export const EPSILON = { min: 0.2, max: 3, step: 0.05 };
export const HUNDRED = 100; // draws
const ROOF = { answer: 65, other: 77, top: 80 }; // in 100; above the bars stand the two answers
const MOST = 20; // a round ratio within which e^3 almost lies, and 1/e^3
const WIDE = 0.34;
const PLACES = Array.from({ length: OPTIONS }, (_, option) => option);

/** @param {number} option 0 to 4 */
export const named = (option) => say(`option.${option + 1}`);

/** How likely every option is under an answer. @param {Choice} choice @param {number} answer */
export const chancesOf = ({ epsilon, textbook }, answer) => exponentialChances(OPTIONS, (textbook ? textbookScale : tightScale)(OPTIONS, epsilon))[answer] ?? [];

/** How many times as likely an option is under the one answer as under the other. @param {Choice} choice @param {number} option */
const ratioOf = (choice, option) => (chancesOf(choice, choice.answer)[option] ?? 0) / (chancesOf(choice, choice.other)[option] ?? 1);

/** The bound of every ratio. @param {number} epsilon */
export const times = (epsilon) => atMost(Math.exp(epsilon), 2);

/** Two standard errors of an option's count among a hundred draws. @param {Choice} choice @param {number} answer @param {number} option */
const twice = (choice, answer, option) => 2 * countDeviation(HUNDRED, chancesOf(choice, answer)[option] ?? 0);

/** How many of the counts are within two standard errors of what is expected. @param {Shown} shown */
export const within = (shown) => shown.counts.filter((count, option) => (
  Math.abs(count - HUNDRED * (chancesOf(shown, shown.answer)[option] ?? 0)) <= twice(shown, shown.answer, option))).length;

const across = { from: 0.5, to: OPTIONS + 0.5, ticks: PLACES.map((option) => option + 1), format: (/** @type {number} */ place) => named(place - 1) };

/** @param {Shown} shown @param {(changed: {answer?: number, other?: number}) => void} move @returns {PlotPicture} */
export function chances(shown, move) {
  const { answer, other, counts, before } = shown;
  const [mine, theirs] = [chancesOf(shown, answer), chancesOf(shown, other)].map((row) => row.map((chance) => HUNDRED * chance));
  const utilities = scores(OPTIONS)[answer] ?? [];
  const drawn = counts.reduce((sum, count) => sum + count, 0);
  const former = before && chancesOf(before, before.answer);
  /** @param {number} place @param {"answer" | "other"} which @returns {Mark} */
  const tag = (place, which) => label({ text: say(`bars.${which === "other" ? "against" : which}`), at: [place + 1, ROOF[which]], dx: place > 2 ? -15 : 15, dy: 5, anchor: place > 2 ? "end" : "start" });
  return {
    name: say("bars.name", { answer: named(answer), best: fixed(mine?.[answer] ?? 0, 1), least: fixed(Math.min(...mine ?? []), 1) }),
    x: { title: "", ...across },
    y: { title: say("bars.title"), from: 0, to: ROOF.top, ticks: [0, 20, 40, 60], format: (value) => number(value).padStart(4, "\u2007") },
    marks: [
      ...PLACES.flatMap((option) => {
        const [left, right] = [option + 1 - WIDE / 2, option + 1 + WIDE / 2];
        const [expected, shadow] = [mine?.[option] ?? 0, former?.[option]];
        const reach = twice(shown, answer, option);
        return [
          bar({ x: left, y: expected, width: WIDE, look: "bright" }), bar({ x: right, y: theirs?.[option] ?? 0, width: WIDE, look: "dark" }),
          ...(shadow === undefined ? [] : [ghost([[left - WIDE / 2, HUNDRED * shadow], [left + WIDE / 2, HUNDRED * shadow]])]),
          whisker(left, Math.max(0, expected - reach), expected + reach),
          // One that came out alone stands on its bar; many are counted.
          ...(drawn > 1 || counts[option] ? [dot([left, drawn > 1 ? counts[option] ?? 0 : expected], "accent")] : []),
          label({ text: say("bars.utility", { u: minus(utilities[option] ?? 0) }), at: [option + 1, 0], dy: 38, anchor: "middle" }),
        ];
      }),
      tag(answer, "answer"), tag(other, "other"),
    ],
    handles: /** @type {const} */ (["answer", "other"]).map((which) => ({ label: say(`bars.${which === "other" ? "against" : which}`), at: /** @type {const} */ ([shown[which] + 1, ROOF[which]]),
      min: 1, max: OPTIONS, step: 1, say: (/** @type {number} */ place) => named(place - 1), move: (/** @type {number} */ place) => move({ [which]: place - 1 }) })),
  };
}

/** @param {Shown} shown @returns {PlotPicture} */
export function ratios(shown) {
  const { answer, other, epsilon } = shown;
  const most = times(epsilon);
  const [low, high] = [Math.exp(-epsilon), Math.exp(epsilon)];
  const right = across.to;
  return {
    name: say("ratio.name", { most, answer: named(answer), other: named(other) }),
    x: { title: "", ...across },
    y: { title: say("ratio.title"), from: 1 / MOST / 1.25, to: MOST * 1.25, log: true, ticks: [1 / 20, 1 / 5, 1, 5, 20], format: ratio },
    marks: [
      line([across.from, 1], [right, 1], "soft", 0),
      line([across.from, low], [right, low], "accent", 1), line([across.from, high], [right, high], "accent", 1),
      ...PLACES.flatMap((option) => {
        const value = ratioOf(shown, option);
        return [line([option + 1, 1], [option + 1, value], "ink", 0), dot([option + 1, value], value < 1 ? "dark" : "bright")];
      }),
      label({ text: say("ratio.most", { most }), at: [right, high], dx: -4, dy: -7, anchor: "end" }),
      label({ text: say("ratio.least", { most }), at: [across.from, low], dx: 6, dy: epsilon > 2.2 ? -7 : 17 }),
    ],
    table: () => ({ head: [say("bars.option"), say("bars.answer"), say("bars.twice"), say("bars.against"), say("ratio.title")],
      rows: PLACES.map((option) => [named(option), ...[HUNDRED * (chancesOf(shown, answer)[option] ?? 0), twice(shown, answer, option), HUNDRED * (chancesOf(shown, other)[option] ?? 0)].map((value) => fixed(value, 1)), fixed(ratioOf(shown, option), 3)]) }),
  };
}

/** As wide as the numbers of the other picture. @param {number} value */
const ratio = (value) => (value < 1 ? `1/${number(1 / value)}` : number(value));

/** @param {number} value */
const minus = (value) => number(value).replace("-", "−");
