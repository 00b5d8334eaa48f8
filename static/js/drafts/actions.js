/** What the buttons do. A button says what it does; the card and the option in which it stands say to what. */

import { element, say } from "../page/page.js";
import {
  addGroup, addLine, addQuestion, addSection, copyQuestion, passQuestion, placeOf, placeQuestion, putBack, remove, tidy,
} from "./arrangement.js";
import { cardOf, changed, desk, editor, open, openPanel, questionAt, room } from "./desk.js";
import { templateNamed } from "./fields.js";
import { announce, offerUndo } from "./notices.js";
import { addOption, focusOption, inapplicable, passOption, pasteOptions } from "./options.js";
import { removePicture } from "./picture.js";
import { newUid, units } from "./units.js";

/** @typedef {{ uid: string, option: string, kind: string }} Subject the panel and the option in which a button stands, and the kind that it adds */

/** @type {Record<string, (subject: Subject) => void>} */
const ACTIONS = {
  show: ({ uid }) => open(desk.opened === uid ? "none" : uid),
  outline: ({ uid }) => open(uid),
  add: ({ uid, kind }) => addNew(() => [addQuestion(desk.draft, blankOf(kind), uid || undefined)]),
  scale: () => addNew(() => addGroup(desk.draft, blankOf("choice"), room())),
  line: ({ uid }) => addNew(() => [addLine(desk.draft, uid)]),
  copy: ({ uid }) => addNew(() => [copyQuestion(desk.draft, uid)], uid),
  section: () => reveal(addSection(desk.draft).uid, "title"),
  option: ({ option }) => addOption({}, option),
  inapplicable: () => addOption(inapplicable()),
  up: ({ uid, option }) => (option ? passOption(option, -1) : move(uid, () => passQuestion(desk.draft, uid, -1))),
  down: ({ uid, option }) => (option ? passOption(option, 1) : move(uid, () => passQuestion(desk.draft, uid, 1))),
  place: ({ uid }) => moveToPlace(uid),
  remove: ({ uid, option }) => removeAt(uid, option),
  unpicture: ({ uid }) => removePicture(uid),
};

/** @param {() => void} save what the Return key does */
export function answerButtons(save) {
  editor.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button[data-does]"));
    if (button) ACTIONS[button.dataset["does"] ?? ""]?.({ ...subjectOf(button), kind: button.dataset["kind"] ?? "" });
  });
  ACTIONS["save"] = save;
  editor.addEventListener("keydown", keys);
  editor.addEventListener("paste", pasteOptions);
}

/** @param {Element} node */
const subjectOf = (node) => ({
  uid: /** @type {HTMLElement | null} */ (node.closest("[data-panel]"))?.dataset["panel"] ?? "",
  option: /** @type {HTMLElement | null} */ (node.closest(".option"))?.dataset["uid"] ?? "",
});

/** @param {string} kind @returns {Record<string, any>} an empty question */
function blankOf(kind) {
  const template = templateNamed(kind);
  const mechanism = /** @type {HTMLElement} */ (template.querySelector("[data-first]")).dataset["first"];
  return { kind, mechanism, ...(template.querySelector(".options-list") && { options: [{ uid: newUid() }, { uid: newUid() }] }) };
}

/** Show what is new. @param {string} uid @param {string} key of the text that gets the focus */
function reveal(uid, key) {
  tidy(desk.draft);
  open(uid, `${uid}.${key}`);
  changed("all");
}

/** @param {() => DraftQuestion[]} work @param {string} [origin] the question that is copied */
function addNew(work, origin) {
  const before = room();
  if (before < 1) return;
  const added = work();
  const [{ uid, matrix }] = /** @type {[DraftQuestion]} */ (added);
  const figures = origin && desk.figures.get(origin);
  if (figures) desk.figures.set(uid, figures);
  reveal(uid, matrix && added.length > 1 ? "matrix_wording" : "wording");
  const first = placeOf(desk.draft.questions, uid) + 1;
  const n = added.length;
  announce(origin ? say("outline.said.copied", { n: first })
    : n > 1 ? say("outline.said.lines_added", { n, first, last: first + n - 1 }) : say("outline.said.added", { n: first }));
}

