/** What the buttons do, at once: the same as by loading a page, with the same names. */

import { element, say } from "../page/page.js";
import { addGroup, addLine, addPart, addQuestion, copyQuestion, joinPart, passQuestion, placeQuestion, removeRow } from "./arrangement.js";
import { cardOf, desk, draw, open, openPanel, openQuestion, rearranged } from "./desk.js";
import { forgetPlaces } from "./faults.js";
import { inapplicable, insertOption, passOption, pasteOptions, redrawOptions } from "./options.js";
import { offerUndo } from "./undoing.js";

/** What leads to another page; pictures have a script of their own. */
const BY_LOAD = /^(try|open|plan|plan-now|undo|(picture|unpicture)-\d+)$/;

/** Called after every change: the figures and the next save follow it. @type {(what: string) => void} */
let changed = () => undefined;
/** What the Return key does. */
let save = () => {};

/** @param {(what: string) => void} follow @param {() => void} keep */
export function answerButtons(follow, keep) {
  changed = follow;
  save = keep;
  desk.form.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest("button[name=action]"));
    if (!button || BY_LOAD.test(button.value)) return;
    event.preventDefault();
    if (button.value === "save") save();
    else act(button.value);
  });
  // The Return key saves, as without script; in an option it asks for the next one.
  desk.form.addEventListener("keydown", keys);
  desk.form.addEventListener("paste", (event) => {
    const index = pasteOptions(event);
    if (index >= 0) changed(String(index));
  });
}

/** @param {string} action */
export function act(action) {
  const [what = "", ...rest] = action.split("-");
  const numbers = rest.map(Number);
  const [index = 0, option] = numbers;
  if (what === "show") return toggle(rest.join("-"));
  if (what === "add") return rest[0] === "section" ? addSection() : add(rest[0] ?? "", rest[1] === "in" ? Number(rest[2]) : undefined);
  if (what === "remove" && rest[0] === "section") return remove("part", Number(rest[1]));
  if (what === "remove") return option === undefined ? remove("question", index) : remove("option", option, index);
  if (what === "scale") return addScale();
  if (what === "line") return addLineTo(index);
  if (what === "inapplicable" || what === "option") return addOption(index, what === "option" ? {} : inapplicable());
  if (option !== undefined) return moveOption(index, option, what === "up" ? -1 : 1);
  if (what === "copy") return copy(index);
  const place = /** @type {HTMLInputElement | null} */ (desk.form.querySelector("[name=to_place]"));
  if (what === "place" && place) return moveToPlace(index, place);
  return move(index, () => passQuestion(desk.state, index, what === "up" ? -1 : 1));
}

/** @param {string} panel */
function toggle(panel) {
  open(panel);
  changed("opened");
}

/** How many more questions a draft may have. */
const room = () => Number(desk.form.dataset["most"]) - desk.state.questions.length;

/** @param {string} kind @returns {Record<string, any>} an empty question */
const blankOf = (kind) => JSON.parse(/** @type {HTMLElement} */ (document.getElementById(`new-${kind}`)).dataset["blank"] ?? "{}");

/** @param {string} kind @param {number} [part] */
function add(kind, part) {
  if (room() < 1) return;
  const place = addQuestion(desk.state, blankOf(kind), part);
  after(`question-${place + 1}`, `questions-${place}-wording`);
  announce(say("outline.said.added", { n: place + 1 }));
}

function addScale() {
  if (room() < 1) return;
  const before = room();
  const place = addGroup(desk.state, blankOf("choice"), desk.offered, before);
  after(`question-${place + 1}`, `questions-${place}-matrix_wording`);
  announce(say("outline.said.lines_added", { n: before - room(), first: place + 1, last: place + before - room() }));
}

/** @param {number} index of a question on a scale */
function addLineTo(index) {
  if (room() < 1) return;
  const place = addLine(desk.state, index, desk.offered);
  after(`question-${place + 1}`, `questions-${place}-wording`);
  announce(say("outline.said.added", { n: place + 1 }));
}

function addSection() {
  const index = addPart(desk.state, desk.offered);
  after(`part-${index + 1}`, `sections-${index}-title`);
}

/** @param {number} index */
function copy(index) {
  if (room() < 1) return;
  const place = copyQuestion(desk.state, index);
  const [origin, twin] = [desk.state.questions[index], desk.state.questions[place]];
  const figures = desk.figures.get(origin?.uid ?? "");
  if (twin && figures) desk.figures.set(twin.uid, figures);
  after(`question-${place + 1}`, `questions-${place}-wording`);
  announce(say("outline.said.copied", { n: place + 1 }));
}

/** Show what is new. @param {string} panel @param {string} field to put the focus into */
function after(panel, field) {
  desk.version += 1;
  forgetPlaces();
  openPanel()?.remove();
  desk.opened = "none";
  draw();
  open(panel, field);
  changed("all");
}

/** @param {number} index @param {number} to */
export function drop(index, to) {
  move(index, () => placeQuestion(desk.state, index, to), true);
}

/** @param {number} index @param {HTMLInputElement} field */
function moveToPlace(index, field) {
  field.parentElement?.querySelector(".error")?.remove();
  const most = desk.state.questions.length;
  const right = /^\s*\d+\s*$/.test(field.value) && Number(field.value) >= 1 && Number(field.value) <= most;
  field.ariaInvalid = String(!right);
  if (right) return move(index, () => placeQuestion(desk.state, index, Number(field.value) - 1));
  field.parentElement?.append(element("span.error", { role: "alert" }, say("outline.no_place", { n: most })));
  field.focus();
}

