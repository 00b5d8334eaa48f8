/** A pot of 100 that goes to whoever was right: how much of it a fair bet puts on Yes, and how much on No. */

import { drawing, element } from "../../page/page.js";
import { bettingOdds } from "../../theory/suspicion.js";
import { sides } from "./amounts.js";
import { number, say } from "../words.js";

const MOST = 1e12; // longer odds are not written out

/** @param {number} side of the odds */
const sideOfBet = (side) => (side > MOST ? say("over", { limit: number(MOST) }) : number(side, 2));

/** @param {string} row its name for tests @param {string} words @param {number} probability @param {-1 | 0 | 1} [towards] Yes or No, where a record has moved it */
export function stake(row, words, probability, towards = 0) {
  const [onYes = "", onNo = ""] = sides(probability, towards);
  const [yes, no] = [100 * probability, 100 * (1 - probability)];
  return element("li", { "data-row": row },
    element("p.stake-name", words),
    drawing("svg", { class: "stake", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("rect", { class: "stake-yes", width: yes, height: 10 }),
      drawing("rect", { class: "stake-no", x: yes, width: no, height: 10 })),
    element("p.stake-sides", element("span", say("stake.on_yes", { amount: onYes })),
      element("strong", bettingOdds(probability).map(sideOfBet).join(" : ")), element("span", say("stake.on_no", { amount: onNo }))));
}
