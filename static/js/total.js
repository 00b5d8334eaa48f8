/** What all reports of one person give away together, and whether the survey keeps its own limit. */

import { element } from "./element.js";
import { words } from "./language.js";
import { timesRight } from "./loss.js";
import { dots } from "./odds.js";

/** Where real coins may be used, what promises less counts: as `reports_of` in Python. @type {Promises} */
const promises = ({ box, sampled, columns }) => (box ? Array(sampled).fill(box)
  : columns.map(({ by_hand: coins, ...own }) => (coins && coins.epsilon > own.epsilon ? coins : own)));

/** Losses add up over questions, boxes and waves; their ratios multiply. @type {GiveTotal} */
export function total({ questions, budget: { waves = 1 } = {} }) {
  const each = questions.map(promises);
  /** @type {CountRight} */
  const right = (reports, times) => timesRight(reports.map(({ loss, ratio }) => ratio ?? loss ?? []), times);
  return {
    epsilon: waves * each.flat().reduce((sum, { epsilon }) => sum + epsilon, 0),
    delta: waves * each.flat().reduce((sum, { delta = 0 }) => sum + delta, 0),
    all: right(each.flat(), waves),
    alone: Math.max(...each.map((reports) => right(reports, 1))),
  };
}

/** Its decimals are logarithms to 1e-9. @param {Definition} definition */
export const keepsLimit = (definition) => total(definition).epsilon <= (definition.budget?.limit ?? Infinity) + 1e-9;

/** @param {Definition} definition */
export function totalFigure(definition, open = false) {
  const { waves = 1, limit = 0 } = definition.budget ?? {};
  const { epsilon, delta, all, alone } = total(definition);
  /** @param {string} key */
  const said = (key, n = all) => words(key, () => ({ n, waves, limit, delta: String(delta), epsilon: epsilon.toFixed(4) }));
  return element("details.odds", { open, "data-total": all },
    element("summary", said("total.title")),
    // "At most 99 times in 100" would sound like protection.
    element("figure.share", dots(all), element("figcaption.bound", said(all > 98 ? "total.little" : "total.bound"), " ",
      ...(delta ? [said("mechanism.gaussian.total"), " "] : []), element("span.quiet", said(delta ? "kind.number.epsilon" : "odds.epsilon")))),
    ...(alone < all ? [element("p", said("total.alone", alone))] : []),
    ...(waves > 1 ? [element("p", said("budget.waves"))] : []),
    ...(limit ? [element("p", said("budget.limit"))] : []));
}
