/** Privacy loss as a random variable, and delta as an area, for randomized response, Laplace and Gaussian noise. */

import { element } from "../../page/page.js";
import { digits } from "../rounding.js";
import { controls } from "../controls/controls.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { chance } from "../small_chances.js";
import { scrub } from "../controls/scrub.js";
import { dataTable } from "../data_table.js";
import { fixed, number, say } from "../words.js";
import { deltas } from "./deltas.js";
import { losses } from "./losses.js";
import { MECHANISMS, otherExceeds } from "./mechanisms.js";
import { reports, slip } from "./report_losses.js";
import { picture } from "./sorted_losses.js";
import { three } from "./mechanism_choice.js";

const EPSILON = { min: 0.05, max: 6, step: 0.05, value: 1 };
const TINY = 1e-4;
const FULL = 0.995; // a loss that counts with more than this part of its probability counts nearly in full
/** What is set of each, as its control is called. */
const NAMES = /** @type {Record<string, string>} */ ({ response: "bound", laplace: "scale", gaussian: "sigma" });
const FOLDED = ["reports", "losses", "deltas", "slip"];
const SHOWN = ["result", ...FOLDED];

const plots = {
  sorted: plot(say("sorted.caption"), 0.62, { tableCaption: say("sorted.table") }),
  losses: plot("", 0.5, { tableCaption: say("losses.table") }),
  deltas: plot("", 0.5, { tableCaption: say("deltas.table"), hint: say("deltas.hint") }),
};
const everyReport = Object.keys(MECHANISMS).map((mechanism) => /** @type {const} */ ([mechanism, plot(say(`kind.${mechanism}`), 0.9)]));
const compared = element("p.outcome", { role: "status" });
const settings = element("div");
const parameters = new Map(Object.entries(MECHANISMS).map(([kind, { setting }]) => [kind, setting.value]));
let kind = "gaussian";
let epsilon = EPSILON.value;
let ready = false;
const beside = three(Object.keys(MECHANISMS), kind, (wanted) => choose(wanted));

const setEpsilon = (/** @type {number} */ value) => panelNow().set("epsilon", value);
const inSentences = ["reports", "losses"].map((place) => {
  const number_ = scrub({ label: say("epsilon"), ...EPSILON, say: (value) => fixed(value, 2) }, setEpsilon);
  const [before = "", after = ""] = say(`at.${place}`, { epsilon: "\n" }).split("\n");
  part(place).append(element("p", before, number_.node, after));
  return number_;
});

function show() {
  const [drawn, devices] = [deviceOf(kind), Object.keys(MECHANISMS).map(deviceOf)];
  for (const each of inSentences) each.set(epsilon);
  plots.sorted.draw(picture(devices, kind, epsilon, { label: say("epsilon"), range: EPSILON, move: setEpsilon }));
  beside.show(devices, kind, epsilon);
  compare(drawn);
  if (open("reports")) for (const [each, chart] of everyReport) chart.draw(reports(each, mechanismOf(each), parameterOf(each), epsilon));
  if (open("losses")) plots.losses.draw(losses(drawn, epsilon));
  if (open("deltas")) plots.deltas.draw(deltas(drawn, epsilon, { label: say("epsilon"), ...EPSILON, move: setEpsilon }));
}

/** What is folded is drawn when somebody unfolds it: a slider should not wait for pictures that nobody sees. @param {string} place */
const open = (place) => foldOf(place)?.open ?? true;
const foldOf = (/** @type {string} */ place) => part(place).closest("details");

/** What the numbers say of the one that is filled. @param {import("./sorted_losses.js").Device} drawn */
function compare({ mechanism, parameter }) {
  const [exceeds, delta] = [mechanism.exceeds(epsilon, parameter), mechanism.delta(epsilon, parameter)];
  const weight = delta / exceeds;
  const words = { epsilon: number(epsilon), times: chance(1 / weight, 3), weight: share(weight) };
  compared.textContent = say(exceeds === 0 ? "compared.none" : weight > FULL ? "compared.full" : "compared.some", words);
  if (!open("slip")) return;
  const other = otherExceeds(mechanism, epsilon, parameter);
  part("slip").replaceChildren(exceeds === 0 ? element("p", say("compared.none", words)) : dataTable(say("slip.table", { ...words, mechanism: say(`set.${kind}`, { value: number(parameter) }) }), ["", ""],
    slip(exceeds, other, epsilon, delta).map(([key, value]) => [say(`slip.${key}`), value])));
}

/** Never written as all unless it is. @param {number} weight between 0 and 1 */
const share = (weight) => (weight < TINY ? chance(weight, 2) : number(weight, digits(weight, 1)));

/** @param {string} wanted */
function mechanismOf(wanted) {
  const mechanism = MECHANISMS[wanted];
  if (!mechanism) throw new RangeError(`mechanism must be one of ${Object.keys(MECHANISMS)}, got ${wanted}`);
  return mechanism;
}

const parameterOf = (/** @type {string} */ wanted) => parameters.get(wanted) ?? mechanismOf(wanted).setting.value;

const deviceOf = (/** @type {string} */ wanted) => ({ kind: wanted, mechanism: mechanismOf(wanted), parameter: parameterOf(wanted) });

/** Each mechanism has a parameter of its own; epsilon is that of all. */
const panels = new Map(Object.entries(MECHANISMS).map(([mechanism, { setting }]) => {
  const name = NAMES[mechanism] ?? mechanism;
  return [mechanism, controls(/** @type {Record<string, Setting>} */ ({
    [name]: { label: say(`parameter.${mechanism}`), ...setting },
    epsilon: { label: say("epsilon"), ...EPSILON },
  }), (values) => {
    parameters.set(mechanism, values[name] ?? setting.value);
    epsilon = values["epsilon"] ?? epsilon;
    if (ready && mechanism === kind) show();
  }, [...SHOWN.map(part), beside.table])];
}));

const panelNow = () => /** @type {Panel<string>} */ (panels.get(kind));

/** @param {string} wanted */
function choose(wanted) {
  kind = wanted;
  settings.replaceChildren(panelNow().node);
  setEpsilon(epsilon);
}

part("controls").append(beside.node, settings);
part("result").append(plots.sorted.node, compared);
part("reports").append(element("div.beside", ...everyReport.map(([, { node }]) => node)));
part("losses").append(plots.losses.node);
part("deltas").append(plots.deltas.node);
for (const place of FOLDED) foldOf(place)?.addEventListener("toggle", show);
ready = true;
choose(kind);
