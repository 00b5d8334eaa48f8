/** Suspicion: what somebody believes before a report and after it, as curves, as people of a hundred and as stakes. */

import { element } from "../../page/page.js";
import { spinnerCoin, spinnerCoinChances } from "../../theory/response.js";
import { bounds, posterior } from "../../theory/suspicion.js";
import { controls } from "../controls.js";
import { part } from "../parts.js";
import { plot } from "../plot.js";
import { picture } from "./curves.js";
import { stake } from "./stakes.js";
import { atLeast, atMost, hundredth } from "./amounts.js";
import { number, say } from "../words.js";

const PRIOR = { min: 0, max: 1, step: 0.01 };
const EPSILON = { min: 0.05, max: 6, step: 0.05 };
const THREE = 1.0986; // ln 3, as it is typed
/** Curves that can be laid beside that of the slider. Each keeps its look, whichever others are there. */
const COMPARED = /** @type {const} */ ([[0.5, "accent", 2], [1, "ink", 1], [Math.log(3), "dark", 3], [2, "accent", 1], [4, "ink", 3]])
  .map(([epsilon, look, dash]) => ({ epsilon, words: epsilon === Math.log(3) ? "ln 3" : number(epsilon), look, dash }));

const chosen = new Set([0.5, 2, 4]);
const believed = element("p.outcome", { role: "status", "data-value": "believed" });
const stakes = element("ul.stakes");
const curves = plot(say("curves.caption"), 0.8, { tableCaption: say("curves.table"), hint: say("curves.hint") });
let [prior, epsilon] = [0.5, THREE];

/** @param {{prior: number, epsilon: number}} values */
function show(values) {
  ({ prior, epsilon } = values);
  const [low, high] = bounds(prior, epsilon);
  const before = hundredth(prior);
  believed.textContent = low === high ? say("certain", { before }) : say("believed", { before, high: atMost(high), low: atLeast(low) });
  const after = posterior(spinnerCoinChances(spinnerCoin(epsilon)), [1 - prior, prior]).map((belief) => belief[1] ?? 0);
  const [no = 0, yes = 0] = after;
  stakes.replaceChildren(
    stake("before", say("stake.before"), prior),
    stake("yes", say("stake.yes", { times: number(Math.exp(epsilon), 2) }), yes),
    stake("no", say("stake.no", { times: number(Math.exp(epsilon), 2) }), no));
  drawCurves();
}

function drawCurves() {
  const compared = COMPARED.filter((each) => chosen.has(each.epsilon));
  curves.draw(picture({ prior, epsilon }, compared, { label: say("prior"), ...PRIOR, move: (value) => panel.set("prior", value) }));
}

/** @param {{epsilon: number, words: string}} compared */
const chip = ({ epsilon: each, words }) => element("label.choice", element("input", {
  type: "checkbox", name: "compared", value: words, checked: chosen.has(each), onchange: () => {
    if (!chosen.delete(each)) chosen.add(each);
    drawCurves();
  } }), words);

const panel = controls({
  prior: { label: say("prior"), hint: say("prior_hint"), ...PRIOR, value: prior },
  epsilon: { label: say("epsilon"), hint: say("epsilon_hint"), ...EPSILON, value: epsilon },
}, show, [part("result")]);
part("controls").append(panel.node, element("fieldset.choices", element("legend.label", say("compare")), ...COMPARED.map(chip)));
part("result").append(believed, curves.node, element("h3", say("stake.title")), element("p", say("stake.text")), stakes);
