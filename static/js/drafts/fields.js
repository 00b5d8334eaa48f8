/** Panels made from the page's templates. A field has the unit that it holds as its name. */

import { say } from "../page/page.js";
import { placeOf } from "./arrangement.js";
import { numberOf, shownAs, tableOf } from "./typed.js";
import { isEmpty, isSame, setUnit, valueOf } from "./units.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

/** Attributes in which units stand. */
const NAMED = ["id", "name", "for", "aria-describedby"];

/** @param {string} name @returns {HTMLElement} what the template holds */
export const templateNamed = (name) => /** @type {HTMLElement} */ (/** @type {HTMLTemplateElement} */ (document.getElementById(`new-${name}`)).content.firstElementChild);

/** @param {Element} prototype @param {string} standIn for the node that it is of @param {string} node @returns {HTMLElement} */
function cloned(prototype, standIn, node) {
  const clone = /** @type {HTMLElement} */ (prototype.cloneNode(true));
  for (const element of [clone, ...clone.querySelectorAll("*")]) {
    for (const name of NAMED) {
      const value = element.getAttribute(name);
      if (value?.includes(standIn)) element.setAttribute(name, value.replace(new RegExp(`\\b${standIn}(?=\\.|$)`, "g"), node));
    }
  }
  return clone;
}

/** @param {string} template @param {string} panel the uid of its node, or a name @returns {HTMLElement} */
export function makePanel(template, panel) {
  const made = cloned(templateNamed(template), "node", panel);
  made.dataset["template"] = template;
  for (const option of made.querySelectorAll(".option")) option.remove();
  return made;
}

/** @param {ParentNode} place @returns {Map<string, Control[]>} the controls of each unit */
function controlsIn(place) {
  /** @type {Map<string, Control[]>} */
  const controls = new Map();
  for (const control of /** @type {NodeListOf<Control>} */ (place.querySelectorAll(":is(input, textarea, select)[name]"))) {
    if (!control.closest(".seen")) controls.set(control.name, [...controls.get(control.name) ?? [], control]);
  }
  return controls;
}

/** @param {Control} control @returns {boolean} whether it is ticked or chosen; a field that is typed into is neither */
const isTicked = (control) => control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type) && control.checked;

/** @param {Control} control @returns {unknown} what one of them says */
function said(control) {
  const reads = /** @type {HTMLElement | null} */ (control.closest("[data-reads]"))?.dataset["reads"];
  if (control.type === "checkbox") return isTicked(control) && (control.value === "true" || (reads === "number" ? numberOf(control.value) : control.value));
  return reads === "number" ? numberOf(control.value) : reads === "table" ? tableOf(control.value) : control.value.trim();
}

/** The value of a unit: of a box that is ticked, what stands beside it, if something does. @param {Control[]} controls @returns {unknown} */
function read(controls) {
  const [first, beside] = /** @type {[Control, Control?]} */ (controls);
  if (first.type === "radio") return controls.find(isTicked)?.value;
  if (first.closest("[data-reads=list]")) return controls.map(said).filter(Boolean);
  return beside && said(first) ? said(beside) || true : said(first);
}

/** @param {Control[]} controls @param {unknown} value that of the template where there is none */
function write(controls, value) {
  const [first, beside] = /** @type {[Control, Control?]} */ (controls);
  for (const control of controls) {
    if (!(control instanceof HTMLInputElement) || !/^(checkbox|radio)$/.test(control.type)) {
      control.value = isEmpty(value) && "defaultValue" in control ? control.defaultValue : shownAs(value === true ? "" : value);
    } else if (Array.isArray(value)) control.checked = value.includes(control.value);
    else if (control.type === "checkbox") control.checked = (beside && control === first) || Number(value) > 0 ? !isEmpty(value) : String(value) === control.value;
    else control.checked = isEmpty(value) ? control.defaultChecked : control.value === value;
    control.dispatchEvent(new Event("filled"));
  }
}

/** Put the draft into fields that hold something else: whoever types into another keeps the caret. @param {ParentNode} place @param {Draft} draft */
export function fill(place, draft) {
  for (const [unit, controls] of controlsIn(place)) {
    const value = valueOf(draft, unit);
    if (!isSame(read(controls), value)) write(controls, value);
  }
}

