/** Could someone guess the answers? Three numbers out of a hundred, and what they count. */

import { drawing, element, rarely, words } from "../page/page.js";

/** Beyond either of these the page promises nothing: as survey/privacy/limits.py. */
const GUESSED = 90;
const TELLING = 97;

/** Figures that lie further apart than this are read together. */
const APART = 15;

/** @type {IsProtected} */
export const isProtected = ({ all, telling }) => all <= GUESSED && telling <= TELLING;

/** A share of the line that stands for a hundred times. @param {number} times @param {string} look */
const bar = (times, look) => drawing("svg", { class: `bar ${look}`, viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": true },
  drawing("rect", { class: "bar-all", width: 100, height: 1 }), drawing("rect", { class: "bar-right", width: times, height: 1 }));

/** @param {string} key @param {number} times @param {Filler | string} said */
const row = (key, times, said) => element(`tr.${key}`,
  element("th", { scope: "row" }, element("span", words(`total.${key}`)), bar(times, key)), element("td", said));

/** @type {GuessTable} */
export const guessTable = ({ all }) => element("table.guess",
  element("caption", words("total.caption")),
  element("tbody",
    row("unseen", 50, "50"),
    row("seen", all, words("total.most", () => ({ n: all }))),
    row("unchanged", 100, "100")));

/** Nothing where every result tells as much. @type {SayGuess} */
function mostTelling({ all, telling, beyond }) {
  return telling > all ? [element("p.telling", words("total.telling", () => ({ n: telling })),
    ...(beyond ? [" ", element("span", words("total.rare", () => ({ chance: rarely(beyond) })))] : []))] : [];
}

/** What is read with the table, and what is folded. @type {GuessNotes} */
export function guessNotes(sums) {
  const { all, telling, waves, limit, parts, alone, epsilon, delta } = sums;
  /** @param {string} key @param {Values} [values] */
  const said = (key, values = {}) => element("p", words(key, () => values));
  const apart = telling - all > APART;
  const exact = element("span.quiet", words(delta ? "kind.number.epsilon" : "odds.epsilon", () => ({ epsilon: epsilon.toFixed(4), delta: rarely(delta) })));
  const [most = element("p")] = apart ? [] : mostTelling(sums);
  most.append(" ", exact);
  return {
    shown: [...(apart ? mostTelling(sums) : []), ...(waves > 1 ? [element("p.waves", words("budget.waves", () => ({ waves })))] : [])],
    folded: [most,
      ...(alone < Math.min(all, 99) ? [said("total.alone", { n: alone })] : []),
      ...(parts ? [said("budget.parts")] : []),
      ...(limit ? [said("budget.limit", { limit })] : [])],
  };
}
