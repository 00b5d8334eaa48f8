/** One language of the survey's texts at a time, or two side by side: the others keep what is in their fields. */

import { say } from "../page/page.js";
import { untranslated, written } from "./model.js";

/** @param {HTMLFormElement} form @returns {string[]} the languages whose fields are seen */
export function shownLanguages(form) {
  const chosen = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=shown]:checked"));
  return (chosen?.value ?? form.dataset["shown"] ?? "").split(",");
}

/** @param {HTMLFormElement} form @param {ParentNode} [place] where fields are shown or hidden */
export function showLanguages(form, place = form) {
  const codes = shownLanguages(form);
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".field > [lang]"))) {
    const field = /** @type {HTMLElement} */ (each.parentElement);
    field.hidden = !codes.includes(each.lang);
  }
}

/**
 * Offer the languages that have something to show, each with how many texts it lacks.
 *
 * @param {HTMLFormElement} form
 * @param {DraftState} state
 * @param {readonly string[]} offered
 */
export function tellUntranslated(form, state, offered) {
  const there = written(state, offered);
  const counts = untranslated(state, there);
  const list = /** @type {HTMLElement} */ (form.querySelector(".speaking"));
  list.hidden = there.length < 2;
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("label"))) {
    const input = /** @type {HTMLInputElement} */ (label.querySelector("input"));
    const codes = input.value.split(",");
    label.hidden = !codes.every((code) => there.includes(code));
    const told = /** @type {HTMLElement | null} */ (label.querySelector("[data-untranslated]"));
    const n = counts.get(codes[0] ?? "") ?? 0;
    if (told) told.textContent = n ? say("outline.untranslated", { n }) : "";
  }
}
