/** The errors for every number of respondents, and in figures: folded, and worked out only while it is open. */

import { element } from "../../page/page.js";
import { countEpsilon } from "../../theory/shuffle.js";
import { beside } from "../drawing/line_labels.js";
import { atMost } from "../rounding.js";
import { curve, dot, line } from "../drawing/marks.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { dataTable } from "../data_table.js";
import { fixed, number, say } from "../words.js";
import { DELTA, error, floor, MODELS, own } from "./errors.js";
import { inHundred, SHARE } from "./picture.js";

/** @typedef {import("./picture.js").Shown} Shown */

const NONE = 0; // the share for which they do not differ: what is left of the error is noise
const RANGE = { min: 100, max: 1e6 };
const HIGH = { from: 1e-5, to: 1000, ticks: [1e-4, 1e-2, 1, 100] }; // in 100; from the least to the most that any setting gives
const SIZES = Array.from({ length: 13 }, (_, index) => Math.round(10 ** (2 + index / 3)));
const TABLE = [100, 1000, 10_000, 100_000, 1_000_000];
const FIGURES = /** @type {const} */ ([[10_000, 1], [10_000, Math.log(3)], [200, 1]]);

const chart = plot(say("models.caption"), 0.9, { tableCaption: say("models.errors") });
const table = element("div", { "data-value": "models" });
const fold = part("models-result").closest("details");
/** @type {Shown | undefined} */
let latest;

/** @param {Shown} now */
export function showFigures(now) {
  latest = now;
  if (!fold || fold.open) show(now);
}

/** @param {Shown} now */
function show({ people, epsilon }) {
  table.replaceChildren(dataTable(say("models.table", { n: number(people), share: number(100 * SHARE), epsilon: number(epsilon) }),
    ["", say("models.own"), say("models.noise"), say("models.error")],
    [...MODELS.map((model) => {
      const loss = own(model, epsilon, people);
      return [say(`models.${model}`), loss === null ? "–" : fixed(loss, 2), inHundred(error(model, NONE, epsilon, people)), inHundred(error(model, SHARE, epsilon, people))];
    }), [say("models.floor"), "–", inHundred(0), inHundred(floor(SHARE, people))]]));
  const lines = [
    { name: "people", look: /** @type {const} */ ("soft"), dash: 2, of: (/** @type {number} */ n) => 100 * floor(SHARE, n) },
    ...MODELS.map((model, index) => ({ name: model, look: /** @type {const} */ (["ink", "accent", "ink"])[index] ?? "ink", dash: [0, 1, 3][index] ?? 0,
      of: (/** @type {number} */ n) => 100 * error(model, NONE, epsilon, n) }))].map((line) => ({ ...line, points: SIZES.map((n) => /** @type {XY} */ ([n, line.of(n)])) }));
  const dots = lines.slice(1).map(({ of }) => /** @type {XY} */ ([people, of(people)]));
  chart.draw({
    name: say("models.caption"),
    x: { title: say("people"), from: RANGE.min, to: RANGE.max, log: true },
    y: { title: say("models.axis"), ...HIGH, log: true },
    marks: [line([people, HIGH.from], [people, HIGH.to], "soft"),
      ...lines.map(({ points, look, dash }) => curve(points, look, dash)), ...dots.map((at) => dot(at, "bright")),
      beside([...lines.map(({ name, points }) => ({ text: say(`models.${name}`), points })),
        { text: "", points: [[people, HIGH.from], [people, HIGH.to]] }], dots.map((at) => ({ at, reach: 8 })))],
    table: () => ({ head: [say("people"), ...lines.slice(1).map(({ name }) => say(`models.${name}`)), say("models.people")],
      rows: TABLE.map((n) => [number(n), ...[...lines.slice(1), ...lines.slice(0, 1)].map(({ of }) => small(of(n)))]) }),
  });
}

/** A standard error in 100, however small. @param {number} error */
const small = (error) => number(error, error < 0.01 ? 5 : 3);

fold?.addEventListener("toggle", () => { if (fold.open && latest) show(latest); });
part("models-result").append(chart.node, table);
part("shuffled").append(dataTable(say("figures.caption"), [say("people"), say("figures.local"), say("figures.count")],
  FIGURES.map(([n, epsilon]) => [number(n), epsilon === 1 ? number(1) : "ln 3", atMost(countEpsilon(epsilon, n, DELTA), 4)])));
