/** What is wrong: said at the field, listed at the top with a link to it, and marked on the cards. */

import { element, say } from "../page/page.js";
import { panelOf } from "./model.js";

/** @typedef {{ field: string, text: string, said?: string }} Entry */

/** What the figures' answer says of fields. @type {Map<string, string[]>} */
let figures = new Map();
/** What the last save said of fields. @type {Map<string, string[]>} */
let saved = new Map();
/** Uid of a row, or name of a panel of the survey itself -> how many things are wrong or missing in it. @type {Map<string, number>} */
let counts = new Map();

/** @param {string} name @returns {number} */
export const countOf = (name) => counts.get(name) ?? 0;

/** Read the list that the server has drawn. @param {Element} list @param {DraftState} state */
export function readFaults(list, state) {
  count([...list.querySelectorAll("[data-field]")].map((each) => /** @type {HTMLElement} */ (each).dataset["field"] ?? ""), state);
}

/** A mark goes with its question, whatever place that has by now. @param {string[]} fields @param {DraftState} state */
function count(fields, state) {
  counts = new Map();
  for (const field of fields) {
    const panel = panelOf(field);
    const [kind = "", number] = panel.split("-");
    const row = { question: state.questions, part: state.sections }[kind]?.[Number(number) - 1];
    const name = row?.uid ?? panel;
    counts.set(name, countOf(name) + 1);
  }
}

/** Questions have other places: what was said of places is said again with the next answer. */
export function forgetPlaces() {
  figures = new Map();
  saved = new Map();
}

/** @param {Document} answer in which each fault names the field that it is about */
export function showFaults(answer) {
  figures = grouped([...answer.querySelectorAll("[data-field]")].map((each) => (
    { field: /** @type {HTMLElement} */ (each).dataset["field"] ?? "", text: each.textContent ?? "" })));
  markFields(document);
}

/**
 * Draw the list at the top anew, after a save.
 *
 * @param {HTMLElement} place
 * @param {{ faults: Entry[], missing: Entry[], ready: boolean }} answer
 * @param {DraftState} state
 */
export function listFaults(place, { faults, missing, ready }, state) {
  saved = grouped(faults.map(({ field, text, said }) => ({ field, text: said ?? text })));
  count([...faults, ...missing].map(({ field }) => field), state);
  markFields(document);
  const open = place.querySelector("details")?.open ?? missing.length <= 8;
  const link = (/** @type {Entry} */ { field, text }) => element("li", element("a", { href: `#${field}`, "data-field": field }, text));
  const action = (/** @type {string} */ value) => element("button.button.plain.small", { name: "action", form: "editor", value }, say(`editor.${value}`));
  place.replaceChildren(
    ...(faults.length ? [element("ul.faults", ...faults.map(link))] : []),
    ...(ready ? [element("div.notice.good", { id: "ready" }, element("strong", say("editor.ready")), element("p.toolbar", action("open"), " ", action("try")))] : []),
    ...(missing.length ? [element("details.missing", { open }, element("summary", say("editor.missing.title", { n: missing.length })), element("ul", ...missing.map(link)))] : []),
  );
}

/**
 * List the words that promise too much anew, after a save.
 *
 * @param {HTMLElement} place
 * @param {{ words: Entry[], figures: string }} promises
 */
export function listPromises(place, { words, figures }) {
  place.hidden = !words.length;
  /** @type {HTMLElement} */ (place.querySelector("span")).textContent = figures;
  /** @type {HTMLElement} */ (place.querySelector("ul")).replaceChildren(
    ...words.map(({ field, text }) => element("li", element("a", { href: `#${field}`, "data-field": field }, text))));
}

/**
 * Say at a field that nothing was saved because of it, and link to it from the top; the next save says all anew.
 *
 * @param {HTMLElement} place
 * @param {Entry} entry
 */
export function refuseField(place, { field, text }) {
  saved = new Map([...saved, [field, [text]]]);
  markFields(document);
  const old = place.querySelector("ul.faults");
  const list = element("ul.faults", element("li", element("a", { href: `#${field}`, "data-field": field }, text)), ...(old?.children ?? []));
  if (old) old.replaceWith(list);
  else place.prepend(list);
}

/** @param {{ field: string, text: string }[]} said @returns {Map<string, string[]>} */
function grouped(said) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { field, text } of said) found.set(field, [...found.get(field) ?? [], text]);
  return found;
}

/** @param {ParentNode} place */
export function markFields(place) {
  const faults = new Map([...saved, ...figures]); // the figures' answer is the newer one
  for (const field of place.querySelectorAll("[data-said]")) if (!faults.has(field.id)) clear(field);
  for (const [id, said] of faults) {
    const field = place.querySelector(`[id="${CSS.escape(id)}"]`);
    if (field) mark(field, said);
  }
}

/** @param {Element} field @param {string[]} said */
function mark(field, said) {
  const error = `${field.id}-error`;
  const words = said.join(" ");
  if (field.getAttribute("data-said") === words) return;
  clear(field);
  field.setAttribute("data-said", words);
  field.setAttribute("aria-describedby", [...described(field), error].join(" "));
  if (field.matches("input, textarea")) field.setAttribute("aria-invalid", "true");
  (field.matches("fieldset") ? field : field.closest(".field"))?.append(element("p.error", { id: error }, words));
}

/** What the server said when it drew the page goes too. @param {Element} field */
function clear(field) {
  const error = `${field.id}-error`;
  (field.matches("fieldset") ? field : field.closest(".field"))?.querySelector(`[id="${CSS.escape(error)}"]`)?.remove();
  field.removeAttribute("data-said");
  field.removeAttribute("aria-invalid");
  const others = described(field).filter((id) => id !== error);
  if (others.length) field.setAttribute("aria-describedby", others.join(" "));
  else field.removeAttribute("aria-describedby");
}

/** @param {Element} field */
const described = (field) => (field.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((id) => id && id !== `${field.id}-error`);
