/** What all reports of one person give away together, and whether the survey keeps its own limit. */

import { element } from "../page/element.js";
import { rarely, words } from "../page/language.js";
import { timesRight } from "../chance/loss.js";
import { dots } from "./odds.js";
import { drawnSections, read } from "./sections.js";

/** The most that one person's reports cost: those of sections asked always, and of the dearest that may be drawn. @type {Dearest} */
export function dearest(sections, asked, dearer) {
  const drawn = sections.filter(({ always }) => !always).sort((one, other) => dearer(other.reports, one.reports));
  return [...sections.filter(({ always }) => always), ...drawn.slice(0, asked)].flatMap(({ reports }) => reports);
}

/** Which of two sections has the larger product of ratios: in integers, so that none is mistaken for another. @type {Dearer} */
function byLoss(one, other) {
  /** @param {readonly Promised[]} ours @param {readonly Promised[]} theirs */
  const crossed = (ours, theirs) => [...ours.map(({ loss }) => loss[0]), ...theirs.map(({ loss }) => loss[1])]
    .reduce((product, weight = 1) => product * BigInt(weight), 1n);
  const [mine, yours] = [crossed(one, other), crossed(other, one)];
  return mine > yours ? 1 : mine < yours ? -1 : 0;
}

/** @param {(report: Promised) => number} of @returns {Dearer} */
const bySum = (of) => (one, other) => sum(one, of) - sum(other, of);

/** @param {readonly Promised[]} reports @param {(report: Promised) => number} of */
const sum = (reports, of) => reports.reduce((found, report) => found + of(report), 0);

const deltaOf = ({ delta = 0 }) => delta;
const wordsOf = ({ delta_weight = 0 }) => delta_weight;

/** Losses add up over questions, boxes and waves; deltas too, and have their own dearest. As `plain_sum` in Python. @type {SumUp} */
export function sumUp(sections, asked, waves) {
  const losses = dearest(sections, asked, byLoss).map(({ loss }) => ({ loss }));
  const words = dearest(sections, asked, bySum(wordsOf)).map(({ delta_weight }) => ({ loss: [1, 1], delta_weight }));
  return {
    epsilon: waves * sum(losses, ({ loss: [largest = 0, smallest = 0] }) => Math.log(largest / smallest)),
    delta: Math.min(1, waves * sum(dearest(sections, asked, bySum(deltaOf)), deltaOf)),
    all: timesRight([...losses, ...words], waves),
  };
}

/** Of checked integers; what counts as drawn is what the page draws from. @type {GiveTotal} */
export function total({ definition: published, kinds }) {
  const definition = read(published);
  const { sections, asked = 0, budget: { limit, waves = 1 } = {} } = definition;
  const drawn = drawnSections(definition);
  const each = sections.map((section) => ({
    always: !drawn.includes(section),
    questions: section.questions.map((question) => /** @type {Kind} */ (kinds.get(question)).promises(question)),
  }));
  return {
    limit, waves, asked, parts: drawn.length,
    ...sumUp(each.map(({ always, questions }) => ({ always, reports: questions.flat() })), asked, waves),
    alone: Math.max(...each.flatMap(({ questions }) => questions).map((own) => timesRight(own, waves))),
  };
}

/** @param {unknown} value */
const isTimes = (value) => Number.isInteger(value) && Number(value) > 0;

/** Logarithms are rounded. @type {KeepsLimit} */
export function keepsLimit(page) {
  const { limit = Infinity, waves, parts, asked, epsilon } = total(page);
  return isTimes(waves) && (!parts || isTimes(asked)) && epsilon <= limit * (1 + 1e-9);
}

/** @type {TotalFigure} */
export function totalFigure(page, open = false) {
  const { limit = 0, waves, parts, epsilon, delta, all, alone } = total(page);
  /** @param {string} key */
  const said = (key, n = all) => words(key, () => ({ n, waves, limit, delta: rarely(delta), epsilon: epsilon.toFixed(4) }));
  return element("details.odds", { open, "data-total": all },
    element("summary", said("total.title")),
    // "At most 99 times in 100" would sound like protection.
    element("figure.share", dots(all), element("figcaption.bound", said(all > 98 ? "total.little" : "total.bound"), " ",
      element("span.quiet", said(delta ? "kind.number.epsilon" : "odds.epsilon")))),
    ...(alone < Math.min(all, 99) ? [element("p", said("total.alone", alone))] : []),
    ...(page.definition.questions.some(({ skip }) => skip === "apart") ? [element("p", words("skip.apart.hint"))] : []),
    ...(parts ? [element("p", said("budget.parts"))] : []),
    ...(waves > 1 ? [element("p", said("budget.waves"))] : []),
    ...(limit ? [element("p", said("budget.limit"))] : []));
}
