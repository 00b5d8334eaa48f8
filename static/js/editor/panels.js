/** Panels and rows made from the page's templates: cloned, numbered, filled with what was typed. */

import { direction } from "../page/page.js";
import { valueOf } from "./model.js";

/** Attributes in which a field's name or a button's action stands. */
const NUMBERED = ["id", "name", "for", "value", "aria-describedby", "data-live", "data-seen", "data-picture"];

/** @param {string} id @returns {HTMLElement | null} what a template holds, once more */
export function cloned(id) {
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById(`new-${id}`));
  return /** @type {HTMLElement | null} */ (template?.content.firstElementChild?.cloneNode(true) ?? null);
}

/**
 * Give everything in a panel the number of its question or part.
 *
 * @param {Element} panel
 * @param {number} index
 */
export function renumber(panel, index) {
  for (const each of [panel, ...panel.querySelectorAll("*")]) {
    for (const name of NUMBERED) {
      const value = each.getAttribute(name);
      if (!value || (name === "value" && each.getAttribute("name") !== "action")) continue;
      const alone = name.startsWith("data-") ? value.replace(/\d+$/, String(index)) : value;
      const next = alone.replace(/\b(questions|sections)-\d+/g, `$1-${index}`)
        .replace(/^(up|down|copy|remove|place|option|line|inapplicable|picture|unpicture|remove-section|add-[a-z_]+-in)-\d+/, `$1-${index}`);
      if (next !== value) each.setAttribute(name, next);
    }
  }
  count(panel.querySelector(":scope > legend"), index);
  for (const each of panel.querySelectorAll(".doing .visually-hidden")) count(each, index);
  const place = /** @type {HTMLInputElement | null} */ (panel.querySelector("[name=to_place]"));
  if (place) place.value = String(index + 1);
}

/** Say another number in the words of an element. @param {Element | null} place @param {number} index */
function count(place, index) {
  for (const each of place?.childNodes ?? []) {
    if (each.nodeType === Node.TEXT_NODE) each.nodeValue = (each.nodeValue ?? "").replace(/\d+/, String(index + 1));
  }
}

/** Put what was typed into the fields. @param {ParentNode} place @param {DraftState} state */
export function fill(place, state) {
  for (const each of /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll("input[name], textarea[name], select[name]"))) {
    const value = valueOf(state, each.name);
    if (value === undefined) continue;
    if (each.type === "radio") each.checked = each.value === value;
    else if (each.type === "checkbox") each.checked = Array.isArray(value) ? value.includes(each.value) : value === true;
    else each.value = String(value);
  }
  for (const each of /** @type {NodeListOf<HTMLDetailsElement>} */ (place.querySelectorAll("details:not(.seen)"))) {
    if ([...each.querySelectorAll("textarea, input")].some((field) => /** @type {HTMLInputElement} */ (field).value)) each.open = true;
  }
}

/** The parts that a question can be in. @param {ParentNode} panel @param {DraftState} state @param {string} code @param {(n: number) => string} named */
export function fillParts(panel, state, code, named) {
  const select = /** @type {HTMLSelectElement | null} */ (panel.querySelector("select[name$='-section']"));
  if (!select) return;
  const chosen = valueOf(state, select.name);
  for (const each of [...select.options].slice(1)) each.remove();
  state.sections.forEach((row, n) => {
    select.add(new Option(`${named(n + 1)}: ${row["title"]?.[code] || row["id"]}`, String(n)));
  });
  select.value = String(chosen ?? "");
  /** @type {HTMLElement} */ (select.closest(".field")).hidden = !state.sections.length;
}

/** Draw the options of a question anew, as many as there are. @param {HTMLElement} panel @param {DraftState} state @param {number} index @param {string[]} codes */
export function drawOptions(panel, state, index, codes) {
  const list = panel.querySelector(".options-list");
  const question = state.questions[index];
  if (!list || !question) return;
  const prototype = optionOf(question["kind"]);
  for (const each of list.querySelectorAll(":scope > .option")) each.remove();
  const rows = /** @type {Record<string, string>[]} */ (question["options"]).map((texts, n, all) => {
    const row = /** @type {HTMLElement} */ (prototype.cloneNode(true));
    for (const each of [row, ...row.querySelectorAll("*")]) {
      for (const name of NUMBERED) {
        const value = each.getAttribute(name);
        if (!value || (name === "value" && each.getAttribute("name") !== "action")) continue;
        each.setAttribute(name, value.replace(/questions-\d+-options-\d+/g, `questions-${index}-options-${n}`)
          .replace(/^(up|down|remove)-\d+-\d+/, `$1-${index}-${n}`));
      }
      if (!each.firstElementChild) count(each, n);
    }
    for (const code of codes) texts[code] ??= "";
    const [up, down] = /** @type {NodeListOf<HTMLButtonElement>} */ (row.querySelectorAll(".sign"));
    if (up) up.disabled = n === 0;
    if (down) down.disabled = n === all.length - 1;
    fill(row, state);
    return row;
  });
  const after = list.querySelector(":scope > .hint");
  after?.after(...rows);
  const most = Number(/** @type {HTMLElement} */ (list).dataset["most"]);
  const add = /** @type {HTMLElement | null} */ (list.querySelector(":scope > .row-actions"));
  if (add) add.hidden = rows.length >= most;
}

/** @param {string} kind @returns {Element} one option, as its template has it */
function optionOf(kind) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(`new-${kind}`));
  return /** @type {Element} */ (template.content.querySelector(".option"));
}

/** The first text that there is, in these languages or another. @param {Record<string, string> | undefined} texts @param {readonly string[]} codes @returns {{ text: string, code: string }} */
export function firstText(texts = {}, codes = []) {
  const code = [...codes, ...Object.keys(texts)].find((each) => texts[each]?.trim()) ?? "";
  return { text: texts[code] ?? "", code };
}

/** Say a text of the survey at an element. @param {HTMLElement} place @param {{ text: string, code: string }} said @param {string} otherwise */
export function sayText(place, { text, code }, otherwise) {
  const shown = text || otherwise;
  if (place.textContent !== shown) place.textContent = shown;
  if (place.lang !== code) place.lang = code;
  if (code) place.dir = direction(code);
}
