/** The simulation: people with several boxes, each box randomized by itself, and what a researcher makes of the reports. */

import { element } from "../../page/page.js";
import { spinnerCoin } from "../../theory/response.js";
import { drawWord } from "../../chance/randomize.js";
import { button, controls } from "../controls.js";
import { part } from "../parts.js";
import { seeded } from "../random.js";
import { bars, patterns, tenth } from "./bars.js";
import { FEWEST, LONGEST, MOST, RANGES, readLink, writeLink } from "./link.js";
import { play } from "./play.js";
import { covered, repeat, RUNS, spread, summary, theory } from "./runs.js";
import { dataTable } from "../tables.js";
import { number, percent, say } from "../words.js";

/** @typedef {import("./link.js").State} State */

const SHARES = [30, 18, 12, 24, 6, 2, 35, 15, 9, 20];
const EXAMPLE = SHARES.map((share, index) => ({ name: say(`example.${index + 1}`), share }));
const PRESETS = /** @type {const} */ ({ small: [0.5, 200], large: [1, 20_000], open: [6, 2000] });

let stop = () => {};
/** @type {import("./play.js").Box[]} what is shown of one run */
let found = [];
/** @type {import("./runs.js").Summary[]} what is shown of many, if anything is */
let repeated = [];
/** @type {Panel<string>} */
let panel;

const unread = element("p.error.across", { role: "alert", hidden: true, "data-value": "unread" });
/** @type {State} */
let state = follow() ?? { epsilon: 1, respondents: 2000, seed: drawWord(), boxes: EXAMPLE.slice(0, 5) };

const sliders = element("div");
const named = element("div");
const drawn = element("div.trios");
const table = element("div");
const told = element("p.outcome", { role: "status" });
const cost = element("p", { "data-value": "cost" });
const outside = element("p", { "data-value": "outside" });
const link = element("a", say("link"));
const runs = element("div.strips");
const tally = element("p.outcome", { role: "status", "data-value": "coverage" });
const progress = element("progress", { max: RUNS, value: 0, "aria-label": say("spread.progress"), hidden: true });
const again = button(say("again"), anew, "", "again");
const many = button(say("many", { n: number(RUNS) }), runMany, "", "many");
const halt = button(say("stop"), () => { stop(); settle(); }, "plain", "stop");
const names = () => state.boxes.map(({ name }, index) => name || say("box", { n: index + 1 }));
const shares = () => state.boxes.map(({ share }) => share / 100);

/** One run with the present settings and seed. */
function run() {
  const { epsilon, respondents, seed, boxes } = state;
  found = play(shares(), respondents, epsilon, seeded(seed));
  told.textContent = say("told", { answers: number(respondents * boxes.length), respondents: number(respondents), boxes: number(boxes.length) });
  cost.textContent = say("cost", { epsilon: number(epsilon), boxes: number(boxes.length), question: number(epsilon * boxes.length, 2),
    percent: percent(spinnerCoin(epsilon)) });
  drawRun();
}

/** What was found, under the present names. */
function drawRun() {
  const { respondents } = state;
  drawn.replaceChildren(...bars(names(), found, drawn.clientWidth - 150));
  table.replaceChildren(dataTable(say("table.caption"), ["box", "share", "original", "noisy", "estimated", "interval", "inside"].map((key) => say(`table.${key}`)),
    found.map((box, index) => [names()[index] ?? "", percent(box.share), number(box.original), number(box.noisy), tenth(box.estimated),
      say("table.ends", { low: tenth(box.low), high: tenth(box.high) }), say(box.inside ? "table.yes" : "table.no")])));
  const beyond = names().filter((_, index) => {
    const { estimated = 0 } = found[index] ?? {};
    return estimated < 0 || estimated > respondents;
  });
  outside.textContent = beyond.length ? say("outside", { boxes: beyond.join(", "), respondents: number(respondents) }) : "";
  link.setAttribute("href", writeLink(state));
}

/** New people, and new luck. */
function anew() {
  state.seed = drawWord();
  run();
}

function runMany() {
  stop();
  const { epsilon, respondents } = state;
  const word = seeded(drawWord());
  const p = spinnerCoin(epsilon);
  const truth = shares();
  const known = truth.map((share) => theory(share, respondents, p));
  progress.hidden = halt.hidden = false;
  tally.textContent = "";
  stop = repeat(RUNS, () => play(truth, respondents, epsilon, word), (done) => {
    repeated = known.map((each, index) => summary(done.flatMap((boxes) => boxes[index] ?? []), each));
    progress.value = done.length;
    runs.replaceChildren(...spread(names(), repeated));
    if (done.length < RUNS) return;
    tally.textContent = covered(repeated);
    settle();
  });
}

