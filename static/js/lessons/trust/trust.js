/** Whom to trust: the same share protected in three places, and what each costs. */

import { drawing, element } from "../../page/page.js";
import { down } from "../rounding.js";
import { choices, controls } from "../controls/controls.js";
import { grow } from "../drawing/grow.js";
import { part } from "../places.js";
import { resized } from "../drawing/resized.js";
import { number, say } from "../words.js";
import { error, MODELS, own } from "./errors.js";
import { showFigures } from "./figures.js";
import { chanceAt, draw, inHundred, SHARE } from "./picture.js";

const MOVING = 700; // milliseconds
const svg = drawing("svg", { class: "plot trust-picture", role: "img" });
const outcome = element("p.outcome", { role: "status", "data-value": "gap" });
/** @type {import("./picture.js").Shown} */
let now = { people: 1000, epsilon: 1, model: "local" };
let width = 0;
let stands = chanceAt(now.model);
let run = 0;

function show() {
  const [local = "", shuffled = "", central = ""] = MODELS.map((model) => inHundred(2 * error(model, SHARE, now.epsilon, now.people)));
  outcome.textContent = say(`trusted.${now.model}`, { epsilon: number(now.epsilon), own: number(down(own(now.model, now.epsilon, now.people) ?? 0, 2)) });
  svg.setAttribute("aria-label", say("outcome", { n: number(now.people), share: number(100 * SHARE), local, shuffled, central }));
  if (width) draw(svg, now, width, stands);
  showFigures(now);
}

/** Chance moves to where it is added now. */
function move() {
  run += 1;
  const [mine, from, to] = [run, stands, chanceAt(now.model)];
  grow(MOVING, (share) => {
    if (mine !== run) return false;
    stands = from + (to - from) * share;
    if (width) draw(svg, now, width, stands);
    return true;
  });
}

/** @param {string} chosen */
function choose(chosen) {
  now = { ...now, model: MODELS.find((model) => model === chosen) ?? "local" };
  show();
  move();
}

const space = element("div.plot-space", svg);
part("result").append(outcome, element("figure.plot-figure", element("figcaption", say("picture.caption")), space));
const panel = controls({
  people: { label: say("people"), min: 100, max: 1e6, step: 0.05, log: true, whole: true, value: now.people },
  models_epsilon: { label: say("models.epsilon"), min: 0.1, max: 4, step: 0.1, value: now.epsilon },
}, ({ people, models_epsilon: epsilon }) => { now = { ...now, people, epsilon }; show(); }, [part("result"), part("models-result")]);
part("controls").append(choices("trusted", say("trusted.legend"), MODELS.map((model) => [model, say(`trusted.who.${model}`)]), now.model, choose), panel.node);

resized(space, (next) => {
  width = next;
  if (width) draw(svg, now, width, stands);
});
