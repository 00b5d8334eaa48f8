/** One share, three ways to protect it with the same epsilon: what each leaves of the truth. */

import { element } from "../../page/page.js";
import { centralError, countEpsilon, localEpsilon, localError, samplingError } from "../../theory/shuffle.js";
import { controls } from "../controls.js";
import { beside } from "../beside.js";
import { curve, dot, line } from "../marks.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { dataTable } from "../tables.js";
import { fixed, number, percent, say } from "../words.js";

const DELTA = 1e-6;
const HALF = 0.5; // the share for which people differ most
const NONE = 0; // the share for which they do not differ: what is left of the error is noise
const RANGE = { min: 100, max: 1e6 };
const SIZES = Array.from({ length: 13 }, (_, index) => Math.round(10 ** (2 + index / 3)));
const TABLE = [100, 1000, 10_000, 100_000, 1_000_000];
const FIGURES = /** @type {const} */ ([[10_000, 1], [10_000, Math.log(3)], [200, 1]]);

const chart = plot(say("models.caption"), 1.1, { tableCaption: say("models.errors") });
const table = element("div", { "data-value": "models" });
const outcome = element("p.outcome", { "data-value": "gap" });
/** Shuffled epsilons by respondents, at the epsilon that is shown: only the number of respondents moves most of the time. */
let known = { epsilon: NaN, found: /** @type {Map<number, number>} */ (new Map()) };

/** @param {{people: number, models_epsilon: number}} values */
function show({ people, models_epsilon: epsilon }) {
  if (known.epsilon !== epsilon) known = { epsilon, found: new Map() };
  const local = (/** @type {number} */ n, share = NONE) => localError(share, epsilon, n);
  const shuffled = (/** @type {number} */ n, share = NONE) => localError(share, own(n), n);
  const central = (/** @type {number} */ n, share = NONE) => centralError(share, epsilon, n);
  const floor = (/** @type {number} */ n) => samplingError(HALF, n);
  const models = /** @type {const} */ ([["local", local, epsilon], ["shuffled", shuffled, own(people)], ["central", central, null]]);
  table.replaceChildren(dataTable(say("models.table", { n: number(people), epsilon: number(epsilon) }),
    ["", say("models.own"), say("models.noise"), say("models.error")],
    [...models.map(([name, error, loss]) => [say(`models.${name}`), loss === null ? "–" : fixed(loss, 2), points(error(people)), points(error(people, HALF))]),
      [say("models.floor"), "–", points(0), points(floor(people))]]));
  outcome.textContent = say("models.outcome", { local: points(local(people, HALF)), shuffled: points(shuffled(people, HALF)), central: points(central(people, HALF)) });
  /** @param {(n: number) => number} error */
  const along = (error) => SIZES.map((n) => /** @type {XY} */ ([n, error(n)]));
  const [bottom, top] = [10 ** Math.floor(Math.log10(central(RANGE.max))), 10 ** Math.ceil(Math.log10(local(RANGE.min)))];
  chart.draw({
    name: outcome.textContent,
    x: { title: say("people"), from: RANGE.min, to: RANGE.max, log: true },
    y: { title: say("models.axis"), from: bottom, to: top, log: true, ticks: decades(bottom, top), format: (value) => percent(value, 6) },
    marks: [line([people, bottom], [people, top], "soft"),
      curve(along(floor), "soft", 2), curve(along(central), "ink", 3), curve(along(shuffled), "accent", 1), curve(along(local), "ink"),
      ...models.map(([, error]) => dot([people, error(people)], "bright")),
      beside([{ text: say("models.people"), points: along(floor) }, ...models.map(([name, error]) => ({ text: say(`models.${name}`), points: along(error) })),
        { text: "", points: [[people, bottom], [people, top]] }], models.map(([, error]) => ({ at: [people, error(people)], reach: 8 })))],
    table: { head: [say("people"), ...models.map(([name]) => say(`models.${name}`)), say("models.people")],
      rows: TABLE.map((n) => [number(n), ...models.map(([, error]) => points(error(n))), points(floor(n))]) },
  });
}

/** The epsilon of each report that shuffling allows. @param {number} n */
function own(n) {
  const { epsilon, found } = known;
  const seen = found.get(n) ?? localEpsilon(epsilon, n, DELTA);
  found.set(n, seen);
  return seen;
}

/** Every second power of ten: few enough for a small screen. @param {number} bottom @param {number} top */
function decades(bottom, top) {
  const first = Math.round(Math.log10(bottom));
  return Array.from({ length: Math.floor((Math.log10(top) - first) / 2 + 1.01) }, (_, index) => 10 ** (first + 2 * index));
}

/** A standard error of a share, in percentage points. @param {number} error */
const points = (error) => percent(error, error < 0.0001 ? 6 : error < 0.01 ? 4 : 2);

const panel = controls({
  people: { label: say("people"), ...RANGE, step: 0.05, log: true, whole: true, value: 10_000 },
  models_epsilon: { label: say("models.epsilon"), min: 0.1, max: 4, step: 0.1, value: 1 },
}, show, [part("models-result")]);
part("models-controls").append(panel.node);
part("models-result").append(outcome, chart.node, table);
part("shuffled").append(dataTable(say("figures.caption"), [say("people"), say("figures.local"), say("figures.count")],
  FIGURES.map(([n, epsilon]) => [number(n), epsilon === 1 ? number(1) : "ln 3", fixed(countEpsilon(epsilon, n, DELTA), 4)])));