/** @param {string} uid */
function moveToPlace(uid) {
  const field = /** @type {HTMLInputElement} */ (openPanel()?.querySelector("#to_place"));
  const most = desk.draft.questions.length;
  field.parentElement?.querySelector(".error")?.remove();
  const isRight = /^\s*\d+\s*$/.test(field.value) && Number(field.value) >= 1 && Number(field.value) <= most;
  field.ariaInvalid = String(!isRight);
  if (isRight) return move(uid, () => placeQuestion(desk.draft, uid, Number(field.value) - 1));
  field.parentElement?.append(element("span.error", { role: "alert" }, say("outline.no_place", { n: most })));
  field.focus();
}

/** A question is put down where it is to stand. @param {string} uid @param {number} to */
export function drop(uid, to) {
  move(uid, () => placeQuestion(desk.draft, uid, to), true);
}

/**
 * The card that is moved stays where it is in the window: whoever presses again finds the button under the pointer.
 *
 * @param {string} uid
 * @param {() => void} work
 * @param {boolean} [isDropped] whether it was put down by hand
 */
function move(uid, work, isDropped = false) {
  const focused = document.activeElement;
  const top = lineOf(uid)?.getBoundingClientRect().top ?? 0;
  const before = placeOf(desk.draft.questions, uid);
  work();
  const place = placeOf(desk.draft.questions, uid);
  if (place === before) return;
  changed("all");
  const line = lineOf(uid);
  if (!isDropped) scrollBy({ top: (line?.getBoundingClientRect().top ?? top) - top, behavior: "instant" });
  line?.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (focused instanceof HTMLButtonElement && focused.disabled) line?.focus({ preventScroll: true });
  announce(say("outline.said.moved", { n: place + 1 }));
}

/** @param {string} panel @returns {HTMLElement | null} the line of its card */
const lineOf = (panel) => cardOf(panel)?.querySelector(".line") ?? null;

/** @param {string} uid @param {string} option */
function removeAt(uid, option) {
  const what = option ? "option" : questionAt(uid) ? "question" : "part";
  const unit = option ? `${uid}.${option}` : uid;
  const before = units(desk.draft);
  const at = remove(desk.draft, unit);
  changed("all");
  if (option) focusOption(questionAt(uid)?.options?.[Math.max(0, at - 1)]?.uid ?? "");
  const next = () => lineOf(desk.draft.questions[Math.min(at, desk.draft.questions.length - 1)]?.uid ?? "") ?? editor.querySelector(".kinds button");
  const closed = () => /** @type {HTMLElement | null | undefined} */ (option ? openPanel()?.querySelector("[data-does=option]") : next())?.focus();
  const undo = () => bringBack(what !== "question" || room() > 0 ? putBack(desk.draft, before, unit) : null, unit);
  offerUndo({ said: say(`outline.removed.${what}`, { n: at + 1 }), words: say("outline.undo"), undo, closed }).querySelector("button")?.focus({ preventScroll: true });
}

/** @param {Draft | null} draft with what was removed, if it has a place @param {string} unit */
function bringBack(draft, unit) {
  if (!draft) return announce(say("outline.said.gone"));
  desk.draft = draft;
  changed("all");
  const [uid = "", option] = unit.split(".");
  if (option && desk.opened === uid) focusOption(option);
  else if (option) open(uid, unit);
  else if (desk.opened === "none") open(uid);
  else lineOf(uid)?.focus();
  announce(say("outline.said.back"));
}

/** The Return key saves; in an option it asks for the next one. @param {KeyboardEvent} event */
function keys(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const subject = { ...subjectOf(field), kind: "" };
  const isLine = field.localName === "input" && field.type !== "file" && field.closest(".panel") && !event.isComposing;
  const by = event.altKey && questionAt(subject.uid) ? { ArrowUp: "up", ArrowDown: "down" }[event.key] : undefined;
  const does = event.key === "Enter" && isLine ? (subject.option ? "option" : field.id === "to_place" ? "place" : "save") : by;
  if (!does) return;
  event.preventDefault();
  ACTIONS[does]?.(subject);
}
