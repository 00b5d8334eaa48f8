/** Where Back leads within the survey. An entry of the history holds a place and the language: never an answer, a word or a report. */

import { code } from "../page/language.js";

/** The introduction, one question at a time, or everything first. @returns {string} */
export const here = () => history.state?.place ?? "welcome";

/** The language chosen before a reload. @returns {string} */
export const spoken = () => String(history.state?.language ?? "");

/** Not without need: browsers allow only so many changes. @param {string} [place] */
export function note(place = here()) {
  if (place !== history.state?.place || code !== spoken()) history.replaceState({ place, language: code }, "");
}

/** One entry for a place, however many questions are answered there; none where somebody must be able to leave no step behind. @param {string} place @param {unknown} [exit] */
export function enter(place, exit) {
  if (place !== here()) history[exit ? "replaceState" : "pushState"]({ place, language: code }, "");
}
