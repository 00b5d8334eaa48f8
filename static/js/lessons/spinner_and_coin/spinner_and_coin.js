/** Spinner and coin: the wheel grows dark as epsilon falls, its bright share for every epsilon, one spin and a thousand. */

import { element } from "../../page/page.js";
import { epsilonOf, spinnerCoin, spinnerCoinChances, weights } from "../../theory/response.js";
import { inHundred } from "../rounding.js";
import { chanceTable } from "../chance_table.js";
import { button, choices, controls } from "../controls/controls.js";
import { part } from "../places.js";
import { scrub } from "../controls/scrub.js";
import { sentence } from "../sentence.js";
import { expected, running, SPINS, tally } from "../drawing/spin_tally.js";
import { fixed, number, say } from "../words.js";
import { spinnable } from "../drawing/spinnable_wheel.js";
import { shares } from "./shares.js";

const RANGE = { label: say("epsilon"), min: 0.05, max: 6, step: 0.05 };
const FIRST = 1;

const wheel = spinnable("spinner_coin");
const bright = element("strong");
const dark = element("strong");
const spun = element("p.outcome", { role: "status", "data-value": "spun" });
const counted = tally();
const curve = shares({ ...RANGE, move: (value) => panel.set("epsilon", value) });
let answer = 1;
let epsilon = FIRST;

const loss = scrub({ ...RANGE, value: FIRST, say: (value) => number(value) }, (value) => panel.set("epsilon", value));

/** @param {{epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  const p = spinnerCoin(epsilon);
  loss.set(epsilon);
  bright.textContent = inHundred(p);
  dark.textContent = inHundred(1 - p);
  curve.draw(epsilon);
  part("chances").replaceChildren(chanceTable(say("chances.caption", { epsilon: fixed(epsilonOf(spinnerCoinChances(p)), 3) }), spinnerCoinChances(p)));
  clear();
}

/** A wheel that has not been spun, with this epsilon and this answer. */
function clear() {
  wheel.show(weights(epsilon));
  spun.textContent = "";
  counted.clear();
}

async function spinOnce() {
  clear();
  const result = await wheel.spin(answer);
  if (!result) return;
  const report = say(`answer.${result.report}`);
  const how = say(result.bright ? "kept" : "mechanism.spinner_coin.chance", { report });
  spun.textContent = `${how} ${say("chances.recorded", { report })}.`;
}

async function spinMany() {
  clear();
  const yes = running(weights(epsilon), answer, 1);
  const chances = spinnerCoinChances(spinnerCoin(epsilon))[answer] ?? [];
  const caption = say("counts.spins", { n: number(SPINS), answer: say(`answer.${answer}`) });
  const whole = await counted.run(caption, say("counts.recorded"), [
    { words: say("answer.1"), counts: yes, chance: chances[1] ?? 0, look: "bright" },
    { words: say("answer.0"), counts: yes.map((count, spins) => spins - count), chance: chances[0] ?? 0, look: "dark" }]);
  if (!whole) return;
  const [mean, twice] = expected(chances[1] ?? 0);
  spun.textContent = say("counts.said", { count: number(yes[SPINS] ?? 0), n: number(SPINS), expected: number(mean, 0), twice: number(twice, 0) });
}

const panel = controls({ epsilon: { ...RANGE, value: FIRST, hint: say("hint") } }, show, [part("result"), part("chances")]);
part("controls").append(panel.node,
  choices("answer", say("made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); clear(); }),
  element("div.toolbar", button(say("once"), spinOnce, "", "once"), button(say("many", { n: number(SPINS) }), spinMany, "plain", "many")));
part("result").append(
  element("p.outcome", { "data-value": "p" }, ...sentence("share", { epsilon: loss.node, bright, dark })),
  wheel.node, spun, counted.node, curve.node);
