/** The cumulative curve: how many people have at most so many days, with a band that closes in as more of them report. */

import { band, curve, dot } from "../drawing/marks.js";
import { number, percent, say } from "../words.js";
import { COUNTS, CUTS, SCATTERED, truth } from "./channels.js";

/** @typedef {import("./channels.js").Purpose} Purpose */

export const PEOPLE = 3000;
/** Standard errors: the normal quantile at 1 - 0.05/(2 · 7), so that a band holds at all cuts together in 95% of surveys (Bonferroni). */
const NORMAL = 2.690;
const PLACES = Array.from({ length: CUTS }, (_, cut) => cut);

/** How far the band reaches at a cut. @param {Purpose} purpose @param {number} cut @param {number} people */
const reach = (purpose, cut, people) => NORMAL * Math.sqrt((SCATTERED[purpose][cut] ?? 0) / people);

/** The share up to each cut, from reports. @param {Purpose} purpose @param {readonly number[]} reports */
export function estimates(purpose, reports) {
  return COUNTS[purpose].map((counts) => reports.reduce((sum, report) => sum + (counts[report] ?? 0), 0) / reports.length);
}

/** @param {Purpose} purpose @param {readonly number[]} reports none before anybody is asked @returns {PlotPicture} */
export function cumulative(purpose, reports) {
  const people = reports.length || PEOPLE;
  const middles = reports.length ? estimates(purpose, reports) : PLACES.map(truth);
  const edges = (/** @type {Purpose} */ which) => PLACES.map((cut) => {
    const [middle, within] = [middles[cut] ?? 0, reach(which, cut, people)];
    return /** @type {const} */ ([cut, Math.max(0, middle - within), Math.min(1, middle + within)]);
  });
  const wheel = edges("wheel");
  const widest = (/** @type {Purpose} */ which) => number(100 * Math.max(...PLACES.map((cut) => reach(which, cut, people))), 1);
  return {
    name: say("curve.name", { people: number(people), reach: widest(purpose), wheel: widest("wheel") }),
    x: { title: say("curve.days"), from: -0.25, to: CUTS - 0.75, ticks: PLACES, format: (value) => number(value) },
    y: { title: say("curve.share"), from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], format: (value) => percent(value) },
    marks: [
      band(edges(purpose)),
      ...[1, 2].map((side) => curve(wheel.map((edge) => /** @type {XY} */ ([edge[0], edge[side] ?? 0])), "dark", 1)),
      curve(PLACES.map((cut) => /** @type {XY} */ ([cut, truth(cut)])), "ink"),
      ...(reports.length ? PLACES.map((cut) => dot([cut, Math.min(1, Math.max(0, middles[cut] ?? 0))], "accent")) : []),
    ],
    table: () => ({ head: [say("curve.days"), say("curve.truth"), say("curve.reach"), say("curve.reach_wheel"), ...(reports.length ? [say("curve.estimate")] : [])],
      rows: PLACES.map((cut) => [number(cut), percent(truth(cut)), `± ${number(100 * reach(purpose, cut, people), 1)}`, `± ${number(100 * reach("wheel", cut, people), 1)}`,
        ...(reports.length ? [percent(middles[cut] ?? 0)] : [])]) }),
  };
}
