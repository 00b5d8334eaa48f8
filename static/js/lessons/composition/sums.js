/** What m reports cost together: the sum, the formula of the textbooks and the exact figure, each in so many times one epsilon. */

import { element } from "../../page/page.js";
import { advancedEpsilon, binomialChances, composedEpsilon, gaussianComposedEpsilon, plainSum } from "../../theory/composition.js";
import { exactSigma } from "../../theory/noise.js";
import { spinner } from "../../theory/response.js";
import { beside } from "../drawing/line_labels.js";
import { atMost, inHundred, inPercent } from "../rounding.js";
import { chance } from "../small_chances.js";
import { choices, controls } from "../controls/controls.js";
import { curve, dot, line } from "../drawing/marks.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { number, say } from "../words.js";

const RANGE = { min: 1, max: 100, step: 1 };
const TABLE = [1, 2, 5, 10, 20, 50, 100];
const VISIBLE = 0.005; // a gain below half a percent is called none
const PARTS = 2 * RANGE.max; // a delta of its own takes so small a part of the whole that half of it is left for all
const TOP = 110; // times one epsilon
const EVERY = { response: 1, gaussian: 3 }; // questions between two points of a line

const chart = plot(say("sum.caption"), 0.62, { tableCaption: say("sum.table"), hint: say("sum.hint") });
const outcome = element("p.outcome", { role: "status", "data-value": "sum" });
/** @type {"response" | "gaussian"} */
let kind = "response";
let now = { questions: 20, epsilon: 0.1, delta: 1e-6 };

/** The three figures for any number of reports. @param {number} epsilon @param {number} delta */
function figures(epsilon, delta) {
  const slice = kind === "gaussian" ? delta / PARTS : 0;
  const mu = kind === "gaussian" ? 1 / exactSigma(1, epsilon, slice) : NaN;
  return {
    slice,
    plain: (/** @type {number} */ m) => plainSum(epsilon, m),
    exact: (/** @type {number} */ m) => (kind === "gaussian" ? gaussianComposedEpsilon(mu, m, delta) : composedEpsilon(epsilon, m, delta)),
    advanced: (/** @type {number} */ m) => advancedEpsilon(epsilon, m, delta - m * slice),
  };
}

/** @param {typeof now} values */
function show(values) {
  now = values;
  const { questions, epsilon, delta } = values;
  const { slice, plain, exact, advanced } = figures(epsilon, delta);
  const sum = plain(questions);
  const total = exact(questions);
  outcome.textContent = [
    say(slice ? "sum.numbers" : "sum.outcome", { n: questions, sum: atMost(sum, 2), exact: atMost(total, 2), advanced: atMost(advanced(questions), 2), each: chance(slice, 3), deltas: chance(questions * slice, 3), delta: chance(delta, 3) }),
    gained(1 - total / sum, values)].join(" ");
  const every = EVERY[kind];
  const counts = Array.from({ length: Math.floor((RANGE.max - 1) / every) + 1 }, (_, index) => 1 + index * every);
  /** In so many times one epsilon: the sum is always the diagonal. @param {(m: number) => number} of @returns {XY[]} */
  const along = (of) => counts.map((m) => [m, of(m) / epsilon]);
  const [diagonal, composed, formula] = [along(plain), along(exact), along(advanced).filter(([, y]) => y <= TOP)];
  const at = /** @type {XY} */ ([questions, 0]); // at the foot, where it hides none of the dots
  const dots = /** @type {const} */ ([[[questions, total / epsilon], "accent"], [[questions, questions], "ink"]]);
  chart.draw({
    name: outcome.textContent,
    x: { title: say("sum.questions"), from: 0, to: RANGE.max },
    y: { title: say("sum.total"), from: 0, to: TOP, ticks: [0, 20, 40, 60, 80, 100] },
    marks: [curve([[0, 0], ...diagonal], "ink"), curve(composed, "accent", 1), curve(formula, "soft", 2),
      line(at, [questions, questions], "soft"), ...dots.map(([place, look]) => dot(place, look)),
      beside([{ text: say("sum.plain"), points: diagonal }, { text: say("sum.exact"), points: composed }, { text: say("sum.advanced"), points: formula }],
        [{ at, reach: 14 }, ...dots.map(([place]) => ({ at: place, reach: 8 }))])],
    handles: [{ label: say("sum.questions"), at, ...RANGE, say: (value) => number(value), move: (value) => panel.set("questions", value) }],
    table: () => ({ head: [say("sum.questions"), say("sum.plain"), say("sum.exact"), say("sum.advanced")],
      rows: TABLE.map((m) => [number(m), ...[plain, exact, advanced].map((of) => atMost(of(m), 3))]) }),
  });
}

/** What composing exactly is worth. @param {number} gain as a part of the sum @param {typeof now} values */
function gained(gain, { questions, epsilon }) {
  if (gain >= 1) return say("sum.nothing");
  if (gain > VISIBLE) return say("sum.gain", { percent: inPercent(gain) });
  if (questions === 1) return say("sum.alone");
  return say("sum.none", { n: questions, chance: inHundred(binomialChances(questions, spinner(epsilon)).at(-1) ?? 0) });
}

const panel = controls({
  questions: { label: say("sum.questions"), ...RANGE, whole: true, value: now.questions },
  epsilon: { label: say("sum.epsilon"), min: 0.01, max: 4, step: 0.01, value: now.epsilon },
  delta: { label: say("delta"), min: 1e-6, max: 0.1, step: 0.05, log: true, value: now.delta },
}, show, [part("result")]);
part("controls").append(panel.node,
  choices("kind", say("sum.kind"), [["response", say("sum.response")], ["gaussian", say("sum.gaussian")]], kind, (value) => { kind = value === "gaussian" ? value : "response"; show(now); }));
part("result").append(chart.node, outcome); // the words grow, and the picture stays where it is
