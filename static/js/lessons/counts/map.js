/** A map of two counts: a database, a neighbour a step away, and the distance between them on foot and in a straight line. */

import { drawing, element } from "../../page/page.js";
import { distances } from "../../theory/distance.js";
import { countSensitivities } from "../../theory/noise.js";
import { choices } from "../controls/controls.js";
import { part } from "../places.js";
import { fixed, number, say } from "../words.js";

const REACH = 3.1;
const STREETS = [-3, -2, -1, 0, 1, 2, 3];
/** What becomes of the two counts. @type {Map<string, readonly [number, number]>} */
const MOVES = new Map([["both", [1, 1]], ["one", [1, 0]], ["replaced", [-1, 1]]]);

const grid = drawing("path", { class: "grid", d: STREETS.map((at) => `M${at} ${-REACH}V${REACH}M${-REACH} ${at}H${REACH}`).join("") });
const diamond = drawing("path", { class: "map-diamond" });
const circle = drawing("circle", { class: "map-circle" });
const walked = drawing("path", { class: "way-walked" });
const straight = drawing("path", { class: "way-straight" });
const there = drawing("circle", { class: "way-end", r: 0.13 });
const [here, beyond] = ["f(D)", "f(D′)"].map((words) => drawing("text", { class: "way-word small" }, document.createTextNode(words)));
const svg = drawing("svg", { class: "map", viewBox: `${-REACH - 0.1} ${-REACH - 0.1} ${2 * REACH + 0.2} ${2 * REACH + 0.2}`, role: "img" },
  grid, diamond, circle, walked, straight, drawing("circle", { class: "way-end", r: 0.13 }), there, ...[here, beyond].map((words) => /** @type {SVGElement} */ (words)));
const said = element("p.outcome", { role: "status" });

/** @param {string} move */
function show(move) {
  const [x, y] = MOVES.get(move) ?? [1, 1];
  const [foot, line] = distances([x, y]);
  const most = countSensitivities(2);
  diamond.setAttribute("d", `M${foot} 0L0 ${-foot}L${-foot} 0L0 ${foot}Z`);
  circle.setAttribute("r", String(line));
  walked.setAttribute("d", `M0 0H${x}V${-y}`);
  straight.setAttribute("d", `M0 0L${x} ${-y}`);
  there.setAttribute("cx", String(x));
  there.setAttribute("cy", String(-y));
  put(here, x < 0 ? 0.2 : -0.2, 0.38, x < 0 ? "start" : "end");
  put(beyond, x + (x < 0 ? -0.2 : 0.2), -y - 0.2, x < 0 ? "end" : "start");
  const words = { foot: number(foot), line: fixed(line, 2), l1: number(most[0]), l2: fixed(most[1], 2) };
  svg.setAttribute("aria-label", say("map.name", words));
  said.textContent = say("map.said", words);
}

/** @param {SVGElement | undefined} words @param {number} x @param {number} y @param {string} anchor */
function put(words, x, y, anchor) {
  for (const [name, value] of Object.entries({ x, y, "text-anchor": anchor })) words?.setAttribute(name, String(value));
}

part("map-controls").append(choices("move", say("map.who"), [...MOVES.keys()].map((move) => [move, say(`map.${move}`)]), "both", show));
part("map").append(element("figure.map-figure", element("figcaption", say("map.caption")), svg), said);
show("both");
