/**
 * How often somebody who guesses a person's answers is right: the twin of survey/privacy/guess.py, from the same
 * integers. Whoever thinks two sets of answers equally likely is right (1 + TV)/2 of the time, TV being the sum over
 * what may be sent of max(0, P(sent | one) - P(sent | other)): delta(0) of the losses of all reports together.
 */

import { composed } from "./composition.js";
import { curve } from "./curve.js";
import { counted, dearestDraws, dearestParts, MOST_CANDIDATES, worst } from "./dearest_draws.js";

/** Rounded up, but for what computing may have added. @param {number} share */
export const timesIn100 = (share) => Math.ceil(100 * share - 1e-4);

/** Of reports that are made together, all of them `times` over. @type {TimesRight} */
export const timesRight = (reports, times = 1) => timesIn100(right([{ always: true, reports }], 0, times));

/** After the most telling result: E/(E + 1). @param {number} epsilon */
export const mostTelling = (epsilon) => 1 / (1 + Math.exp(-epsilon));

/** The same in times in 100, of reports that are made together, all of them `times` over. @type {TimesRight} */
export const timesTelling = (reports, times = 1) => timesIn100(mostTelling(times * reports.reduce((sum, { loss: [largest = 0, smallest = 0] }) => sum + Math.log(largest / smallest), 0)));

/** @type {Right} */
export function right(sections, asked, waves) {
  return (1 + Math.max(...candidates(sections, asked, waves).map((parts) => curve(composed(parts))(0)))) / 2;
}

/** What may come of the hardest answers to the dearest sections. @type {Candidates} */
function candidates(sections, asked, waves) {
  const always = sections.flatMap((section) => (section.always ? section.reports : []));
  const drawn = sections.filter((section) => !section.always).map(({ reports }) => reports);
  const draws = dearestDraws(always, drawn, asked, waves);
  if (!draws) return [[...worst(counted(always)), ...dearestParts(drawn, asked)].map(([told, times]) => [told, waves * times])];
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

/** @param {number} n @param {number} k */
function choose(n, k) {
  let ways = 1;
  for (let i = 1; i <= Math.min(k, n - k); i += 1) ways = (ways * (n - i + 1)) / i;
  return ways;
}