/** Take over what a field holds. @param {Control} field @param {Draft} draft @returns {string} its unit; empty where it is none of the draft */
export function take(field, draft) {
  const panel = field.closest(".panel");
  const controls = panel && field.name ? controlsIn(panel).get(field.name) : undefined;
  if (!controls) return "";
  const [box, beside] = /** @type {[Control, Control?]} */ (controls);
  // A box and what stands beside it go together.
  if (box.type === "checkbox" && box instanceof HTMLInputElement && controls.length === 2 && !box.closest("[data-reads=list]")) {
    if (field === beside && said(field)) box.checked = true;
    else if (field === box && !box.checked && beside) write([beside], undefined);
  }
  setUnit(draft, field.name, read(controls));
  return field.name;
}

/** Say another number in the words of elements. @param {Iterable<Element>} elements @param {number} n */
export function count(elements, n) {
  for (const element of elements) {
    for (const node of element.childNodes) if (node instanceof Text && /\d/.test(node.data)) node.data = node.data.replace(/\d+/, String(n));
  }
}

/**
 * Put rows into a list in an order; those that are there already stay the same nodes.
 *
 * @param {Element} list
 * @param {readonly string[]} uids
 * @param {(uid: string) => HTMLElement} make
 * @param {Element | null} [above] what stands before the first
 * @returns {HTMLElement[]}
 */
export function arrange(list, uids, make, above = null) {
  const rows = new Map(/** @type {HTMLElement[]} */ ([...list.children]).flatMap((row) => (row.dataset["uid"] ? [[row.dataset["uid"], row]] : [])));
  for (const [uid, row] of rows) if (!uids.includes(uid)) row.remove();
  let last = above;
  return uids.map((uid) => {
    const row = rows.get(uid) ?? make(uid);
    row.dataset["uid"] = uid;
    const next = last ? last.nextElementSibling : list.firstElementChild;
    if (next !== row) list.insertBefore(row, next);
    last = row;
    return row;
  });
}

/** Draw as many options as a question has. @param {HTMLElement} panel @param {DraftQuestion} question */
export function drawOptions(panel, { uid, kind, options = [] }) {
  const list = /** @type {HTMLElement | null} */ (panel.querySelector(".options-list"));
  if (!list) return;
  const prototype = /** @type {Element} */ (templateNamed(String(kind)).querySelector(".option"));
  const rows = arrange(list, options.map((option) => option.uid), (option) => cloned(prototype, "node.option", `${uid}.${option}`), list.querySelector(":scope > .hint"));
  for (const [n, row] of rows.entries()) {
    count(row.querySelectorAll("legend, label, .visually-hidden"), n + 1);
    disable(row, n, rows.length);
  }
  /** @type {HTMLElement} */ (list.querySelector(":scope > .row-actions")).hidden = rows.length >= Number(list.dataset["most"]);
}

/** What is first or last goes no further. @param {ParentNode} place @param {number} n @param {number} length */
export function disable(place, n, length) {
  const [up, down] = /** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll("[data-does=up], [data-does=down]"));
  if (up) up.disabled = n === 0;
  if (down) down.disabled = n === length - 1;
}

/** The sections that a question can be in. @param {ParentNode} panel @param {Draft} draft @param {string} code */
export function fillSections(panel, { questions, sections }, code) {
  const select = /** @type {HTMLSelectElement | null} */ (panel.querySelector("select[name$='.section']"));
  if (!select) return;
  const words = sections.map(({ id, title }, n) => `${say("editor.part", { n: n + 1 })}: ${title?.[code] || (id ?? "")}`);
  if (!isSame([...select.options].slice(1).map(({ text }) => text), words)) {
    select.replaceChildren(.../** @type {Node[]} */ ([select.options[0]]), ...words.map((text) => new Option(text)));
  }
  for (const [n, { uid }] of sections.entries()) /** @type {HTMLOptionElement} */ (select.options[n + 1]).value = uid;
  select.value = questions[placeOf(questions, select.name.split(".")[0])]?.section ?? "";
  /** @type {HTMLElement} */ (select.closest(".field")).hidden = !sections.length;
}
