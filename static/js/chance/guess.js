/**
 * How often somebody who guesses a person's answers is right: the twin of survey/privacy/guess.py, from the same
 * integers. Whoever thinks two sets of answers equally likely is right (1 + TV)/2 of the time, TV being the sum over
 * what may be sent of max(0, P(sent | one) - P(sent | other)): delta(0) of the losses of all reports together.
 */

import { composed } from "./composition.js";
import { curve, envelope } from "./curve.js";
import { choose } from "./randomize.js";

/** How many sets of sections and pairs of answers are tried; beyond, an upper bound stands for them. */
export const MOST_CANDIDATES = 1000;

/** Rounded up, but for what computing may have added. @param {number} share */
export const timesIn100 = (share) => Math.ceil(100 * share - 1e-4);

/** Of reports that are made together, all of them `times` over. @type {TimesRight} */
export const timesRight = (reports, times = 1) => timesIn100(right([{ always: true, reports }], 0, times));

/** After the most telling result: E/(E + 1). @param {number} epsilon */
export const mostTelling = (epsilon) => 1 / (1 + Math.exp(-epsilon));

/** The same in times in 100, of reports that are made together, all of them `times` over. @type {TimesRight} */
export const timesTelling = (reports, times = 1) => timesIn100(mostTelling(times * reports.reduce((sum, { loss: [largest = 0, smallest = 0] }) => sum + Math.log(largest / smallest), 0)));

/** Where sections are drawn, those of dearest_draws.js are the candidates. @type {Right} */
export const right = (sections, asked, waves, candidates = ofAll) => (
  (1 + Math.max(...candidates(sections, asked, waves).map((parts) => curve(composed(parts))(0)))) / 2);

/** Everybody reports on every section. @type {Candidates} */
const ofAll = (sections, _, waves) => hardest([counted(sections.flatMap(({ reports }) => reports), waves)]);

/** Equal reports as one, with their number: all of them `times` over. @type {Counted} */
export function counted(reports, times = 1) {
  /** @type {Map<string, [readonly Loss[], number]>} */
  const kinds = new Map();
  for (const { pairs } of reports) {
    const key = JSON.stringify(pairs);
    kinds.set(key, [pairs, (kinds.get(key)?.[1] ?? 0) + times]);
  }
  return [...kinds.values()];
}

/** @param {Draw} draw @returns {Part[]} */
export const worst = (draw) => draw.map(([pairs, times]) => [/** @type {Loss} */ (pairs.length === 1 ? pairs[0] : envelope(pairs)), times]);

/** What may come of the hardest answers to any of these. @param {readonly Draw[]} draws @returns {Part[][]} */
export function hardest(draws) {
  const ways = draws.reduce((sum, draw) => sum + draw.reduce((product, [pairs, times]) => product * choose(times + pairs.length - 1, times), 1), 0);
  return ways > MOST_CANDIDATES ? draws.map(worst) : draws.flatMap(assignments);
}

/** The ways of giving each report one of the hardest pairs. @param {Draw} draw @returns {Part[][]} */
const assignments = (draw) => draw.reduce((/** @type {Part[][]} */ ways, [pairs, times]) => {
  const own = splits(times, pairs.length).map((split) => split.flatMap((count, place) => (
    count ? [/** @type {Part} */ ([pairs[place], count])] : [])));
  return ways.flatMap((way) => own.map((more) => [...way, ...more]));
}, [[]]);

/** The ways of writing a total as a sum of whole numbers from 0. @param {number} total @param {number} parts @returns {number[][]} */
function splits(total, parts) {
  if (parts === 1) return [[total]];
  return Array.from({ length: total + 1 }, (_, first) => splits(total - first, parts - 1).map((rest) => [first, ...rest])).flat();
}
