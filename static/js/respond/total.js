/** What all reports of one person give away together, and whether the survey keeps its own limit. */

import { element } from "../page/element.js";
import { rarely, words } from "../page/language.js";
import { timesRight } from "../chance/loss.js";
import { dots } from "./odds.js";

/** Losses add up over questions, boxes and waves; of checked integers. @type {GiveTotal} */
export function total({ definition: { questions, budget: { limit, waves = 1 } = {} }, kinds }) {
  const each = questions.map((question) => /** @type {Kind} */ (kinds.get(question)).promises(question));
  const reports = each.flat();
  return {
    limit, waves,
    epsilon: waves * reports.reduce((sum, { loss: [largest = 0, smallest = 0] }) => sum + Math.log(largest / smallest), 0),
    delta: Math.min(1, waves * reports.reduce((sum, { delta = 0 }) => sum + delta, 0)),
    all: timesRight(reports, waves),
    alone: Math.max(...each.map((own) => timesRight(own, waves))),
  };
}

/** Logarithms are rounded. @type {KeepsLimit} */
export function keepsLimit(page) {
  const { limit = Infinity, waves, epsilon } = total(page);
  return Number.isInteger(waves) && waves > 0 && epsilon <= limit * (1 + 1e-9);
}

/** @type {TotalFigure} */
export function totalFigure(page, open = false) {
  const { limit = 0, waves, epsilon, delta, all, alone } = total(page);
  /** @param {string} key */
  const said = (key, n = all) => words(key, () => ({ n, waves, limit, delta: rarely(delta), epsilon: epsilon.toFixed(4) }));
  return element("details.odds", { open, "data-total": all },
    element("summary", said("total.title")),
    // "At most 99 times in 100" would sound like protection.
    element("figure.share", dots(all), element("figcaption.bound", said(all > 98 ? "total.little" : "total.bound"), " ",
      element("span.quiet", said(delta ? "kind.number.epsilon" : "odds.epsilon")))),
    ...(alone < Math.min(all, 99) ? [element("p", said("total.alone", alone))] : []),
    ...(page.definition.questions.some(({ skip }) => skip === "apart") ? [element("p", words("skip.apart.hint"))] : []),
    ...(waves > 1 ? [element("p", said("budget.waves"))] : []),
    ...(limit ? [element("p", said("budget.limit"))] : []));
}
