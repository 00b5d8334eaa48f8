/** The simulation: people with several boxes, each box randomized by itself, and what a researcher makes of the reports. */

import { element } from "../element.js";
import { spinnerCoin } from "../theory/response.js";
import { drawWord } from "../word.js";
import { button, controls } from "./controls.js";
import { part } from "./parts.js";
import { seeded } from "./random.js";
import { bars, patterns, tenth } from "./simulation_bars.js";
import { FEWEST, LONGEST, MOST, RANGES, readLink, written } from "./simulation_link.js";
import { play } from "./simulation_play.js";
import { coverage, expected, repeat, RUNS, spread, summary } from "./simulation_runs.js";
import { dataTable } from "./tables.js";
import { number, percent, say } from "./words.js";

/** @typedef {import("./simulation_link.js").State} State */

const SHARES = [30, 18, 12, 24, 6, 2, 35, 15, 9, 20];
const EXAMPLE = SHARES.map((share, index) => ({ name: say(`example.${index + 1}`), share }));
const PRESETS = /** @type {const} */ ({ small: [0.5, 200], large: [1, 20_000], open: [6, 2000] });

/** @type {State} */
let state = readLink(location.hash) ?? { epsilon: 1, respondents: 2000, seed: drawWord(), boxes: EXAMPLE.slice(0, 5) };
let stop = () => {};

const sliders = element("div");
const named = element("div");
const drawn = element("div.trios");
const table = element("div");
const told = element("p.outcome", { role: "status" });
const cost = element("p", { "data-value": "cost" });
const outside = element("p", { "data-value": "outside" });
const link = element("a", say("link"));
const runs = element("div.strips");
const covered = element("p.outcome", { role: "status", "data-value": "coverage" });
const progress = element("progress", { max: RUNS, value: 0, "aria-label": say("spread.progress"), hidden: true });
const again = button(say("again"), anew, "", "again");
const many = button(say("many", { n: number(RUNS) }), runMany, "", "many");
const halt = button(say("stop"), () => { stop(); settle(); }, "plain", "stop");
const names = () => state.boxes.map(({ name }, index) => name || say("box", { n: index + 1 }));
const shares = () => state.boxes.map(({ share }) => share / 100);

/** One run with the present settings and seed. */
function run() {
  const { epsilon, respondents, seed, boxes } = state;
  const found = play(shares(), respondents, epsilon, seeded(seed));
  drawn.replaceChildren(...bars(names(), found, drawn.clientWidth - 150));
  table.replaceChildren(dataTable(say("table.caption"), ["box", "share", "original", "noisy", "estimated", "interval", "inside"].map((key) => say(`table.${key}`)),
    found.map((box, index) => [names()[index] ?? "", percent(box.share), number(box.original), number(box.noisy), tenth(box.estimated),
      say("table.ends", { low: tenth(box.low), high: tenth(box.high) }), say(box.inside ? "table.yes" : "table.no")])));
  told.textContent = say("told", { answers: number(respondents * boxes.length), respondents: number(respondents), boxes: number(boxes.length) });
  cost.textContent = say("cost", { epsilon: number(epsilon), boxes: number(boxes.length), question: number(epsilon * boxes.length, 2),
    percent: percent(spinnerCoin(epsilon)) });
  const beyond = names().filter((_, index) => {
    const { estimated = 0 } = found[index] ?? {};
    return estimated < 0 || estimated > respondents;
  });
  outside.textContent = beyond.length ? say("outside", { boxes: beyond.join(", "), respondents: number(respondents) }) : "";
  link.setAttribute("href", written(state));
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
  progress.hidden = halt.hidden = false;
  covered.textContent = "";
  stop = repeat(RUNS, () => play(truth, respondents, epsilon, word), (done) => {
    const boxes = truth.map((_, index) => summary(done.flatMap((found) => found[index] ?? []), respondents, p));
    progress.value = done.length;
    runs.replaceChildren(...spread(names(), boxes));
    if (done.length < RUNS) return;
    covered.textContent = `${coverage(boxes)} ${expected(RUNS)}`;
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
  runs.replaceChildren(element("p.hint", say("spread.empty", { n: number(RUNS) })));
  covered.textContent = "";
}

/** The sliders, made anew whenever boxes come, go or change their names. */
function setSliders() {
  const settings = {
    epsilon: { label: say("epsilon"), hint: say("hint"), ...RANGES.epsilon, step: 0.05, value: state.epsilon },
    respondents: { label: say("respondents"), ...RANGES.respondents, step: 0.05, log: true, value: state.respondents },
    ...Object.fromEntries(state.boxes.map(({ share }, index) => (
      [`share-${index}`, { label: names()[index] ?? "", ...RANGES.share, step: 1, value: share }]))),
  };
  const made = controls(settings, (/** @type {Record<string, number>} */ values) => {
    state.epsilon = values["epsilon"] ?? state.epsilon;
    state.respondents = values["respondents"] ?? state.respondents;
    state.boxes.forEach((box, index) => { box.share = values[`share-${index}`] ?? box.share; });
    forgetRuns();
    run();
  }, [part("result"), part("runs")]);
  const [, respondents, ...rest] = made.node.children;
  respondents?.after(element("fieldset.boxes", element("legend", say("shares")), ...rest.slice(0, -1)));
  sliders.replaceChildren(made.node);
}

const more = button(say("more"), () => set({ ...state, boxes: [...state.boxes, { ...(EXAMPLE[state.boxes.length] ?? { name: "", share: 10 }) }] }), "plain", "more");
const fewer = button(say("fewer"), () => set({ ...state, boxes: state.boxes.slice(0, -1) }), "plain", "fewer");

/** The names of the boxes can be typed over; one without a name is called by its number. */
function setNames() {
  named.replaceChildren(...state.boxes.map((box, index) => element("label", element("span", say("box", { n: index + 1 })),
    element("input", { type: "text", maxlength: LONGEST, value: box.name, autocomplete: "off",
      oninput: (event) => { box.name = /** @type {HTMLInputElement} */ (event.target).value.trim(); setSliders(); } }))));
  more.disabled = state.boxes.length >= MOST;
  fewer.disabled = state.boxes.length <= FEWEST;
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
  set({ ...state, epsilon, respondents });
}

window.addEventListener("hashchange", () => {
  const read = readLink(location.hash);
  if (read) set(read);
});

part("presets").append(...(/** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))).map((name) => {
  const [epsilon, respondents] = PRESETS[name];
  return button(say(`preset.${name}`, { epsilon: number(epsilon), respondents: number(respondents) }), () => preset(name), "plain", name);
}));
part("actions").append(again, link);
part("result").append(patterns(), told, cost, element("figure.bars-figure", element("figcaption", say("bars.caption")), drawn), outside, table);
part("runs").append(element("div.toolbar", many, progress, halt), covered, runs);
part("controls").append(sliders, element("details.naming", element("summary", say("names")), named, element("div.toolbar", more, fewer)));
set(state);
