/** One language of the survey's texts at a time, or two side by side: the others keep what is in their fields. */

import { say } from "../page/page.js";
import { isLine } from "./groups.js";
import { ownerOf, units } from "./units.js";

/** Keys that hold one text in several languages. */
const TEXTS = new Set(["title", "organisation", "contact", "information", "consent", "help", "closing", "introduction", "wording", "note",
  "matrix_wording", "unit", "alt", "text"]);

/** The text that a unit holds in one language, such as `title`; empty where it is no text. @param {string} unit */
export function textOf(unit) {
  const stem = unit.slice(0, Math.max(0, unit.lastIndexOf(".")));
  return TEXTS.has(stem.slice(stem.lastIndexOf(".") + 1)) ? stem : "";
}

/** @param {Draft} draft @returns {Map<string, Set<string>>} the languages of each text; a line has the scale of the first of its group */
export function languagesOfTexts(draft) {
  const lines = new Set(draft.questions.flatMap(({ uid }, n) => (isLine(draft, n) ? [uid] : [])));
  /** @type {Map<string, Set<string>>} */
  const texts = new Map();
  for (const unit of Object.keys(units(draft))) {
    const stem = textOf(unit);
    const isAbove = lines.has(ownerOf(unit)) && /\.(matrix_wording|text)$/.test(stem);
    if (stem && !isAbove) texts.set(stem, (texts.get(stem) ?? new Set()).add(unit.slice(stem.length + 1)));
  }
  return texts;
}

/** @param {HTMLElement} editor @returns {string[]} the languages whose fields are seen */
export function shownLanguages(editor) {
  const chosen = /** @type {HTMLInputElement | null} */ (editor.querySelector("[name=shown]:checked"));
  return (chosen?.value ?? "").split(",");
}

/** @param {HTMLElement} editor @param {ParentNode} panel */
export function showLanguages(editor, panel) {
  const codes = shownLanguages(editor);
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll(".field > [lang]"))) {
    if (!field.closest(".seen")) /** @type {HTMLElement} */ (field.parentElement).hidden = !codes.includes(field.lang);
  }
}

/** Offer the languages that are ticked or written in, each with how many texts it lacks; at first that of the page is shown. @param {HTMLElement} editor @param {Draft} draft */
export function offerLanguages(editor, draft) {
  const texts = [...languagesOfTexts(draft).values()];
  const list = /** @type {HTMLElement} */ (editor.querySelector(".speaking"));
  const isThere = (/** @type {string} */ code) => draft["languages"]?.includes(code) || texts.some((codes) => codes.has(code));
  const offered = [];
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("label"))) {
    const choice = /** @type {HTMLInputElement} */ (label.querySelector("input"));
    const codes = choice.value.split(",");
    label.hidden = !codes.every(isThere);
    if (!label.hidden) offered.push(choice);
    const told = label.querySelector("[data-untranslated]");
    const n = texts.filter((written) => !written.has(codes[0] ?? "")).length;
    if (told) told.textContent = n ? say("outline.untranslated", { n }) : "";
  }
  list.hidden = offered.length < 2;
  const own = offered.find(({ value }) => value === document.documentElement.lang) ?? offered[0];
  if (own && !offered.some(({ checked }) => checked)) own.checked = true;
}