/**
 * The card that is moved stays where it is in the window: whoever presses again finds the button under the pointer.
 *
 * @param {number} index
 * @param {() => number} work gives the new place
 * @param {boolean} [dropped] whether it was put down by hand where it is to stand
 */
function move(index, work, dropped = false) {
  const [panel, uid, focused] = [desk.opened, openUid(), document.activeElement];
  const before = lineOf(`question-${index + 1}`)?.getBoundingClientRect().top ?? 0;
  const place = work();
  if (place === index) return;
  forgetPlaces();
  rearranged(panelNow(panel, uid));
  const line = lineOf(`question-${place + 1}`);
  if (!dropped) scrollBy({ top: (line?.getBoundingClientRect().top ?? before) - before, behavior: "instant" });
  line?.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (focused instanceof HTMLButtonElement && focused.disabled) line?.focus({ preventScroll: true });
  announce(say("outline.said.moved", { n: place + 1 }));
  changed("all");
}

/** @param {string} panel @returns {HTMLElement | null} the line of its card */
const lineOf = (panel) => cardOf(panel)?.querySelector(".line") ?? null;

/** Where the focus goes that stood on what is gone. @param {"question" | "option" | "part"} what @param {number} at @returns {HTMLElement | null} */
function near(what, at) {
  if (what === "option") return openPanel()?.querySelector(".options-list [value^=option]") ?? null;
  return lineOf(`question-${Math.min(at + 1, desk.state.questions.length)}`) ?? desk.form.querySelector(".kinds button");
}

/** The row that is open, whatever its place. */
const openUid = () => openPanel()?.parentElement?.dataset["uid"] ?? "";

/** @param {string} panel @param {string} uid @returns {string} the panel by its place of now */
function panelNow(panel, uid) {
  const rows = panel.startsWith("part-") ? desk.state.sections : desk.state.questions;
  const place = rows.findIndex((each) => each.uid === uid);
  return /^(question|part)-/.test(panel) ? (place < 0 ? "none" : `${panel.split("-")[0]}-${place + 1}`) : panel;
}

/** @param {"question" | "option" | "part"} what @param {number} at @param {number} [of] */
function remove(what, at, of = 0) {
  const [panel, uid, owner] = [desk.opened, openUid(), desk.state.questions[of]?.uid ?? ""];
  const back = removeRow(desk.state, what, at, of);
  forgetPlaces();
  if (what === "option") redrawOptions(of, Math.max(0, at - 1));
  else {
    const now = panelNow(panel, uid);
    if (now === "none") openPanel()?.remove();
    rearranged(now);
  }
  changed("all");
  const undo = () => bringBack(what, back, owner);
  const closed = () => near(what, at)?.focus();
  offerUndo({ said: say(`outline.removed.${what}`, { n: at + 1 }), words: say("outline.undo"), undo, closed }).querySelector("button")?.focus({ preventScroll: true });
}

/**
 * Put back what was removed, into the draft as it is now: others may have changed it meanwhile.
 *
 * @param {"question" | "option" | "part"} what
 * @param {(now: DraftState) => number} back
 * @param {string} owner the question of an option
 */
function bringBack(what, back, owner) {
  const [opened, uid] = [desk.opened, openUid()];
  const place = what === "question" && room() < 1 ? -1 : back(desk.state);
  if (place < 0) return announce(say("outline.said.gone"));
  forgetPlaces();
  rearranged(panelNow(opened, uid));
  const question = desk.state.questions.findIndex((each) => each.uid === owner);
  if (what === "option" && openQuestion() === question) redrawOptions(question, place);
  else if (what === "option") open(`question-${question + 1}`, `questions-${question}-options-${place}`);
  else if (opened === "none") open(`${what}-${place + 1}`);
  else lineOf(`${what}-${place + 1}`)?.focus();
  changed("all");
  announce(say("outline.said.back"));
}

/** @param {number} index @param {Record<string, string>} texts @param {number} [at] its place, the end without it */
function addOption(index, texts, at) {
  if (insertOption(index, texts, at)) changed(String(index));
}

/** @param {number} index @param {number} option @param {-1 | 1} by */
function moveOption(index, option, by) {
  if (!passOption(index, option, by)) return;
  announce(say("outline.said.option", { n: option + by + 1 }));
  changed(String(index));
}

/** @param {number} index of a question that was put into another part */
export function joined(index) {
  const [panel, uid] = [desk.opened, openUid()];
  const place = joinPart(desk.state, index);
  if (place !== index) forgetPlaces();
  rearranged(panelNow(panel, uid));
}

/** @param {KeyboardEvent} event */
function keys(event) {
  const field = /** @type {HTMLElement} */ (event.target);
  const option = /^questions-(\d+)-options-(\d+)-/.exec(field.id);
  if (event.key === "Enter" && option && field instanceof HTMLInputElement) {
    event.preventDefault();
    return addOption(Number(option[1]), {}, Number(option[2]) + 1);
  }
  if (event.key === "Enter" && field.id === "to_place") {
    event.preventDefault();
    return act(`place-${openQuestion()}`);
  }
  if (event.key === "Enter" && field instanceof HTMLInputElement && field.type !== "file" && !event.isComposing) {
    event.preventDefault();
    return save();
  }
  const by = event.altKey && { ArrowUp: "up", ArrowDown: "down" }[event.key];
  const card = /^question-(\d+)$/.exec(field.closest(".slip")?.id ?? "");
  if (!by || !card) return;
  event.preventDefault();
  if (option) return moveOption(Number(option[1]), Number(option[2]), by === "up" ? -1 : 1);
  act(`${by}-${Number(card[1]) - 1}`);
}

/** Say what happened to whoever does not see it. @param {string} text */
export function announce(text) {
  const place = document.getElementById("said");
  if (place) place.textContent = text;
}