function settle() {
  if (halt.contains(document.activeElement)) many.focus();
  progress.hidden = halt.hidden = true;
}

/** The runs so far were those of another setting. */
function forgetRuns() {
  stop();
  settle();
  repeated = [];
  runs.replaceChildren(element("p.hint", say("spread.empty", { n: number(RUNS) })));
  tally.textContent = "";
}

/** The sliders, made anew whenever boxes come or go: never while one of them holds what cannot be used. */
function setSliders() {
  const settings = {
    epsilon: { label: say("epsilon"), hint: say("hint"), ...RANGES.epsilon, step: 0.05, value: state.epsilon },
    respondents: { label: say("respondents"), ...RANGES.respondents, step: 0.05, log: true, value: state.respondents },
    ...Object.fromEntries(state.boxes.map(({ share }, index) => (
      [`share-${index}`, { label: names()[index] ?? "", ...RANGES.share, step: 1, value: share }]))),
  };
  panel = controls(settings, (/** @type {Record<string, number>} */ values) => {
    state.epsilon = values["epsilon"] ?? state.epsilon;
    state.respondents = values["respondents"] ?? state.respondents;
    state.boxes.forEach((box, index) => { box.share = values[`share-${index}`] ?? box.share; });
    forgetRuns();
    run();
  }, [part("result"), part("runs")], allow);
  const [, respondents, ...rest] = panel.node.children;
  respondents?.after(element("fieldset.boxes", element("legend", say("shares")), ...rest.slice(0, -1)));
  sliders.replaceChildren(panel.node);
}

const more = button(say("more"), () => set({ ...state, boxes: [...state.boxes, { ...(EXAMPLE[state.boxes.length] ?? { name: "", share: 10 }) }] }), "plain", "more");
const fewer = button(say("fewer"), () => set({ ...state, boxes: state.boxes.slice(0, -1) }), "plain", "fewer");

/** @param {boolean} usable */
function allow(usable) {
  again.disabled = many.disabled = !usable;
  more.disabled = !usable || state.boxes.length >= MOST;
  fewer.disabled = !usable || state.boxes.length <= FEWEST;
}

/** The names of the boxes can be typed over; one without a name is called by its number. */
function setNames() {
  named.replaceChildren(...state.boxes.map((box, index) => element("label", element("span", say("box", { n: index + 1 })),
    element("input", { type: "text", maxlength: LONGEST, value: box.name, autocomplete: "off",
      oninput: (event) => { box.name = /** @type {HTMLInputElement} */ (event.target).value.trim(); rename(index); } }))));
}

/** The same run and the same runs, under another name. @param {number} index */
function rename(index) {
  panel.rename(`share-${index}`, names()[index] ?? "");
  drawRun();
  if (repeated.length) runs.replaceChildren(...spread(names(), repeated));
}

/** @param {State} next */
function set(next) {
  state = next;
  setNames();
  setSliders();
}

/** @param {keyof typeof PRESETS} name */
function preset(name) {
  const [epsilon, respondents] = PRESETS[name];
  panel.fill({ epsilon, respondents });
}

/** A link that was followed, or typed: used, or said to be unusable. */
function follow() {
  const read = readLink(location.hash);
  unread.hidden = Boolean(read) || !location.hash.includes("=");
  unread.textContent = unread.hidden ? "" : say("unread");
  return read;
}

window.addEventListener("hashchange", () => {
  const read = follow();
  if (read) set(read);
});

part("presets").before(unread);
part("presets").append(...(/** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))).map((name) => {
  const [epsilon, respondents] = PRESETS[name];
  return button(say(`preset.${name}`, { epsilon: number(epsilon), respondents: number(respondents) }), () => preset(name), "plain", name);
}));
part("actions").append(again, link);
part("result").append(patterns(), told, cost, element("figure.bars-figure", element("figcaption", say("bars.caption")), drawn), outside, table);
part("runs").append(element("div.toolbar", many, progress, halt), tally, runs);
part("controls").append(sliders, element("details.naming", element("summary", say("names")), named, element("div.toolbar", more, fewer)));
set(state);
