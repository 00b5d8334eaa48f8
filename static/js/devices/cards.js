/** Cards of which a few are turned to their bright side: the set of answers that is recorded. */

import { element } from "../page/page.js";
import { FIRST, lead, SECOND, stage } from "./wheel.js";

/**
 * @param {(string | Filler)[]} faces what each card shows
 * @param {(report: number) => readonly number[]} members the cards that a report turns up
 * @param {Filler} caption
 * @returns {Device}
 */
export function cards(faces, members, caption) {
  const bodies = faces.map((face) => element("span.card-body", ...["front", "back"].map((side) => element(`span.face.${side}`, face))));
  const made = stage("cards", bodies.map((body) => element("span.card", body)), [], (/** @type {{report: number}} */ { report }) => {
    const lit = members(report);
    return bodies.flatMap((body, card) => {
      body.parentElement?.classList.toggle("lit", lit.includes(card));
      return [lead(body, [0, lit.includes(card) ? 900 : 720].map((angle) => ({ transform: `rotateY(${angle}deg)`, easing: "cubic-bezier(.2, .6, .3, 1)" })),
        { delay: (SECOND * card) / faces.length, duration: FIRST })];
    });
  });
  made.node.append(element("figcaption.strip-caption", caption));
  return made;
}
