/** One count against many: how far one person moves all of them at once, and how much noise that asks for. */

import "./map.js";
import { element } from "../../page/page.js";
import { classicalSigma, countSensitivities, exactSigma } from "../../theory/noise.js";
import { keep } from "../controls/address.js";
import { controls } from "../controls/controls.js";
import { wantedNumber } from "../controls/link.js";
import { grow } from "../drawing/grow.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { chance, ten } from "../small_chances.js";
import { scrub } from "../controls/scrub.js";
import { dataTable } from "../data_table.js";
import { fixed, number, say } from "../words.js";
import { COUNTS, deviations, errors } from "./errors.js";
import { way } from "./way_on_foot.js";

const WALK = 1200; // milliseconds, for the first look
const USUAL = { counts: 50, epsilon: 1, power: -6 };
const EPSILON = { label: say("epsilon"), min: 0.05, max: 10, step: 0.05 };
const POWER = { label: say("delta"), min: -9, max: -1, step: 1 }; // delta is a power of ten

const chart = plot(say("errors.caption"), 0.72, { tableCaption: say("errors.table") });
const walk = way();
const outcome = element("p.outcome", { role: "status", "data-value": "counts" });
const now = { counts: USUAL.counts, epsilon: wantedNumber("epsilon", USUAL.epsilon, EPSILON), power: wantedNumber("delta_power", USUAL.power, POWER) };

function show() {
  const { counts, epsilon, power } = now;
  const delta = 10 ** power;
  const { laplace, gaussian, from } = deviations(epsilon, delta);
  outcome.textContent = [
    say("outcome.noise", { n: counts, laplace: chance(laplace(counts)), gaussian: chance(gaussian(counts)) }),
    from === 1 ? say("outcome.always") : say(from <= COUNTS.max ? "outcome.from" : "outcome.later", { from: number(from) }),
  ].join(" ");
  walk.draw(counts);
  chart.draw(errors(counts, epsilon, delta, outcome.textContent, (value) => panel.set("counts", value)));
  const line = countSensitivities(counts)[1];
  part("sigmas").replaceChildren(dataTable(say("sigmas.table", { n: counts, epsilon: number(epsilon), delta: ten(power) }), ["", "σ"], [
    [say("sigmas.exact"), chance(exactSigma(line, epsilon, delta))],
    [say(epsilon < 1 ? "sigmas.classical" : "sigmas.unproved"), chance(classicalSigma(line, epsilon, delta))],
  ]));
}

/** A number of the sentence above the picture. @param {"epsilon" | "power"} name @param {string} address @param {{label: string, min: number, max: number, step: number}} setting @param {(value: number) => string} words */
const inSentence = (name, address, setting, words) => scrub({ ...setting, value: now[name], say: words }, (value) => {
  now[name] = value;
  keep(address, value, USUAL[name]);
  show();
}).node;

const [before = "", between = "", after = ""] = say("promise", { epsilon: "\n", delta: "\n" }).split("\n");
part("result").append(
  element("p.counts-promise", before, inSentence("epsilon", "epsilon", EPSILON, (value) => fixed(value, 2)), between, inSentence("power", "delta_power", POWER, ten), after),
  element("div.way-and-errors", walk.node, chart.node), outcome);
const panel = controls({ counts: { label: say("errors.counts"), ...COUNTS, whole: true, value: USUAL.counts } }, ({ counts }) => {
  now.counts = counts;
  show();
}, [part("result"), part("sigmas")]);
part("controls").append(panel.node);

const goal = now.counts;
grow(WALK, (share) => {
  if (now.counts !== goal) return false; // somebody has moved it meanwhile
  walk.draw(Math.max(1, Math.round(share * goal)));
  return true;
});
