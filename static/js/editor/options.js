/** The options of the question that is open: more of them, in another order, pasted as a list. */

import { element, say } from "../page/page.js";
import { moveWithin } from "./arrangement.js";
import { desk, openPanel, openQuestion } from "./desk.js";
import { showLanguages } from "./languages.js";
import { drawOptions } from "./panels.js";
import { pasteLines } from "./pasting.js";

/** @typedef {Record<string, string>} Texts */

/** @param {number} index of a question @returns {Texts[]} */
const optionsOf = (index) => desk.state.questions[index]?.["options"] ?? [];

/** How many options the open question may have. */
const most = () => Number(/** @type {HTMLElement | null} */ (desk.form.querySelector(".options-list"))?.dataset["most"]);

/** @returns {Texts} an option without a text */
const blank = () => Object.fromEntries(desk.offered.map((code) => [code, ""]));

/** The option for people to whom a question does not apply, in the languages of the draft. @returns {Texts} */
export function inapplicable() {
  const button = /** @type {HTMLElement | null} */ (openPanel()?.querySelector("[data-inapplicable]") ?? null);
  const words = Object.entries(JSON.parse(button?.dataset["inapplicable"] ?? "{}"));
  return Object.fromEntries(words.filter(([code]) => desk.state["languages_"]?.includes(code)));
}

/** @param {number} index @param {Texts} texts @param {number} [at] its place, the end without it @returns {boolean} whether there was room */
export function insertOption(index, texts, at = Infinity) {
  const list = optionsOf(index);
  if (list.length >= most()) return false;
  const place = Math.min(at, list.length);
  list.splice(place, 0, { ...blank(), ...texts });
  redrawOptions(index, place);
  return true;
}

/** @param {number} index @param {number} option @param {-1 | 1} by @returns {boolean} whether it has another place */
export function passOption(index, option, by) {
  const list = optionsOf(index);
  if (!list[option + by]) return false;
  moveWithin(list, option, option + by);
  redrawOptions(index, option + by);
  return true;
}

/** Several lines that are pasted into an option are options. @param {ClipboardEvent} event @returns {number} the question, or -1 where it is pasted as ever */
export function pasteOptions(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const option = /^questions-(\d+)-options-(\d+)-(.+)$/.exec(field.id);
  const lines = (event.clipboardData?.getData("text/plain") ?? "").split(/\r?\n/).map((each) => each.trim()).filter(Boolean);
  if (!option || lines.length < 2) return -1;
  event.preventDefault();
  const [index, at, code] = [Number(option[1]), Number(option[2]), String(option[3])];
  const list = optionsOf(index);
  const row = list[at];
  // Lines take the place of what is selected.
  if (row && field.selectionStart === 0 && field.selectionEnd === field.value.length) row[code] = "";
  const { last, left } = pasteLines(list, at, code, lines, most(), blank);
  redrawOptions(index, last);
  if (left) openPanel()?.querySelector(".options-list > .option:last-of-type")?.after(element("p.error.no-room", { role: "alert" }, say("outline.no_room", { n: left, most: most() })));
  return index;
}

/** Draw the options of a question anew, if it is open. @param {number} index @param {number} focus the option to put the focus into */
export function redrawOptions(index, focus) {
  const panel = openPanel();
  if (!panel || openQuestion() !== index) return;
  panel.querySelector(".no-room")?.remove();
  drawOptions(panel, desk.state, index, desk.offered);
  showLanguages(desk.form, panel);
  const fields = panel.querySelectorAll(`[id^="questions-${index}-options-${focus}-"]`);
  const seen = [...fields].find((each) => !(/** @type {HTMLElement} */ (each.closest(".field"))?.hidden));
  /** @type {HTMLElement | undefined} */ (seen)?.focus();
}
