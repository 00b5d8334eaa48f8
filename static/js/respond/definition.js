/** The published survey: its parts, whether it keeps its word, what reports give away alone and together. */

import { mostTelling, right, timesIn100, timesRight } from "../chance/guess.js";
import { drawing, element, fold, hundredths, ofHundred, paragraphs, text, words } from "../page/page.js";
import { guessNotes, guessTable } from "./guess.js";

/** @type {View} */
export const view = ({ kind, skip }) => (skip === "randomized" ? "choice" : kind);

/** @type {LoadKinds} */
export async function loadKinds(definition) {
  const kinds = new Map();
  if (definition.nodes) (await import("../page/nodes.js")).showMarks(definition.nodes);
  const drawn = drawnSections(definition);
  if (drawn.length) definition.candidates = (await import("../chance/dearest_draws.js")).candidates;
  drawn.forEach(({ questions }, part) => {
    for (const column of questions.flatMap(({ columns }) => columns)) column.part = part;
  });
  for (const question of definition.questions) {
    const { by_hand, help, matrix, mechanism, picture, skip } = question;
    const apart = skip === "apart";
    let kind = await import(`../kinds/${view(question)}.js`);
    const dresses = [!mechanism && "respond/linked", /^(cyc|des)/.test(mechanism) && "kinds/sets", by_hand && "kinds/real_coins", help && "kinds/help", matrix && mechanism && "respond/matrix", picture && "pictures/question_picture", apart && "kinds/counted_skip"];
    for (const name of dresses) {
      if (name) kind = await (await import(`../${name}.js`)).dressed(kind, question, definition);
    }
    kinds.set(question, kind);
    for (const column of question.columns) {
      column.codes = kind.reports(column) + (column.by_hand?.weights.length ?? 0) + Number(apart) + Number(column.part !== undefined);
    }
  }
  return kinds;
}

/** @type {Refusal} */
export function refusal({ questions }, kinds) {
  if (!globalThis.BigInt || !globalThis.crypto?.getRandomValues) return "refuse.browser";
  try {
    if (questions.every((question) => kinds.get(question)?.keepsWord(question))) return null;
  } catch {
    // No channel at all, or none of the device.
  }
  return "refuse.weak";
}

/** @type {ReadSections} */
export function read(published) {
  const sections = published.sections ?? published.questions.map((question) => ({ questions: [question] }));
  return { ...published, sections, questions: sections.flatMap(({ questions }) => questions) };
}

/** @type {DrawnSections} */
export function drawnSections({ sections = [], asked = Infinity }) {
  const drawn = sections.filter(({ always }) => !always);
  return asked < drawn.length ? drawn : [];
}

/** @type {LoadDraw} */
export async function loadDraw(definition) {
  const { length } = drawnSections(definition);
  if (definition.sections?.some(({ asked }) => asked)) return (await import("./linked.js")).drawsOf(definition);
  if (!length) return null;
  const { drawSubset } = await import("../chance/sample.js");
  return (draw) => drawSubset(length, Number(definition.asked), draw());
}

/** @type {AskedQuestions} */
export const askedQuestions = ({ questions }, set = []) => questions.filter((question) => question.narrow?.(set) ?? question.columns.some(({ part }) => part === undefined || set.includes(part)));

/** @type {SayDraw} */
export function sayDraw({ definition, asked }, key) {
  const { sections = [] } = definition;
  if (!drawnSections(definition).length) return [];
  const among = sections.filter((section) => section.questions.some((question) => asked.includes(question)));
  const always = sections.filter((section) => section.always).length;
  // What everybody gets was not chosen by chance.
  if (key === "sections.drawn" && always) {
    return [element("p", words("sections.also", () => ({ n: always, asked: among.length - always, parts: sections.length - always })))];
  }
  return [element("p", words(key, () => ({ asked: among.length, parts: sections.length })))];
}

/** @type {Progress} */
export function progress({ definition: { sections = [] }, asked }, question) {
  const parts = sections.filter(({ questions }) => questions.some((member) => asked.includes(member)));
  const part = parts.findIndex(({ questions }) => questions.includes(question));
  const among = parts.length > 1 && parts.length < asked.length ? parts[part]?.questions ?? [] : asked;
  return { n: among.indexOf(question) + 1, total: among.length, ...(among !== asked && { part: part + 1, parts: parts.length }) };
}

/** @type {SectionHead} */
export function sectionHead({ definition, asked }, question) {
  const section = definition.sections?.find(({ questions }) => questions.includes(question));
  const first = section?.questions.find((member) => asked.includes(member)) === question;
  if (!first || !section.title && !section.introduction) return [];
  return [element("section.part", { id: "part" },
    ...(section.title ? [element("h2", text(section.title))] : []),
    ...(section.introduction ? [element("div", paragraphs(section.introduction))] : []))];
}

/** Ten by ten, in two lines of circles: a hundred nodes would take a slow phone too long. @param {number} filled */
export function dots(filled) {
  const circles = Array.from({ length: 100 }, (_, index) => `M${(index % 10) * 10 + 1.6} ${Math.floor(index / 10) * 10 + 5}a3.4 3.4 0 1 1 0 .01z`);
  return drawing("svg", { class: "dots", viewBox: "0 0 100 100", "aria-hidden": true },
    drawing("path", { class: "dot filled", d: circles.slice(0, filled).join("") }),
    drawing("path", { class: "dot", d: circles.slice(filled).join("") }));
}

/** @type {OddsFigure} */
export const oddsFigure = (odds, open) => fold("odds", words("odds.title"), () => oddsOf(odds()), open);

