/** Reports that are sets of answers: cards, some of which turn up. Loaded only where a question has them. */

import { randomizeForm, row } from "../chance/compact_form.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { TOTAL } from "../chance/randomize.js";
import { members } from "../chance/set_forms.js";
import { cards } from "../devices/cards.js";
import { filler, hundredths, say, words } from "../page/page.js";
import { at } from "./number.js";
import { brief, names } from "./names.js";
import { legend } from "./options.js";

/** More cards than this are small. */
const LARGE = 12;
/** Neighbours from so many on are said by their first and their last. */
const RUN = 3;

/** @param {Question} question @returns {Column & {form: Form}} */
const only = ({ columns: [column] }) => /** @type {any} */ (column);

/** The form of the sets, whose answers are the cards. @param {Question} question @returns {CyclicSetsForm | WeightedSetsForm} */
function setsOf(question) {
  const { form } = only(question);
  return /** @type {any} */ (form.form === "sets_on_grid" ? form.sets : form);
}

/** What the cards are called, by the first and the last answer of each. @param {Question} question @returns {{first: () => string, last: () => string}[]} */
function places(question) {
  const { form } = only(question);
  const { answers } = setsOf(question);
  if (question.kind !== "number") return names(question).map((name) => ({ first: name, last: name }));
  const all = form.form === "sets_on_grid" ? form.answers : answers;
  const classes = form.form === "sets_on_grid" && !form.rounded;
  return Array.from({ length: answers }, (_, place) => {
    const [first, last] = classes ? [Math.ceil((place * all) / answers), Math.ceil(((place + 1) * all) / answers) - 1]
      : [place * (all - 1) / (answers - 1), place * (all - 1) / (answers - 1)];
    return { first: () => at(question, first / (all - 1), {}), last: () => at(question, last / (all - 1), {}) };
  });
}

/** @param {string} first @param {string} last */
const range = (first, last) => (first === last ? first : `${first}–${last}`);

/** How often a card turns up, own and another: the least and the most of all. @param {Question} question */
function chances(question) {
  const sets = setsOf(question);
  const lit = row(sets, 0).map((_, report) => members(sets, report));
  const own = { least: 1, most: 0 };
  const others = { least: 1, most: 0 };
  for (let card = 0; card < sets.answers; card += 1) {
    const up = Array.from({ length: sets.answers }, () => 0);
    row(sets, card).forEach((weight, report) => {
      for (const member of lit[report] ?? []) up[member] = (up[member] ?? 0) + weight / TOTAL;
    });
    up.forEach((chance, member) => {
      const kept = member === card ? own : others;
      kept.least = Math.min(kept.least, chance);
      kept.most = Math.max(kept.most, chance);
    });
  }
  return { own, others };
}

/** @param {{least: number, most: number}} chance */
function times({ least, most }) {
  const [low, high] = [hundredths(least), hundredths(most)];
  return low === high ? high : say("kind.sets.times", { low, high });
}

/** @param {Question} question */
function device(question) {
  const named = places(question);
  const { form } = only(question);
  const number = question.kind === "number";
  const faces = named.map(({ first, last }, place) => (number ? filler(() => range(first(), last())) : String(place + 1)));
  const { own, others } = chances(question);
  const how = form.form === "sets_on_grid" ? form.rounded ? "rounded" : "classes" : "own";
  const made = cards(faces, (report) => members(form, report),
    words(`kind.sets.${how}`, () => ({ own: times(own), others: times(others) })));
  if (named.length > LARGE) made.node.classList.add("many");
  if (!number) made.node.append(legend(question));
  return made;
}

/** @param {Question} question @param {number} report */
function recorded(question, report) {
  const named = places(question);
  const turned = members(only(question).form, report);
  const runs = /** @type {number[][]} */ ([]);
  for (const place of turned) {
    const run = runs.at(-1);
    if (run && run.at(-1) === place - 1) run.push(place);
    else runs.push([place]);
  }
  const ordered = question.kind === "number" || question.mechanism === "designed";
  const said = runs.flatMap((run) => (ordered && run.length >= RUN
    ? [range(brief(named[run[0] ?? 0]?.first() ?? ""), brief(named[run.at(-1) ?? 0]?.last() ?? ""))]
    : run.map((place) => range(brief(named[place]?.first() ?? ""), brief(named[place]?.last() ?? "")))));
  return said.join(", ") || say("kind.sets.none");
}

/** The first answer in the set and the last not, from people of the one and of the other: what the bound is reached by. @param {Kind} kind @param {Question} question @param {() => number} drawWord */
function odds(kind, question, drawWord) {
  const { form, epsilon } = only(question);
  const named = places(question);
  const [first, last] = [0, named.length - 1];
  const count = form.form === "tails" ? 0 : form.answers;
  /** @param {number} place */
  const name = (place) => brief(place ? named[place]?.last() ?? "" : named[place]?.first() ?? "");
  const yes = () => say("kind.sets.without", { one: name(first), other: name(last) });
  /** @param {number} report */
  const counts = (report) => {
    const turned = members(form, report);
    return turned.includes(first) && !turned.includes(last);
  };
  const reports = kind.promises(question);
  return {
    yes,
    shares: [[first, 0], [last, count - 1]].map(([place = 0, answer = 0]) => ({
      of: "kind.sets.of",
      answer: () => name(place),
      share: row(form, answer).reduce((sum, weight, report) => sum + (counts(report) ? weight : 0), 0) / TOTAL,
      trial: () => counts(randomizeForm(form, answer, drawWord())),
    })),
    so: words(timesTelling(reports) > 90 ? `kind.${question.kind}.little` : "kind.sets.so"),
    bound: words(`kind.${question.kind}.between`, () => ({ n: timesRight(reports) })),
    exact: words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
  };
}

/** @param {Kind} kind @returns {Kind} */
export const dressed = (kind) => ({
  ...kind,
  device,
  recorded: (question, _index, report) => recorded(question, report),
  explain: () => words("kind.sets.turned"),
  odds: (question, drawWord) => odds(kind, question, drawWord),
});
