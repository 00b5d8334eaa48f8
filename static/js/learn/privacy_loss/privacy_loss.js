/** Privacy loss as a random variable, and delta as an area, for randomized response, Laplace and Gaussian noise. */

import { element } from "../../page/page.js";
import { gaussianLossMean } from "../../theory/loss.js";
import { nearly } from "../certainty.js";
import { choices, controls } from "../controls.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { MECHANISMS } from "./mechanisms.js";
import { deltas, losses, tail } from "./pictures.js";
import { reports } from "./reports.js";
import { chance } from "../powers.js";
import { number, say } from "../words.js";

const EPSILON = { min: 0.05, max: 6, step: 0.05 };
const FULL = 0.995; // a loss that counts with more than this part of its probability counts nearly in full
const TINY = 1e-4;

const plots = {
  reports: plot(say("reports.caption"), 0.8, { tableCaption: say("reports.table") }),
  losses: plot(say("losses.caption"), 0.8, { tableCaption: say("losses.table") }),
  tail: plot(say("tail.caption"), 0.45, { tableCaption: say("tail.table") }),
  deltas: plot(say("deltas.caption"), 0.5, { tableCaption: say("deltas.table"), hint: say("deltas.hint") }),
};
const described = element("p.outcome");
const compared = element("p.outcome", { role: "status" });
const figures = element("dl.facts");
const settings = element("div");
/** What was last set for each. */
const parameters = new Map(Object.entries(MECHANISMS).map(([kind, { setting }]) => [kind, setting.value]));
let kind = "response";
let epsilon = 1;
/** @type {{node: HTMLElement, set: (name: "parameter" | "epsilon", value: number) => void}} */
let panel;

/** @param {{parameter: number, epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  const { parameter } = values;
  const mechanism = mechanismNow();
  parameters.set(kind, parameter);
  described.textContent = say(`described.${kind}`, { parameter: number(parameter), bound: number(1 / parameter, 3), mean: number(gaussianLossMean(1 / parameter), 3) });
  compare(mechanism.exceeds(epsilon, parameter), mechanism.delta(epsilon, parameter));
  plots.reports.draw(reports(mechanism, parameter, epsilon));
  plots.losses.draw(losses(mechanism, parameter, epsilon));
  plots.tail.draw(tail(mechanism, parameter, epsilon));
  plots.deltas.draw(deltas(mechanism, parameter, epsilon,
    { label: say("epsilon"), ...EPSILON, move: (value) => panel.set("epsilon", value) }));
}

/** @param {number} exceeds @param {number} delta */
function compare(exceeds, delta) {
  const weight = delta / exceeds;
  const words = { epsilon: number(epsilon), times: chance(1 / weight, 3), weight: weight < TINY ? `${chance(100 * weight, 3)}%` : nearly(weight) };
  compared.textContent = say(exceeds === 0 ? "compared.none" : weight > FULL ? "compared.full" : "compared.some", words);
  figures.replaceChildren(
    element("dt", say("tail.words")), element("dd", { "data-value": "tail" }, chance(exceeds)),
    element("dt", say("delta")), element("dd", { "data-value": "delta" }, chance(delta)),
    element("dt", say("ratio")), element("dd", { "data-value": "ratio" }, exceeds === 0 ? "–" : chance(1 / weight)));
}

function mechanismNow() {
  const mechanism = MECHANISMS[kind];
  if (!mechanism) throw new RangeError(`mechanism must be one of ${Object.keys(MECHANISMS)}, got ${kind}`);
  return mechanism;
}

/** Each mechanism has a parameter of its own; epsilon stays. @param {string} wanted */
function choose(wanted) {
  kind = wanted;
  const { setting } = mechanismNow();
  panel = controls({
    parameter: { label: say(`parameter.${kind}`), hint: say(`hint.${kind}`), ...setting, value: parameters.get(kind) ?? setting.value },
    epsilon: { label: say("epsilon"), hint: say("epsilon_hint"), ...EPSILON, value: epsilon },
  }, show, [part("result")]);
  settings.replaceChildren(panel.node);
}

choose(kind);
part("controls").append(
  choices("kind", say("mechanism"), Object.keys(MECHANISMS).map((each) => [each, say(`kind.${each}`)]), kind, choose), settings);
part("result").append(described, element("div.beside", plots.reports.node, plots.losses.node), plots.tail.node, figures, compared, plots.deltas.node);
