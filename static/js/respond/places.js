/** Where Back leads within the survey. An entry of the history holds survey, place and language: never an answer, a word or a report. */

import { code } from "../page/language.js";

const survey = document.body.dataset["fingerprint"];
/** Consent was given to this survey, and not to what it has become. */
const state = () => (history.state?.survey === survey ? history.state : null);

/** The introduction, one question at a time, or everything first. @returns {string} */
export const here = () => state()?.place ?? "welcome";

/** The language chosen before a reload. @returns {string} */
export const spoken = () => String(history.state?.language ?? "");

/** Not without need: browsers allow only so many changes. @param {string} [place] */
export function note(place = here()) {
  if (place !== state()?.place || code !== spoken()) history.replaceState({ survey, place, language: code }, "");
}

/** One entry for a place, however many questions are answered there; none where somebody must be able to leave no step behind. @param {string} place @param {unknown} [exit] */
export function enter(place, exit) {
  if (place !== here()) history[exit ? "replaceState" : "pushState"]({ survey, place, language: code }, "");
}
