/** Suspicion: what somebody believes before a record and after it, as curves and as a bet. */

import { element } from "../../page/page.js";
import { spinnerCoin, spinnerCoinChances } from "../../theory/response.js";
import { bounds, posterior } from "../../theory/suspicion.js";
import { keep } from "../controls/address.js";
import { controls } from "../controls/controls.js";
import { wantedAmong } from "../controls/link.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { scrub } from "../controls/scrub.js";
import { sentence } from "../sentence.js";
import { picture } from "./curves.js";
import { stake } from "./stakes.js";
import { atLeast, atMost, hundredth } from "./amounts.js";
import { number, say } from "../words.js";

const PRIOR = { label: say("prior"), min: 0, max: 100, step: 1 };
const EPSILON = { label: say("epsilon"), min: 0.05, max: 6, step: 0.05 };
const THREE = 1.0986; // ln 3, as it is typed
/** Curves that can be laid beside that of the slider. Each keeps its look, whichever others are there. */
const COMPARED = /** @type {const} */ ([[0.5, "accent", 2], [1, "ink", 1], [Math.log(3), "dark", 3], [2, "accent", 1], [4, "ink", 3]])
  .map(([epsilon, look, dash]) => ({ epsilon, words: epsilon === Math.log(3) ? "ln 3" : number(epsilon), look, dash }));

const USUAL = "0.5,2,4";
const asked = wantedAmong("compared", COMPARED.map(({ words }) => words), USUAL.split(","), say("compare"));
const chosen = new Set(COMPARED.filter(({ words }) => asked.includes(words)).map((curve) => curve.epsilon));
const believed = element("p.outcome.believed", { "data-value": "believed" });
const after = element("strong", { role: "status" });
const stakes = element("ul.stakes");
const curves = plot(say("curves.caption"), 0.85, { tableCaption: say("curves.table"), hint: say("curves.hint") });
let [prior, epsilon] = [0.5, THREE];

const belief = scrub({ ...PRIOR, value: 50, say: (value) => hundredth(value / 100) }, (value) => panel.set("prior", value));
const loss = scrub({ ...EPSILON, value: THREE, say: (value) => number(value, 4) }, (value) => panel.set("epsilon", value));
believed.append(...sentence("believed", { prior: belief.node, epsilon: loss.node, after }));

/** @param {{prior: number, epsilon: number}} values the prior in 100 */
function show(values) {
  [prior, epsilon] = [values.prior / 100, values.epsilon];
  belief.set(values.prior);
  loss.set(epsilon);
  const [low, high] = bounds(prior, epsilon);
  after.textContent = low === high ? say("certain", { before: hundredth(prior) }) : say("between", { high: atMost(high), low: atLeast(low) });
  const [no = 0, yes = 0] = posterior(spinnerCoinChances(spinnerCoin(epsilon)), [1 - prior, prior]).map((chances) => chances[1] ?? 0);
  const times = number(Math.exp(epsilon), 2);
  stakes.replaceChildren(
    stake("before", say("stake.before"), prior),
    stake("yes", say("stake.yes", { times }), yes, 1),
    stake("no", say("stake.no", { times }), no, -1));
  drawCurves();
}

function drawCurves() {
  const compared = COMPARED.filter((curve) => chosen.has(curve.epsilon));
  curves.draw(picture({ prior, epsilon }, compared, { ...PRIOR, move: (value) => panel.set("prior", value) }));
}

/** @param {{epsilon: number, words: string}} compared */
const chip = ({ epsilon: beside, words }) => element("label.choice", element("input", {
  type: "checkbox", name: "compared", value: words, checked: chosen.has(beside), onchange: () => {
    if (!chosen.delete(beside)) chosen.add(beside);
    keep("compared", COMPARED.filter((curve) => chosen.has(curve.epsilon)).map((curve) => curve.words).join(","), USUAL);
    drawCurves();
  } }), words);

const panel = controls({ prior: { ...PRIOR, value: 50 }, epsilon: { ...EPSILON, value: THREE } }, show, [part("result"), part("bet")]);
part("controls").append(panel.node);
part("result").append(believed, curves.node, element("fieldset.choices", element("legend.label", say("compare")), ...COMPARED.map(chip)));
part("bet").append(element("h3", say("stake.title")), element("p", say("stake.text")), stakes);
