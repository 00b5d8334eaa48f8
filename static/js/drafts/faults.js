/** What is wrong: said at the field, listed at the top with a link to it, and marked on the cards. */

import { element, say } from "../page/page.js";
import { desk, editor, panelOf, part } from "./desk.js";
import { ownerOf } from "./units.js";

/** What is said at fields, by unit: by the last save, and by the last figures. @type {{ save: Map<string, string>, figures: Map<string, string> }} */
const said = { save: new Map(), figures: new Map() };
/** What is listed after the last save. @type {Remark[]} */
let listed = [];

/** @param {string} panel @returns {number} how many things are wrong or missing in it */
export const countOf = (panel) => listed.filter(({ unit }) => (ownerOf(unit) || panelOf(unit)) === panel).length;

/** @param {Remark[]} entries @returns {Map<string, string>} */
function byUnit(entries) {
  /** @type {Map<string, string>} */
  const words = new Map();
  for (const { unit, text, said: short } of entries) words.set(unit, [words.get(unit), short ?? text].filter(Boolean).join(" "));
  return words;
}

/** @param {Remark} entry */
const link = ({ unit, text }) => element("li", element("a", { href: `#${unit}`, "data-unit": unit }, text));

/** List what the server says of the draft as it is stored. @param {Problems} answer */
export function listFaults({ faults, missing, ready, promises }) {
  said.save = byUnit(faults);
  listed = [...faults, ...missing];
  const place = part("faults");
  const isOpen = place.querySelector("details")?.open ?? (missing.length <= 8 && !faults.length && !matchMedia("(max-width: 40rem)").matches); // on a phone the cards come first
  const onward = ["open", "try"].flatMap((name) => [/** @type {Node} */ (editor.querySelector(`.save-bar [href$="/${name}"]`)).cloneNode(true), " "]);
  place.replaceChildren(...[
    faults.length && element("ul.faults", ...faults.map(link)),
    ready && element("div.notice.good", { id: "ready" }, element("strong", say("editor.ready")), element("p.toolbar", ...onward)),
    missing.length > 0 && element("details.missing", { open: isOpen }, element("summary", say("editor.missing.title", { n: missing.length })), element("ul", ...missing.map(link))),
  ].filter((node) => node instanceof Node));
  openFirst(faults);
  const tooMuch = part("promises");
  tooMuch.hidden = !promises.words.length;
  /** @type {HTMLElement} */ (tooMuch.querySelector("span")).textContent = promises.figures;
  /** @type {HTMLElement} */ (tooMuch.querySelector("ul")).replaceChildren(...promises.words.map(link));
}

/** A page that was just loaded shows first what is wrong. @param {Remark[]} faults */
function openFirst([first]) {
  const panel = first ? panelOf(first.unit) : "none";
  if (panel !== "none" && !desk.isChosen) {
    desk.opened = panel;
    editor.dispatchEvent(new Event("opened"));
  }
  desk.isChosen = true;
}

/** Say at a field that nothing was saved because of it, and link to it from the top; the next save says all anew. @param {Remark} entry */
export function refuseField(entry) {
  said.save.set(entry.unit, entry.text);
  markFields(editor);
  const list = part("faults").querySelector("ul.faults") ?? element("ul.faults", "");
  if (!list.isConnected) part("faults").prepend(list);
  list.prepend(link(entry));
}

/** @param {Remark[]} problems that the last figures have found */
export function tellProblems(problems) {
  said.figures = byUnit(problems);
  markFields(editor);
}

/** Say at each field what is wrong with it; what figures say is the newer. @param {ParentNode} place */
export function markFields(place) {
  const faults = new Map([...said.save, ...said.figures]);
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-said]"))) if (!faults.has(field.id)) mark(field, "");
  for (const [unit, words] of faults) {
    const field = /** @type {HTMLElement | null} */ (place.querySelector(`[id="${CSS.escape(unit)}"]`));
    if (field) mark(field, words);
  }
}

/** @param {HTMLElement} field @param {string} words none where nothing is wrong any more */
function mark(field, words) {
  if ((field.dataset["said"] ?? "") === words) return;
  const id = `${field.id}-error`;
  const around = field.matches("fieldset") ? field : field.closest(".field");
  const others = (field.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((name) => name && name !== id);
  around?.querySelector(`[id="${CSS.escape(id)}"]`)?.remove();
  for (const name of ["data-said", "aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  if (words) {
    field.dataset["said"] = words;
    if (field.matches("input, textarea, select")) field.setAttribute("aria-invalid", "true");
    around?.append(element("p.error", { id }, words));
    others.push(id);
  }
  if (others.length) field.setAttribute("aria-describedby", others.join(" "));
}
