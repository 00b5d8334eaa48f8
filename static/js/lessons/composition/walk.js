/** The walk of somebody's belief: on a scale of log-odds every report is one step of epsilon, up or down. */

import { drawing } from "../../page/page.js";
import { spinner } from "../../theory/response.js";
import { bettingOdds } from "../../theory/suspicion.js";
import { beside } from "../drawing/line_labels.js";
import { band, curve, dot, ghost } from "../drawing/marks.js";
import { number, say } from "../words.js";
import { EDGE, GAP, inside, steps } from "./steps.js";

export const MOST = 20; // reports
const ROOM = 4; // more, beside which the odds stand
const BEFORE = 2; // reports, in whose room the words of a steep line stand
const ODDS = [999, 99, 9]; // to 1
const TICKS = [...ODDS.map((odds) => -Math.log(odds)), 0, ...ODDS.map(Math.log).reverse()];

/** The line that no walk crosses: every step up, or every one down. @param {number} epsilon @param {number} way 1 or -1 */
const bound = (epsilon, way) => inside([[0, 0], [MOST, way * MOST * epsilon]]);

/** Its name stands at the outer half: at the start the two lines are close together. @param {"most" | "least"} name @param {number} epsilon @param {number} way */
function named(name, epsilon, way) {
  const end = Math.min(MOST, EDGE / epsilon);
  const full = say(end < MOST / 2 ? `again.${name}_short` : `again.${name}`); // beside a steep line there is little room
  const [start, middle, far] = [0, end / 2, end].map((x) => /** @type {XY} */ ([x, way * x * epsilon]));
  return /** @type {{text: string, short?: string, points: XY[]}[]} */ ([
    { text: full, short: say(`again.${name}_narrow`), points: [middle, far] }, { text: "", points: [start, middle] }]);
}

/** Where a walk is expected, within two standard deviations: of j reports, each with chance r a step towards the answer. @param {number} epsilon @param {number} way */
function expected(epsilon, way) {
  const right = spinner(epsilon);
  return Array.from({ length: MOST + 1 }, (_, j) => {
    const [mean, reach] = [way * j * epsilon * (2 * right - 1), 4 * epsilon * Math.sqrt(j * right * (1 - right))];
    const most = Math.min(EDGE, j * epsilon); // it cannot be beyond the lines that no walk crosses
    const held = (/** @type {number} */ y) => Math.min(most, Math.max(-most, y));
    return /** @type {const} */ ([j, held(mean - reach), held(mean + reach)]);
  });
}

/**
 * @param {{reports: readonly number[], epsilon: number, answer: number, former: readonly (readonly XY[])[], share: number}} now `share` of the walk is drawn, while it grows
 * @returns {Pick<PlotPicture, "x" | "y" | "marks">}
 */
export function walk({ reports, epsilon, answer, former, share }) {
  const way = answer ? 1 : -1;
  const whole = steps(reports.slice(0, Math.ceil(share * reports.length)), epsilon);
  const shown = inside(whole);
  const [highest, lowest] = [bound(epsilon, 1), bound(epsilon, -1)];
  const likely = expected(epsilon, way);
  return {
    x: { title: say("again.reports"), from: -BEFORE, to: MOST + ROOM, ticks: [0, 5, 10, 15, 20] },
    y: { title: say("again.belief"), from: -EDGE, to: EDGE, ticks: TICKS,
      format: (value) => number(100 / (1 + Math.exp(-value)), 1) },
    marks: [band(likely), ...former.map(ghost), oddsBeside,
      curve(highest, "soft", 2), curve(lowest, "soft", 2), curve(shown, "ink"),
      ...whole.flatMap((at, index) => (index && Math.abs(at[1]) <= EDGE ? [dot(at, reports[index - 1] ? "bright" : "dark")] : [])),
      ...gone(whole),
      beside([...named("most", epsilon, 1), ...named("least", epsilon, -1),
        { text: "", points: likely.flatMap(([j, low, high]) => /** @type {XY[]} */ ([[j, low], [j, high], GAP])) }, // no words stand in the shading
        { text: "", points: inside(steps(reports, epsilon)) }], // all of it, so that no words move while it grows
      TICKS.map((at) => ({ at: [MOST + ROOM, at], text: odds(at), dy: 4, anchor: "end" })))],
  };
}

/** An arrow where a walk leaves the picture for good. @param {readonly XY[]} whole @returns {Mark[]} */
function gone(whole) {
  const last = inside(whole).at(-1);
  if (last !== GAP) return [];
  const [x, y] = inside(whole).at(-2) ?? [0, 0];
  return [(sides) => {
    const way = Math.sign(y);
    return [drawing("path", { class: "curve ink", d: `M${sides.x(x) - 6} ${sides.y(y) + way * 8}l6 ${-way * 8}l6 ${way * 8}` })];
  }];
}

/** The same scale as odds, at the other side. @type {Mark} */
const oddsBeside = ({ x, y, right, top }) => [
  drawing("path", { class: "grid", d: `M${x(0)} ${y(0)}H${right}` }),
  drawing("text", { class: "axis-title", x: right, y: top - 20, "text-anchor": "end" }, document.createTextNode(say("again.odds"))),
  ...TICKS.map((at) => drawing("text", { class: "tick odds", x: right, y: y(at) + 4, "text-anchor": "end" },
    document.createTextNode(odds(at)))),
];

/** @param {number} at log-odds */
const odds = (at) => bettingOdds(1 / (1 + Math.exp(-at))).map((side) => number(side, 0)).join(" : ");
