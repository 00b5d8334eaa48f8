/** What was done can be taken back: the last first, then what was done before it. */

import { element, say } from "../page/page.js";
import { desk } from "./desk.js";

/**
 * @typedef {object} Done
 * @property {string} said what was done
 * @property {string} words of the button that takes it back
 * @property {() => void} undo
 * @property {() => void} [closed] moves the focus once nobody wants it back
 * @property {boolean} [brief] whether it cannot be taken back any more once something else is done
 */

/** What can be taken back, the last one last. @type {Done[]} */
const all = [];

/** Say what was done, beside a button that takes it back. @param {Done} done @returns {HTMLElement} */
export function offerUndo(done) {
  if (all.at(-1)?.brief) all.pop();
  all.push(done);
  return show(done);
}

/** Nothing is taken back any more. */
export function forgetUndo() {
  all.length = 0;
  document.getElementById("undo")?.remove();
}

/** @param {Done} done @returns {HTMLElement} */
function show({ said, words, undo, closed }) {
  document.getElementById("undo")?.remove();
  const take = () => {
    all.pop();
    place.remove();
    undo();
    const before = all.at(-1);
    if (before) show(before);
  };
  const close = () => {
    forgetUndo();
    closed?.();
  };
  const place = element("div.undo", { id: "undo" }, element("p", { role: "status" }, said),
    element("button.button.plain.small", { type: "button", onclick: take }, words),
    element("button.sign", { type: "button", title: say("outline.close"), onclick: close }, element("span", { "aria-hidden": "true" }, "×"), element("span.visually-hidden", say("outline.close"))));
  desk.form.querySelector(".save-bar")?.before(place);
  return place;
}
