/** Privacy loss as a random variable, and delta as an area, for randomized response, Laplace and Gaussian noise. */

import { element } from "../element.js";
import { choices, controls } from "./controls.js";
import { part } from "./parts.js";
import { plot } from "./plot.js";
import { MECHANISMS } from "./privacy_loss_mechanisms.js";
import { deltas, losses, tail } from "./privacy_loss_pictures.js";
import { reports } from "./privacy_loss_reports.js";
import { chance } from "./privacy_loss_words.js";
import { number, percent, say } from "./words.js";

const EPSILON = { min: 0, max: 6, step: 0.05 };

const plots = {
  reports: plot(say("reports.caption"), 0.8),
  losses: plot(say("losses.caption"), 0.8),
  tail: plot(say("tail.caption"), 0.45),
  deltas: plot(say("deltas.caption"), 0.5),
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
  described.textContent = say(`described.${kind}`, { parameter: number(parameter), bound: number(1 / parameter, 3), mean: number(0.5 / parameter ** 2, 3) });
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
  compared.textContent = exceeds === 0 ? say("compared.none", { epsilon: number(epsilon) })
    : say("compared.some", { times: chance(1 / weight, 3), weight: percent(weight) });
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
