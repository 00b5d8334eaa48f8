/** The spinner alone beside the spinner with a coin, at one epsilon: two wheels, the same table, the same counts. */

import { element } from "../../page/page.js";
import { equivalentSpinnerCoin, spinner, spinnerChances, spinnerCoin, spinnerCoinChances, weights } from "../../theory/response.js";
import { chanceTable } from "../chances.js";
import { button, choices, controls } from "../controls.js";
import { part } from "../parts.js";
import { dataTable } from "../tables.js";
import { fixed, number, say } from "../words.js";
import { spinnable } from "../wheel.js";

const SPINS = 1000;
let answer = 1;
let epsilon = 1;

/** @param {string} mechanism @param {string} name */
function design(mechanism, name) {
  const wheel = spinnable(mechanism);
  const chances = element("div");
  const spun = element("p.outcome", { role: "status", "data-value": `spun-${mechanism}` });
  return { mechanism, name, wheel, chances, spun, node: element("div", { "data-design": mechanism },
    element("h3", name), wheel.node, spun, chances) };
}

const coin = design("spinner_coin", say("design.spinner_coin"));
const alone = design("spinner", say("design.spinner"));
const designs = [coin, alone];
const map = element("p.outcome", { "data-value": "map" });
const counts = element("div", { role: "status", "data-value": "counts" });

/** @param {{epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  const q = spinner(epsilon);
  const tables = { spinner_coin: spinnerCoinChances(spinnerCoin(epsilon)), spinner: spinnerChances(q) };
  map.textContent = say("map", { coin: fixed(equivalentSpinnerCoin(q), 4), alone: fixed(q, 4) });
  for (const { mechanism, chances } of designs) {
    chances.replaceChildren(chanceTable(say("chances.caption"), tables[/** @type {keyof typeof tables} */ (mechanism)]));
  }
  clear();
}

/** Two wheels that have not been spun, with this epsilon and this answer. */
function clear() {
  for (const { wheel, spun } of designs) {
    wheel.show(weights(epsilon));
    spun.textContent = "";
  }
  counts.replaceChildren();
}

function spinBoth() {
  for (const { mechanism, wheel, spun } of designs) {
    spun.textContent = "";
    void wheel.spin(answer).then((result) => {
      if (!result) return;
      const report = say(`answer.${result.report}`);
      const how = result.kept ? say("kept") : say(`mechanism.${mechanism}.chance`, { report });
      spun.textContent = `${how} ${say("result.recorded", { report })}.`;
    });
  }
}

function spinMany() {
  const expected = SPINS * (spinnerChances(spinner(epsilon))[answer]?.[1] ?? 0);
  const rows = designs.map(({ name, wheel, spun }) => {
    const [no, yes] = wheel.many(answer, SPINS);
    spun.textContent = "";
    return [name, number(yes), number(no)];
  });
  counts.replaceChildren(dataTable(say("counts.caption", { n: number(SPINS), answer: say(`answer.${answer}`) }),
    ["", say("counts.yes"), say("counts.no")], [...rows, [say("counts.expected"), number(expected, 1), number(SPINS - expected, 1)]]));
}

part("controls").append(
  controls({ epsilon: { label: say("epsilon"), min: 0.05, max: 6, step: 0.05, value: epsilon } }, show, [part("result")]).node,
  choices("answer", say("made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); clear(); }),
  element("div.toolbar", button(say("once"), spinBoth, "", "once"), button(say("many", { n: number(SPINS) }), spinMany, "plain", "many")));
part("result").append(map, element("div.beside", coin.node, alone.node), counts);
