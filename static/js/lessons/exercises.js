/** The exercises at the end of a lesson: other numbers in the same questions and solutions, and which ones stands in the address. */

import { element } from "../page/page.js";
import { keep, NUMBERS, wanted } from "./controls/address.js";
import { button } from "./controls/controls.js";
import { read } from "./controls/read_number.js";
import { tell } from "./drawing/renew.js";
import { SETS } from "./exercise_sets.js";
import { number, say } from "./words.js";

/** @param {HTMLDetailsElement} fold @param {Record<string, Exercise>} exercises */
function offer(fold, exercises) {
  let set = 1;
  const said = element("p", { role: "status", "data-value": "set" });

  function show() {
    for (const [name, exercise] of Object.entries(exercises)) {
      const shown = exercise(set);
      for (const place of fold.querySelectorAll(`[data-exercise="${name}"] [data-number]`)) {
        const [value, digits] = shown[place.getAttribute("data-number") ?? ""] ?? [];
        if (value !== undefined) tell(/** @type {HTMLElement} */ (place), number(value, digits));
      }
    }
    tell(said, say("exercises.set", { set: number(set), all: number(SETS) }));
  }

  function next() {
    set = set % SETS + 1;
    for (const solution of fold.querySelectorAll("details")) solution.open = false; // or it would be read first
    show();
    keep(NUMBERS, set, ""); // the first set too: whoever gets the address finds the exercises unfolded
  }

  fold.querySelector("ol")?.before(element("div.toolbar", button(say("exercises.another"), next, "plain", "numbers")), said);
  const asked = wanted(NUMBERS);
  const found = read(asked ?? "1", { min: 1, max: SETS, whole: true });
  if ("value" in found) set = found.value;
  show();
  if (asked === null) return;
  if (!("value" in found)) tell(said, say("exercises.unread", { value: asked, all: number(SETS) }));
  fold.open = true;
  fold.scrollIntoView();
}

const fold = document.querySelector("details.exercises");
if (fold instanceof HTMLDetailsElement) void import(`./${fold.dataset["lesson"]}/exercises.js`).then((exercises) => offer(fold, exercises));
