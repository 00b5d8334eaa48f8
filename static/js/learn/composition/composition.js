/** Composition: what several reports of one person cost together. The other two parts of the lesson are beside it. */

import "./again.js";
import "./models.js";
import { element } from "../../page/page.js";
import { advancedEpsilon, binomialChances, composedEpsilon, plainSum } from "../../theory/composition.js";
import { spinner } from "../../theory/response.js";
import { beside } from "../beside.js";
import { nearly } from "../certainty.js";
import { controls } from "../controls.js";
import { curve, dot, line } from "../marks.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { fixed, number, percent, say } from "../words.js";

const RANGE = { min: 1, max: 100, step: 1 };
const ROOM = 1.2; // how far beyond the questions the picture goes
const ROUND = 5; // it ends at so many questions, or a multiple
const ABOVE = 1.15; // how far above the sum
const TABLE = [1, 2, 5, 10, 20, 50, 100];
const VISIBLE = 0.005; // a gain below half a percent is called none

const chart = plot(say("sum.caption"), 0.62, { tableCaption: say("sum.table"), hint: say("sum.hint") });
const outcome = element("p.outcome", { "data-value": "sum" });
/** Where the picture ends while its point is dragged: it may not move under the pointer. */
let held = 0;
let end = 0;
let now = { questions: 20, epsilon: 0.1, delta: 1e-6 };

/** @param {typeof now} values */
function show(values) {
  now = values;
  const { questions, epsilon, delta } = values;
  const sum = plainSum(epsilon, questions);
  const exact = (/** @type {number} */ k) => composedEpsilon(epsilon, k, delta);
  const advanced = (/** @type {number} */ k) => advancedEpsilon(epsilon, k, delta);
  outcome.textContent = [say("sum.outcome", { n: questions, sum: fixed(sum, 2), exact: fixed(exact(questions), 2), advanced: fixed(advanced(questions), 2) }),
    gained(1 - exact(questions) / sum, values)].join(" ");
  end = held || Math.min(RANGE.max, ROUND * Math.ceil(ROOM * questions / ROUND));
  const counts = Array.from({ length: end }, (_, index) => index + 1);
  const top = ABOVE * plainSum(epsilon, end);
  /** @param {(k: number) => number} of @returns {XY[]} */
  const along = (of) => counts.map((k) => [k, of(k) <= top ? of(k) : NaN]);
  const [plain, composed, formula] = [along((k) => plainSum(epsilon, k)), along(exact), along(advanced)];
  const at = /** @type {XY} */ ([questions, 0]); // at the foot, where it hides none of the dots
  chart.draw({
    name: outcome.textContent,
    x: { title: say("sum.questions"), from: 0, to: end },
    y: { title: say("sum.total"), from: 0, to: top },
    marks: [curve([[0, 0], ...plain], "ink"), curve(composed, "accent", 1), curve(formula, "soft", 2),
      line(at, [questions, sum], "soft"), dot([questions, exact(questions)], "accent"), dot([questions, sum], "ink"),
      beside([{ text: say("sum.plain"), points: plain }, { text: say("sum.exact"), points: composed }, { text: say("sum.advanced"), points: formula }],
        [{ at, reach: 14 }, { at: [questions, exact(questions)], reach: 8 }, { at: [questions, sum], reach: 8 }])],
    handles: [{ label: say("sum.questions"), at, ...RANGE, say: (value) => number(value),
      move: (value) => panel.set("questions", held ? Math.min(held, value) : value) }],
    table: { head: [say("sum.questions"), say("sum.plain"), say("sum.exact"), say("sum.advanced")],
      rows: TABLE.map((k) => [number(k), fixed(plainSum(epsilon, k), 3), fixed(exact(k), 3), fixed(advanced(k), 3)]) },
  });
}

/** What composing exactly is worth. @param {number} gain as a part of the sum @param {typeof now} values */
function gained(gain, { questions, epsilon }) {
  if (gain >= 1) return say("sum.nothing");
  if (gain > VISIBLE) return say("sum.gain", { percent: nearly(gain) });
  if (questions === 1) return say("sum.alone");
  return say("sum.none", { n: questions, percent: percent(binomialChances(questions, spinner(epsilon)).at(-1) ?? 0, 4) });
}

const panel = controls({
  questions: { label: say("sum.questions"), ...RANGE, whole: true, value: now.questions },
  epsilon: { label: say("sum.epsilon"), min: 0.01, max: 4, step: 0.01, value: now.epsilon },
  delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: now.delta },
}, show, [part("result")]);
part("controls").append(panel.node);
part("result").append(outcome, chart.node);
chart.node.addEventListener("pointerdown", (event) => {
  if (event.target instanceof Element && event.target.closest(".handle")) held = end;
});
chart.node.addEventListener("lostpointercapture", () => {
  held = 0;
  show(now);
});
