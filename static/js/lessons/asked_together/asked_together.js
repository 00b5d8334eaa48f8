/** Two answers on one wheel, beside a wheel for each: one spin, the difference that two thousand people show, and its price. */

import "./totals.js";
import { element } from "../../page/page.js";
import { button, controls } from "../controls/controls.js";
import { grow } from "../drawing/grow.js";
import { plot } from "../drawing/plot.js";
import { part } from "../places.js";
import { drawWords } from "../random.js";
import { number, say } from "../words.js";
import { difference, PEOPLE, survey } from "./pair.js";
import { guesses, rightGuesses } from "./right_guesses.js";
import { MOST, STOPS, walks } from "./walks.js";
import { spinnable } from "./wheels.js";

const ANSWER = 3; // yes to both
const GROWS = 2600; // milliseconds

/** @param {"joint" | "apart"} way */
function design(way) {
  const wheels = spinnable(way);
  const spun = element("p.spun", { role: "status", "data-value": `spun-${way}` });
  const guessed = guesses();
  return { way, wheels, spun, guessed, node: element("div", { "data-design": way }, element("h3", say(`way.${way}.name`)), wheels.node, spun, guessed.node) };
}

const designs = [design("joint"), design("apart")];
const chart = plot(say("walks.caption"), 0.5, { tableCaption: say("walks.table") });
const outcome = element("p.outcome", { role: "status", "data-value": "found" });
let epsilon = 2;
let run = 0; // what is under way ends when something else begins

/** @param {{epsilon: number}} values */
function show(values) {
  ({ epsilon } = values);
  run += 1;
  const times = rightGuesses(epsilon);
  for (const { way, wheels, spun, guessed } of designs) {
    wheels.show(epsilon);
    spun.textContent = "";
    guessed.show(times[way]);
  }
  chart.draw(walks(epsilon, null, 1));
  outcome.textContent = "";
}

function spin() {
  for (const { way, wheels, spun } of designs) {
    spun.textContent = "";
    void wheels.spin(ANSWER).then((done) => {
      if (!done) return;
      const sent = say("sent", { first: say(`answer.${done.report >> 1}`), second: say(`answer.${done.report & 1}`) });
      const bright = done.turns.filter((turn) => turn.bright).length;
      spun.textContent = `${say(`way.${way}.${bright === done.turns.length ? "kept" : bright ? "mixed" : "chance"}`)} ${sent}`;
    });
  }
}

async function ask() {
  const now = ++run;
  const asked = epsilon;
  const estimates = survey(asked, STOPS, drawWords(4 * MOST));
  outcome.textContent = "";
  const whole = await grow(GROWS, (share) => {
    if (run !== now) return false;
    chart.draw(walks(asked, estimates, share));
    return true;
  });
  if (!whole) return;
  const points = (/** @type {number | undefined} */ value) => number(100 * (value ?? 0), 0);
  outcome.textContent = say("ended", { n: number(MOST), truth: points(difference(PEOPLE).value), joint: points(estimates.joint.at(-1)), apart: points(estimates.apart.at(-1)) });
}

const panel = controls({ epsilon: { label: say("epsilon"), min: 0.5, max: 5, step: 0.05, value: epsilon } }, show, [part("result")]);
part("controls").append(panel.node, element("div.toolbar", button(say("once"), spin, "", "once"), button(say("many", { n: number(MOST) }), ask, "plain", "many")));
part("result").append(element("div.pair", ...designs.map(({ node }) => node)), chart.node, outcome);
