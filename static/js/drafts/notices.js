/** What the page tells whoever writes: in words for those who do not see it, as a notice, and with a way to take back what was done. */

import { element, say } from "../page/page.js";
import { editor, part } from "./desk.js";

/** Say what happened to whoever does not see it. @param {string} text @param {"said" | "alarm"} [where] `alarm` does not wait for an end of what is being read */
export function announce(text, where = "said") {
  part(where).textContent = text;
}

/**
 * Show a notice above the faults, in the place of the last of its kind.
 *
 * @param {string} id
 * @param {"" | ".problem"} look
 * @param {string} title
 * @param {string} text
 * @param {Node[]} more
 * @returns {HTMLElement}
 */
export function notify(id, look, title, text, ...more) {
  document.getElementById(id)?.remove();
  const notice = element(/** @type {"div"} */ (`div.notice${look}`), { id }, element("strong", title), element("p", text), ...more);
  part("faults").before(notice);
  if (look) notice.scrollIntoView({ block: "nearest", behavior: "instant" });
  announce(`${title} ${text}`, look ? "alarm" : "said");
  return notice;
}

/** @param {string} words @param {() => void} onclick @param {string} [look] @returns {HTMLElement} */
export const press = (words, onclick, look = "") => element(/** @type {"button"} */ (`button.button${look}.small`), { type: "button", onclick }, words);

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

/** Say what was done, beside a button that takes it back: the last first, then what was done before it. @param {Done} done @returns {HTMLElement} */
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
  const place = element("div.undo", { id: "undo" }, element("p", { role: "status" }, said), press(words, take, ".plain"),
    element("button.sign", { type: "button", title: say("outline.close"), onclick: close }, element("span", { "aria-hidden": "true" }, "×"), element("span.visually-hidden", say("outline.close"))));
  editor.querySelector(".save-bar")?.before(place);
  return place;
}
