/** How the difference between two groups comes out of the dark as more people are asked, on one wheel and on two. */

import { band, curve, label, line } from "../drawing/marks.js";
import { number, say } from "../words.js";
import { difference, PEOPLE, reach, scatters } from "./pair.js";

/** @typedef {import("./pair.js").Differences} Differences */

export const MOST = 2000;
/** People after whom the difference is looked at. */
export const STOPS = Array.from({ length: 77 }, (_, step) => 100 + 25 * step);
const LOOKED = [100, 500, 1000, 2000]; // rows of the table
const [LOW, HIGH] = [-50, 110];

/** @param {number} points */
const inside = (points) => Math.min(HIGH, Math.max(LOW, points));

/** @param {number} epsilon @param {Differences | null} differences @param {number} share of the stops, while it grows @returns {PlotPicture} */
export function walks(epsilon, differences, share) {
  const { value, slope } = difference(PEOPLE);
  const known = scatters(epsilon, slope);
  const truth = 100 * value;
  const within = (/** @type {"joint" | "apart"} */ way, /** @type {number} */ people) => 100 * reach(known[way], people);
  const edges = (/** @type {"joint" | "apart"} */ way) => STOPS.map((people) => (
    /** @type {const} */ ([people, inside(truth - within(way, people)), inside(truth + within(way, people))])));
  const shown = STOPS.slice(0, Math.ceil(share * STOPS.length));
  const walked = (/** @type {"joint" | "apart"} */ way) => shown.map((people, place) => /** @type {XY} */ ([people, inside(100 * (differences?.[way][place] ?? 0))]));
  const wide = edges("apart");
  const at = (/** @type {"joint" | "apart"} */ way) => truth + within(way, 1250);
  return {
    name: say("walks.name", { truth: number(truth), joint: number(within("joint", 1000), 0), apart: number(within("apart", 1000), 0) }),
    x: { title: say("walks.people"), from: 0, to: MOST, ticks: [0, 500, 1000, 1500, 2000] },
    y: { title: say("walks.points"), from: LOW, to: HIGH, ticks: [-50, 0, 50, 100] },
    marks: [
      band(edges("joint")),
      ...[1, 2].map((side) => curve(wide.map((edge) => /** @type {XY} */ ([edge[0], edge[side] ?? 0])), "dark", 1)),
      line([0, truth], [MOST, truth], "ink", 0),
      ...(differences ? [curve(walked("apart"), "dark", 0), curve(walked("joint"), "accent", 0)] : []),
      label({ text: say("walks.apart"), at: [1250, inside(at("apart"))], dy: -8 }),
      label({ text: say("walks.joint"), at: [420, truth], dy: -5 }),
    ],
    table: () => ({ head: [say("walks.people"), say("walks.joint"), say("walks.apart"), ...(differences ? [say("walks.survey_joint"), say("walks.survey_apart")] : [])],
      rows: LOOKED.map((people) => [number(people), ...(/** @type {const} */ (["joint", "apart"])).map((way) => `± ${number(within(way, people), 0)}`),
        ...(differences ? (/** @type {const} */ (["joint", "apart"])).map((way) => number(100 * (differences[way][STOPS.indexOf(people)] ?? 0), 0)) : [])]) }),
  };
}
