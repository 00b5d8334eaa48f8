/** A pot of 100 that goes to whoever was right: how much of it a fair bet puts on Yes, and how much on No. */

import { drawing, element } from "../element.js";
import { number, say } from "./words.js";

/** Odds with the smaller side as 1. @param {number} probability */
export function bettingOdds(probability) {
  if (probability === 0 || probability === 1) return `${probability} : ${1 - probability}`;
  const odds = probability / (1 - probability);
  return odds >= 1 ? `${number(odds, 2)} : 1` : `1 : ${number(1 / odds, 2)}`;
}

/** @param {string} row its name for tests @param {string} words @param {number} probability */
export function stake(row, words, probability) {
  const [yes, no] = [100 * probability, 100 * (1 - probability)];
  return element("li", { "data-row": row },
    element("p.stake-name", words),
    drawing("svg", { class: "stake", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("rect", { class: "stake-yes", width: yes, height: 10 }),
      drawing("rect", { class: "stake-no", x: yes, width: no, height: 10 })),
    element("p.stake-sides", element("span", say("stake.on_yes", { amount: number(yes, 1) })),
      element("strong", bettingOdds(probability)), element("span", say("stake.on_no", { amount: number(no, 1) }))));
}
