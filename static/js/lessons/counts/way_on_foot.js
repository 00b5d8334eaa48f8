/** The way from one database to its neighbour: k steps on foot, each at a right angle to all others, laid flat; and the straight line. */

import { drawing, element } from "../../page/page.js";
import { countSensitivities } from "../../theory/noise.js";
import { rootSpiral } from "../../theory/distance.js";
import { fixed, say } from "../words.js";

const MOST = 100; // steps
const REACH = 11.6; // around the start: the last step ends 10 away, and there are words beyond
const WORDS = { across: 1.9, up: 0.9, away: 0.6 }; // half of their size, and how far from the end of the way
const places = rootSpiral(MOST);

/** @param {readonly (readonly [number, number])[]} points */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(3)} ${(-y).toFixed(3)}`).join("L")}`;

/** Drawn for every number of counts, within the way of a hundred. @returns {{node: HTMLElement, draw(counts: number): void}} */
export function way() {
  const ghost = drawing("path", { class: "way-ghost", d: path(places) });
  const walked = drawing("path", { class: "way-walked" });
  const straight = drawing("path", { class: "way-straight" });
  const [start, end] = [0, 1].map(() => drawing("circle", { class: "way-end", r: 0.42 }));
  const there = drawing("text", { class: "way-word", "text-anchor": "middle" }, document.createTextNode("f(D′)"));
  const svg = drawing("svg", { class: "way", viewBox: `${-REACH} ${-REACH} ${2 * REACH} ${2 * REACH}`, role: "img" },
    ghost, walked, straight, ...[start, end].map((dot) => /** @type {SVGElement} */ (dot)), there);
  const said = element("figcaption");
  return {
    node: element("figure.way-figure", svg, said),
    draw(counts) {
      const [foot, line] = countSensitivities(counts);
      const [x, y] = places[counts] ?? [0, 0];
      walked.setAttribute("d", path(places.slice(0, counts + 1)));
      straight.setAttribute("d", path([[0, 0], [x, y]]));
      end?.setAttribute("cx", x.toFixed(3));
      end?.setAttribute("cy", (-y).toFixed(3));
      put(there, x, y);
      said.replaceChildren(
        element("span", say("way.ends")), " ", // in the middle, words would cover the steps
        element("span.way-key.walked", say("way.foot", { n: foot })), " ", element("span.way-key.straight", say("way.line", { n: counts, length: fixed(line, 2) })));
      svg.setAttribute("aria-label", say("way.name", { n: foot, length: fixed(line, 2) }));
    },
  };
}

/** Words beyond the end of the way: outwards and onwards, where no step has been yet, and within the picture. @param {SVGElement} words @param {number} x @param {number} y of the end */
function put(words, x, y) {
  const far = Math.hypot(x - y, y + x) || 1;
  const [onwards, upwards] = [(x - y) / far, (y + x) / far]; // half way between the radius and the next step
  const reach = WORDS.across * Math.abs(onwards) + WORDS.up * Math.abs(upwards) + WORDS.away;
  const held = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(size - REACH, Math.min(REACH - size, at));
  words.setAttribute("x", held(x + reach * onwards, WORDS.across).toFixed(3));
  words.setAttribute("y", (0.55 - held(y + reach * upwards, WORDS.up)).toFixed(3));
}