/** @param {Odds} odds */
function oddsOf({ shares, yes, so, bound, exact }) {
  const result = element("div.trial", { "aria-live": "polite" });
  /** @param {Share} share */
  const spin = ({ trial, answer }) => {
    const count = Array.from({ length: 100 }, trial).filter(Boolean).length;
    result.replaceChildren(dots(count),
      element("p", words("try.result", () => ({ count, answer: answer(), yes: yes() }))));
  };
  return [
    element("div.shares", ...shares.map(({ of, answer, share }) => element("figure.share", dots(Math.round(ofHundred(share, 1))),
      element("figcaption", words(of, () => ({ n: hundredths(share), answer: answer(), yes: yes() })))))),
    element("p", so),
    element("p.bound", bound, " ", element("span.quiet", exact)),
    element("details.try", element("summary", words("try.title")),
      element("p.hint", words("try.hint")),
      element("div.toolbar", ...shares.map((share) => element("button.button.plain.small",
        { type: "button", onclick: () => spin(share) }, words("try.button", () => ({ answer: share.answer() }))))),
      result)];
}

/** @type {Dearest} */
export function dearest(sections, asked, dearer) {
  const drawn = sections.filter(({ always }) => !always).sort((first, second) => dearer(second.reports, first.reports));
  return [...sections.filter(({ always }) => always), ...drawn.slice(0, asked)].flatMap(({ reports }) => reports);
}

/** @type {Dearer} */
function byLoss(first, second) {
  /** @param {readonly Promised[]} ours @param {readonly Promised[]} theirs */
  const crossed = (ours, theirs) => [...ours.map(({ loss }) => loss[0]), ...theirs.map(({ loss }) => loss[1])]
    .reduce((product, weight = 1) => product * BigInt(weight), 1n);
  const [mine, yours] = [crossed(first, second), crossed(second, first)];
  return mine > yours ? 1 : mine < yours ? -1 : 0;
}

/** @param {(report: Promised) => number} of @returns {Dearer} */
const bySum = (of) => (first, second) => sum(first, of) - sum(second, of);

/** @param {readonly Promised[]} reports @param {(report: Promised) => number} of */
const sum = (reports, of) => reports.reduce((subtotal, report) => subtotal + of(report), 0);

const deltaOf = ({ delta = 0 }) => delta;

/**
 * The chance of a loss above epsilon, which delta is not: it is larger. As `exceeding` in Python; losses within a
 * millionth were merged.
 *
 * @param {Promised} report
 */
const beyond = ({ delta, pairs: [told = []], loss: [largest = 0, smallest = 0] }) => (delta
  ? told.reduce((subtotal, { loss, chance }) => (loss > Math.log(largest / smallest) - 1e-6 ? subtotal + chance : subtotal), 0) : 0);

/** @type {SumUp} */
export const sumUp = (sections, asked, waves) => ({
  epsilon: waves * sum(dearest(sections, asked, byLoss), ({ loss: [largest = 0, smallest = 0] }) => Math.log(largest / smallest)),
  delta: Math.min(1, waves * sum(dearest(sections, asked, bySum(deltaOf)), deltaOf)),
});

/** Of each survey, computed once: every screen asks. @type {WeakMap<Definition, Total>} */
const totals = new WeakMap();

/** @type {GiveTotal} */
export function total(page) {
  const known = totals.get(page.definition) ?? computed(page);
  totals.set(page.definition, known);
  return known;
}

/** @type {GiveTotal} */
function computed({ definition: published, kinds }) {
  const definition = read(published);
  const { sections, asked = 0, budget: { limit, waves = 1 } = {} } = definition;
  const drawn = drawnSections(definition);
  const promises = sections.map((section) => ({
    always: !drawn.includes(section),
    questions: section.questions.map((question) => /** @type {Kind} */ (kinds.get(question)).promises(question)),
  }));
  const promised = promises.map(({ always, questions }) => ({ always, reports: questions.flat() }));
  const sums = sumUp(promised, asked, waves);
  return {
    limit, waves, asked, parts: drawn.length, ...sums,
    beyond: Math.min(1, waves * sum(dearest(promised, asked, bySum(beyond)), beyond)),
    right: right(promised, asked, waves, definition.candidates),
    // What is read is the published figure, once the page has found it to be that of the integers.
    all: timesIn100(published.guess?.right ?? 1),
    telling: timesIn100(mostTelling(sums.epsilon)),
    alone: Math.max(...promises.flatMap(({ questions }) => questions).map((own) => timesRight(own, waves))),
  };
}

/** @param {unknown} value */
const isTimes = (value) => Number.isInteger(value) && Number(value) > 0;

/** More cannot be published. */
const MOST_WAVES = 1000;

/** What the grids of the page and of the server may differ by. @param {number} first @param {number} second */
const isNear = (first, second) => Math.abs(first - second) <= 5e-4;

/** Logarithms are rounded. @type {KeepsLimit} */
export function keepsLimit(page) {
  const definition = read(page.definition);
  const { budget: { waves = 1 } = {}, asked } = definition;
  if (!isTimes(waves) || waves > MOST_WAVES || drawnSections(definition).length && !isTimes(asked)) return false;
  const { limit = Infinity, epsilon, right: computedRight } = total(page);
  const { right: stated = NaN, most_telling = NaN } = page.definition.guess ?? {};
  return epsilon <= limit * (1 + 1e-9) && isNear(computedRight, stated) && isNear(mostTelling(epsilon), most_telling);
}

/** @type {TotalFigure} */
export function totalFigure(page, open = false) {
  const sums = total(page);
  const { shown, folded } = guessNotes(sums);
  return element("details.odds", { open, "data-total": sums.all }, element("summary", words("total.title")), guessTable(sums), ...shown, ...folded,
    ...(page.definition.questions.some(({ skip }) => skip === "apart") ? [element("p", words("skip.apart.hint"))] : []));
}
