/** The wheel alone beside the wheel with a coin, at one epsilon: two devices, one channel. */

import { element } from "../../page/page.js";
import { spinner, spinnerChances, spinnerCoin, weights } from "../../theory/response.js";
import { inHundred } from "../rounding.js";
import { chanceTable } from "../chance_table.js";
import { button, choices, controls } from "../controls/controls.js";
import { part } from "../places.js";
import { scrub } from "../controls/scrub.js";
import { sentence } from "../sentence.js";
import { running, SPINS, tally } from "../drawing/spin_tally.js";
import { number, say } from "../words.js";
import { spinnable } from "../drawing/spinnable_wheel.js";
import { split } from "./split.js";

const RANGE = { label: say("epsilon"), min: 0.05, max: 6, step: 0.05 };
const FIRST = 1;

let answer = 1;
let epsilon = FIRST;

/** @param {string} mechanism @param {Look} look of its bar @param {string} name */
function design(mechanism, look, name) {
  const wheel = spinnable(mechanism);
  const spun = element("p.spun", { role: "status", "data-value": `spun-${mechanism}` });
  return { mechanism, look, name, wheel, spun, node: element("div", { "data-design": mechanism }, element("h3", name), wheel.node, spun) };
}

const designs = [design("spinner_coin", "bright", say("design.spinner_coin")), design("spinner", "accent", say("design.spinner"))];
const withCoin = element("strong");
const alone = element("strong");
const bars = element("ul.stakes");
const counted = tally();
const said = element("p.outcome", { role: "status", "data-value": "counts" });

const loss = scrub({ ...RANGE, value: FIRST, say: (value) => number(value) }, (value) => panel.set("epsilon", value));

/** @param {{epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  loss.set(epsilon);
  withCoin.textContent = inHundred(spinnerCoin(epsilon));
  alone.textContent = inHundred(spinner(epsilon));
  bars.replaceChildren(...split(epsilon));
  part("chances").replaceChildren(chanceTable(say("chances.caption"), spinnerChances(spinner(epsilon))));
  clear();
}

/** Two wheels that have not been spun, with this epsilon and this answer. */
function clear() {
  for (const { wheel, spun } of designs) {
    wheel.show(weights(epsilon));
    spun.textContent = "";
  }
  counted.clear();
  said.textContent = "";
}

function spinBoth() {
  clear();
  for (const { mechanism, wheel, spun } of designs) {
    void wheel.spin(answer).then((result) => {
      if (!result) return;
      const report = say(`answer.${result.report}`);
      const how = result.bright ? say("kept") : say(`mechanism.${mechanism}.chance`, { report });
      spun.textContent = `${how} ${say("chances.recorded", { report })}.`;
    });
  }
}

async function spinMany() {
  clear();
  const channel = weights(epsilon);
  const chance = spinnerChances(spinner(epsilon))[answer]?.[1] ?? 0;
  const rows = designs.map(({ name, look }) => ({ words: name, counts: running(channel, answer, 1), chance, look }));
  const caption = say("counts.caption", { n: number(SPINS), answer: say(`answer.${answer}`) });
  if (!await counted.run(caption, say("counts.device"), rows)) return;
  said.textContent = rows.map(({ words, counts }) => say("counts.row", { device: words, count: number(counts[SPINS] ?? 0) })).join(" ");
}

const panel = controls({ epsilon: { ...RANGE, value: FIRST } }, show, [part("result"), part("chances")]);
part("controls").append(panel.node,
  choices("answer", say("made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); clear(); }),
  element("div.toolbar", button(say("once"), spinBoth, "", "once"), button(say("many", { n: number(SPINS) }), spinMany, "plain", "many")));
part("result").append(
  element("p.outcome", { "data-value": "map" }, ...sentence("map", { epsilon: loss.node, coin: withCoin, alone })),
  element("div.pair", ...designs.map(({ node }) => node)), counted.node, said, bars);
