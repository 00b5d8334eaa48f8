/** Cards of which a few are turned to their bright side: the set of options that is recorded. */

import { row } from "../chance/compact_form.js";
import { element, hundredths, words } from "../page/page.js";
import { TOTAL } from "../chance/randomize.js";
import { FIRST, lead, SECOND, stage } from "./wheel.js";

/** @param {SubsetsForm} form @returns {Device} */
export function cards(form) {
  const all = form.answers;
  const size = Array.from({ length: all }, (_, card) => card).filter((card) => (form.masks[0] ?? 0) >> card & 1).length;
  // The chance of a card to be bright: the answer's own, and that of the others, which share what is left.
  const weights = row(form, 0);
  const mine = weights.reduce((sum, weight, report) => sum + ((form.masks[report] ?? 0) & 1 ? weight : 0), 0) / TOTAL;
  const bodies = Array.from({ length: all }, (_, card) => element("span.card-body",
    element("span.face.front", String(card + 1)), element("span.face.back", String(card + 1))));
  const made = stage("cards", bodies.map((body) => element("span.card", body)), [], (/** @type {{report: number}} */ { report }) => bodies.flatMap((body, card) => {
    const lit = (form.masks[report] ?? 0) >> card & 1;
    body.parentElement?.classList.toggle("lit", Boolean(lit));
    return [lead(body, [0, lit ? 900 : 720].map((angle) => ({ transform: `rotateY(${angle}deg)`, easing: "cubic-bezier(.2, .6, .3, 1)" })),
      { delay: (SECOND * card) / all, duration: FIRST })];
  }));
  const odds = { n: size, mine: hundredths(mine), others: hundredths((size - mine) / (all - 1)) };
  made.node.append(element("figcaption.strip-caption", words("kind.choice.mine", () => odds)));
  return made;
}
