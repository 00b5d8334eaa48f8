/** Where somebody is, in the browser's history: never an answer, a word or a report. */

import { code } from "../page/page.js";

/** Consent was given to this survey, and not to what it has become. */
const survey = () => document.body.dataset["fingerprint"];
const state = () => (history.state?.survey === survey() ? history.state : null);

/** The introduction, or the number of a screen of questions. @returns {string} */
export const here = () => state()?.place ?? "welcome";

/** The language chosen before a reload. @returns {string} */
export const spoken = () => String(history.state?.language ?? "");

/** Browsers allow only so many changes. @param {string} [place] */
export function note(place = here()) {
  if (place !== state()?.place || code() !== spoken()) history.replaceState({ survey: survey(), place, language: code() }, "");
}

/** One entry a place, and none where nobody shall see that somebody was there. @param {string} place @param {unknown} [exit] */
export function enter(place, exit) {
  if (place !== here()) history[exit ? "replaceState" : "pushState"]({ survey: survey(), place, language: code() }, "");
}
