/** The options of the question that is open: more of them, in another order, pasted as a list. */

import { element, say } from "../page/page.js";
import { moveWithin, placeOf } from "./arrangement.js";
import { changed, desk, editor, openPanel, questionAt } from "./desk.js";
import { announce } from "./notices.js";
import { pasteLines } from "./pasting.js";
import { newUid } from "./units.js";

/** @returns {DraftOption[]} of the question that is open */
const optionsOpen = () => /** @type {DraftQuestion} */ (questionAt(desk.opened)).options ??= [];

/** How many options the open question may have. */
const most = () => Number(/** @type {HTMLElement} */ (openPanel()?.querySelector(".options-list")).dataset["most"]);

/** The option for people to whom a question does not apply, in the languages of the draft. @returns {Texts} */
export function inapplicable() {
  const button = /** @type {HTMLElement} */ (openPanel()?.querySelector("[data-inapplicable]"));
  const words = Object.entries(JSON.parse(button.dataset["inapplicable"] ?? "{}"));
  return Object.fromEntries(words.filter(([code]) => desk.draft["languages"]?.includes(code)));
}

/** @param {Texts} text @param {string} [behind] the option that it comes behind; the last without it */
export function addOption(text, behind) {
  const options = optionsOpen();
  if (options.length >= most()) return;
  const option = { uid: newUid(), text };
  options.splice(behind ? placeOf(options, behind) + 1 : options.length, 0, option);
  changed(desk.opened);
  focusOption(option.uid);
}

/** @param {string} uid @param {-1 | 1} by */
export function passOption(uid, by) {
  const options = optionsOpen();
  const at = placeOf(options, uid);
  if (!options[at + by]) return;
  moveWithin(options, at, at + by);
  changed(desk.opened);
  focusOption(uid);
  announce(say("outline.said.option", { n: at + by + 1 }));
}

/** Several lines that are pasted into an option are options. @param {ClipboardEvent} event */
export function pasteOptions(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const uid = /** @type {HTMLElement | null} */ (field.closest(".option"))?.dataset["uid"];
  const lines = (event.clipboardData?.getData("text/plain") ?? "").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  if (!uid || lines.length < 2) return;
  event.preventDefault();
  const options = optionsOpen();
  const at = placeOf(options, uid);
  const text = options[at]?.text;
  // Lines take the place of what is selected.
  if (text && field.selectionStart === 0 && field.selectionEnd === field.value.length) text[field.lang] = "";
  const { last, left } = pasteLines(options, at, field.lang, lines, most());
  changed(desk.opened);
  focusOption(options[last]?.uid ?? "");
  if (left) openPanel()?.querySelector(".options-list > .row-actions")?.before(element("p.error.no-room", { role: "alert" }, say("outline.no_room", { n: left, most: most() })));
}

/** What did not fit is said until the options are others. @param {string} uid of the option that gets the focus */
export function focusOption(uid) {
  openPanel()?.querySelector(".no-room")?.remove();
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (editor.querySelectorAll(`.option[data-uid="${uid}"] input`));
  [...fields].find((field) => !field.closest("[hidden]"))?.focus();
}
