/** What one person may report, of whom some of the sections are drawn: the twin of survey/privacy/dearest_draws.py. */

import { composed } from "./composition.js";
import { envelope, nowhereBelow } from "./curve.js";
import { counted, hardest, MOST_CANDIDATES, worst } from "./guess.js";

/** What may come of the hardest answers to the dearest sections. @type {Candidates} */
export function candidates(sections, asked, waves) {
  const always = sections.flatMap((section) => (section.always ? section.reports : []));
  const drawn = sections.filter((section) => !section.always).map(({ reports }) => reports);
  const draws = dearestDraws(always, drawn, asked, waves);
  return draws ? hardest(draws)
    : [[...worst(counted(always)), ...dearestParts(drawn, asked)].map(([told, times]) => [told, waves * times])];
}

/**
 * What one person may report in all waves, without the sets that others outdo: W waves of m sections are any W m of
 * them, none more than W times, and a section is left out as long as one that is nowhere below it is not taken in
 * every wave. Null where there are too many.
 *
 * @type {DearestDraws}
 */
function dearestDraws(always, drawn, asked, waves) {
  /** @type {Map<string, {reports: readonly Promised[], most: number}>} */
  const kinds = new Map();
  for (const reports of drawn) {
    const key = reports.map(({ pairs }) => JSON.stringify(pairs)).sort().join();
    kinds.set(key, { reports, most: (kinds.get(key)?.most ?? 0) + waves });
  }
  const sections = [...kinds.values()];
  const over = outdone(sections.map(({ reports }) => reports));
  const order = sections.map((_, place) => place).sort((first, second) => (over[first]?.length ?? 0) - (over[second]?.length ?? 0));
  /** How much the sections of a turn and all after it can take. */
  const room = order.map((_, turn) => order.slice(turn).reduce((sum, place) => sum + (sections[place]?.most ?? 0), 0));
  /** @type {number[][]} */
  const taken = [];
  /** @param {number} turn @param {number} left @param {number[]} times */
  const take = (turn, left, times) => {
    const place = order[turn];
    if (taken.length > MOST_CANDIDATES || left > (room[turn] ?? left)) return;
    if (!left || place === undefined) {
      if (!left) taken.push(times);
      return;
    }
    // Of sections that are equal but for rounding, each may outdo the next, and the last the first.
    const free = order.slice(0, turn).every((other) => !over[place]?.includes(other) || times[other] === sections[other]?.most);
    for (let now = free ? Math.min(sections[place]?.most ?? 0, left) : 0; now >= 0; now -= 1) {
      take(turn + 1, left - now, times.map((count, at) => (at === place ? now : count)));
    }
  };
  take(0, drawn.length ? waves * asked : 0, sections.map(() => 0));
  if (taken.length > MOST_CANDIDATES) return null;
  return taken.map((times) => [...counted(always, waves),
    ...times.flatMap((count, place) => counted(count ? sections[place]?.reports ?? [] : [], count))]);
}

/** For each section the others that are nowhere below it; of equal ones, those before it. @param {readonly (readonly Promised[])[]} sections */
function outdone(sections) {
  const losses = sections.map((reports) => composed(worst(counted(reports))));
  // A curve over several pairs of answers is no pair's: it outdoes nothing.
  const exact = sections.map((reports) => reports.every(({ pairs }) => pairs.length === 1));
  const over = losses.map((upper, place) => losses.map((lower, at) => place !== at && Boolean(exact[place]) && nowhereBelow(upper, lower)));
  return sections.map((_, other) => sections.flatMap((__, dearer) => (
    over[dearer]?.[other] && !(over[other]?.[dearer] && other < dearer) ? [dearer] : [])));
}

/** As many of the dearest as are asked, each for itself or for all that are left: an upper bound. @type {DearestParts} */
function dearestParts(drawn, asked) {
  /** @param {readonly Promised[]} reports */
  const epsilon = (reports) => reports.reduce((sum, { loss: [largest = 0, smallest = 0] }) => sum + Math.log(largest / smallest), 0);
  const losses = [...drawn].sort((first, second) => epsilon(second) - epsilon(first)).map((reports) => composed(worst(counted(reports))));
  const left = losses.slice(asked);
  return losses.slice(0, asked).map((own) => [left.every((other) => nowhereBelow(own, other)) ? own : envelope([own, ...left]), 1]);
}
