/** The simulation: people with several boxes, each box randomized by itself, and what a researcher makes of the reports. */

import { element } from "../../page/page.js";
import { spinnerCoin } from "../../theory/response.js";
import { drawWord } from "../../chance/randomize.js";
import { asksForPicture, keepPicture, wanted } from "../controls/address.js";
import { button, controls } from "../controls/controls.js";
import { part } from "../places.js";
import { seeded } from "../random.js";
import { patterns } from "./bars.js";
import { allBoxes } from "./all_boxes.js";
import { FEWEST, LONGEST, MOST, RANGES, readLink, writeLink } from "./link.js";
import { picture } from "./picture.js";
import { play } from "./play.js";
import { covered, repeat, RUNS, spread, summary, theory } from "./runs.js";
import { number, say } from "../words.js";

/** @typedef {import("./link.js").State} State */

const SHARES = [30, 18, 12, 24, 6, 2, 35, 15, 9, 20];
const EXAMPLE = SHARES.map((share, index) => ({ name: say(`example.${index + 1}`), share }));
const PRESETS = /** @type {const} */ ({ small: [0.5, 200], large: [1, 20_000], open: [6, 2000] });

let stop = () => {};
let settled = false; // whether the address may change: not for what nobody has touched
/** @type {import("./runs.js").Summary[]} what is shown of many, if anything is */
let repeated = [];
/** @type {Panel<string>} */
let panel;

const unread = element("p.error.across", { role: "alert", hidden: true, "data-value": "unread" });
/** @type {State} */
let state = follow() ?? { epsilon: 1, respondents: 2000, seed: drawWord(), boxes: EXAMPLE.slice(0, 5) };

const sliders = element("div");
const named = element("div");
const boxed = element("div");
const shown = picture();
const drawAll = allBoxes(part("all"));
const link = element("a", say("link"));
const runs = element("div.strips");
const tally = element("p.outcome", { role: "status", "data-value": "coverage" });
const progress = element("progress", { max: RUNS, value: 0, "aria-label": say("spread.progress"), hidden: true });
const again = button(say("again"), anew, "", "again");
const many = button(say("many", { n: number(RUNS) }), runMany, "", "many");
const halt = button(say("stop"), () => { stop(); settle(); }, "plain", "stop");
const names = () => state.boxes.map(({ name }, index) => name || say("box", { n: index + 1 }));
const shares = () => state.boxes.map(({ share }) => share / 100);

/**
 * One run with the present settings and seed, under the present names: the first box, and the others where somebody has them unfolded.
 *
 * @param {"show" | "play"} [how] at once, or with the way there
 */
function run(how = "show") {
  const { epsilon, respondents, seed } = state;
  const first = (/** @type {number} */ count) => play(shares().slice(0, count), respondents, epsilon, seeded(seed));
  const [box] = first(1);
  if (box) void shown[how]({ box, name: names()[0] ?? "", respondents, epsilon });
  drawAll(names(), () => first(MOST), state);
  const address = writeLink(state);
  link.setAttribute("href", address);
  if (settled) keepPicture(new URLSearchParams(address.slice(1)));
  settled = true;
}

/** New people, and new luck. */
function anew() {
  state.seed = drawWord();
  run("play");
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
    repeated = known.map((expected, index) => summary(done.flatMap((boxes) => boxes[index] ?? []), expected));
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
  if (runs.firstElementChild && !repeated.length) return; // a slider has said so already
  repeated = [];
  runs.replaceChildren(element("p.hint", say("spread.empty", { n: number(RUNS) })));
  tally.textContent = "";
}

/** The sliders, made anew whenever boxes come or go: never while one of them holds what cannot be used. */
function setSliders() {
  const settings = {
    epsilon: { label: say("epsilon"), hint: say("hint"), ...RANGES.epsilon, step: 0.05, value: state.epsilon, apart: true },
    respondents: { label: say("respondents"), ...RANGES.respondents, step: 0.05, log: true, value: state.respondents, apart: true },
    ...Object.fromEntries(state.boxes.map(({ share }, index) => (
      [`share-${index}`, { label: names()[index] ?? "", ...RANGES.share, step: 1, value: share, apart: true }]))),
  };
  panel = controls(settings, (/** @type {Record<string, number>} */ values) => {
    state.epsilon = values["epsilon"] ?? state.epsilon;
    state.respondents = values["respondents"] ?? state.respondents;
    state.boxes.forEach((box, index) => { box.share = values[`share-${index}`] ?? box.share; });
    forgetRuns();
    run();
  }, [part("result"), part("all"), part("runs")], allow);
  const [, , ...rest] = panel.node.children;
  boxed.replaceChildren(element("fieldset.boxes", element("legend", say("shares")), ...rest.slice(0, -1)));
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
  run();
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
  for (const name of new URLSearchParams(location.hash.slice(1)).keys()) wanted(name); // whatever is wrong with it is said here
  unread.hidden = Boolean(read) || !asksForPicture();
  unread.textContent = unread.hidden ? "" : say("unread");
  return read;
}

part("presets").before(unread);
part("presets").append(...(/** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))).map((name) => {
  const [epsilon, respondents] = PRESETS[name];
  return button(say(`preset.${name}`, { epsilon: number(epsilon), respondents: number(respondents) }), () => preset(name), "plain", name);
}));
part("result").append(patterns(), shown.node);
part("runs").append(element("div.toolbar", many, progress, halt), tally, runs);
part("controls").append(sliders, element("div.toolbar", again, link));
part("box-controls").append(boxed, element("details.naming", element("summary", say("names")), named, element("div.toolbar", more, fewer)));
set(state);
