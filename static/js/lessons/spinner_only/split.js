/** Both wheels unrolled, one bar under the other: what the coin repeats of the answer is as good as bright. */

import { drawing, element } from "../../page/page.js";
import { spinner, spinnerCoin } from "../../theory/response.js";
import { inHundred } from "../rounding.js";
import { say } from "../words.js";

/** @typedef {{look: string, share: number, words: string}} Piece */

/** @param {string} row its name for tests @param {string} title @param {readonly Piece[]} pieces */
function bar(row, title, pieces) {
  let from = 0;
  const rects = pieces.map(({ look, share }) => {
    const rect = drawing("rect", { class: look, x: 100 * from, width: 100 * share, height: 10 });
    from += share;
    return rect;
  });
  return element("li", { "data-row": row },
    element("p.stake-name", title),
    drawing("svg", { class: "stake", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...rects),
    element("p.split-pieces", ...pieces.map(({ look, share, words }) => element(`span.piece.${look}`, element("b", inHundred(share)), ` ${words}`))));
}

/** @param {number} epsilon */
export function split(epsilon) {
  const [p, r] = [spinnerCoin(epsilon), spinner(epsilon)];
  const half = (1 - p) / 2;
  return [
    bar("spinner_coin", say("split.spinner_coin"), [
      { look: "stake-yes", share: p, words: say("split.bright") },
      { look: "stake-same", share: half, words: say("split.same") },
      { look: "stake-no", share: half, words: say("split.changed") }]),
    bar("spinner", say("split.spinner"), [
      { look: "stake-yes", share: r, words: say("split.bright") },
      { look: "stake-no", share: 1 - r, words: say("split.dark") }]),
  ];
}
