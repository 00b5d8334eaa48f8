/** What a recorded value does and does not show, from the integers of the channel. */

import { drawing, element } from "../page/element.js";
import { hundredths, ofHundred, words } from "../page/language.js";

/** Ten by ten. @param {number} filled */
export function dots(filled) {
  return drawing("svg", { class: "dots", viewBox: "0 0 100 100", "aria-hidden": true },
    ...Array.from({ length: 100 }, (_, index) => drawing("circle", {
      class: index < filled ? "dot filled" : "dot", cx: (index % 10) * 10 + 5, cy: Math.floor(index / 10) * 10 + 5, r: 3.4,
    })));
}

/** @type {OddsFigure} */
export function oddsFigure({ shares, yes, so, bound, exact }, open) {
  const result = element("div.trial", { "aria-live": "polite" });
  /** @param {Share} share */
  const spin = ({ trial, answer }) => {
    const count = Array.from({ length: 100 }, trial).filter(Boolean).length;
    result.replaceChildren(dots(count),
      element("p", words("try.result", () => ({ count, answer: answer(), yes: yes() }))));
  };
  return element("details.odds", { open },
    element("summary", words("odds.title")),
    element("div.shares", ...shares.map(({ of, answer, share }) => element("figure.share", dots(Math.round(ofHundred(share, 1))),
      element("figcaption", words(of, () => ({ n: hundredths(share), answer: answer(), yes: yes() })))))),
    element("p", so),
    element("p.bound", bound, " ", element("span.quiet", exact)),
    element("details.try", element("summary", words("try.title")),
      element("p.hint", words("try.hint")),
      element("div.toolbar", ...shares.map((share) => element("button.button.plain.small",
        { type: "button", onclick: () => spin(share) }, words("try.button", () => ({ answer: share.answer() }))))),
      result));
}
