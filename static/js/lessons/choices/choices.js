/** The exponential mechanism: a choice drawn by its utility, under one answer and under another. */

import "./scales.js";
import { element } from "../../page/page.js";
import { keep } from "../controls/address.js";
import { button, choices, controls } from "../controls/controls.js";
import { wantedNumber } from "../controls/link.js";
import { former } from "../drawing/former_picture.js";
import { grow } from "../drawing/grow.js";
import { raised, uniforms } from "../noise/uniform_noise.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { fixed, number, say } from "../words.js";
import { EPSILON, HUNDRED, OPTIONS, chances, chancesOf, named, ratios, times, within } from "./pictures.js";

/** @typedef {import("./pictures.js").Choice} Choice */

const GROWS = 1100; // milliseconds
const FALL = 600;

const above = plot(say("bars.caption"), 0.5);
const below = plot(say("ratio.caption"), 0.36, { tableCaption: say("ratio.table") });
above.node.classList.add("noise-above", "scored");
const said = element("p.outcome", { "data-value": "bound" });
const outcome = element("p.outcome", { role: "status", "data-value": "drawn" });
/** @type {(choice: Choice) => Choice | undefined} */
const before = former();

/** @type {Choice} */
let choice = { answer: begun("answer", 2), other: begun("other", 5), epsilon: 2, textbook: false };
/** @type {number[]} the options that have come out */
let drawn = [];

function show(fresh = true) {
  if (fresh) drawn = []; // they were drawn for what was set before
  const shown = { ...choice, counts: counts(), before: fresh ? ghosted = before(choice) : ghosted };
  above.draw(chances(shown, change));
  below.draw(ratios(shown));
  const best = fixed(100 * (chancesOf(choice, choice.answer)[choice.answer] ?? 0), 1);
  said.replaceChildren(...raised([say("bars.best", { option: named(choice.answer), best }), say("ratio.never", { most: times(choice.epsilon) })].join(" ")));
  if (fresh) outcome.textContent = "";
}

/** @type {Choice | undefined} */
let ghosted;

/** How often each option has come out. */
const counts = () => Array.from({ length: OPTIONS }, (_, option) => drawn.filter((report) => report === option).length);

/** What the address asks for. @param {string} name @param {number} usual from 1 on */
function begun(name, usual) {
  return wantedNumber(name, usual, { min: 1, max: OPTIONS, whole: true }) - 1;
}

/** @param {Partial<Choice>} changed */
function change(changed) {
  choice = { ...choice, ...changed };
  keep("answer", choice.answer + 1, 2);
  keep("other", choice.other + 1, 5);
  show();
}

/** The option that a uniform number stands for. @param {number} uniform */
function optionOf(uniform) {
  let sum = 0;
  const row = chancesOf(choice, choice.answer);
  const found = row.findIndex((chance) => (sum += chance) > uniform);
  return found < 0 ? OPTIONS - 1 : found;
}

function once() {
  const [uniform = 0] = uniforms(1);
  drawn = [optionOf(uniform)];
  show(false);
  const dot = above.node.querySelector(".point.accent");
  grow(FALL, (share) => {
    dot?.setAttribute("transform", `translate(0 ${-(1 - share) * Number(dot.getAttribute("cy"))})`);
    return dot?.isConnected ?? false;
  });
  const away = Math.abs((drawn[0] ?? 0) - choice.answer);
  outcome.textContent = say(away ? "bars.out" : "bars.out_best", { option: named(drawn[0] ?? 0), n: away });
}

/** The counts grow, one draw after the other. */
async function many() {
  const all = uniforms(HUNDRED).map(optionOf);
  const asked = choice;
  outcome.textContent = "";
  const whole = await grow(GROWS, (share) => {
    if (choice !== asked) return false;
    drawn = all.slice(0, Math.ceil(share * HUNDRED));
    show(false);
    return true;
  });
  if (!whole) return;
  const best = all.filter((option) => option === choice.answer).length;
  outcome.textContent = say("bars.came", { n: number(HUNDRED), option: named(choice.answer), best: number(best), others: number(HUNDRED - best),
    within: number(within({ ...choice, counts: counts(), before: undefined })) });
}

const panel = controls({ epsilon: { label: say("epsilon"), ...EPSILON, value: choice.epsilon } }, ({ epsilon }) => change({ epsilon }), [part("result")]);
part("controls").append(
  choices("scale", say("scale.which"), [["tight", say("scale.tight")], ["textbook", say("scale.textbook")]], "tight", (which) => change({ textbook: which === "textbook" })),
  panel.node, element("div.toolbar", button(say("bars.once"), once, "", "once"), button(say("bars.many", { n: number(HUNDRED) }), many, "plain", "draw")));
part("result").append(above.node, below.node, outcome, said);
