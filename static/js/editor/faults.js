/** What is wrong with a field, said at the field. */

import { element } from "../page/page.js";

/** @param {Document} answer in which each fault names the field that it is about */
export function showFaults(answer) {
  /** @type {Map<string, string[]>} */
  const faults = new Map();
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-field]"))) {
    const id = each.dataset["field"] ?? "";
    faults.set(id, [...faults.get(id) ?? [], each.textContent ?? ""]);
  }
  for (const field of document.querySelectorAll("[data-said]")) if (!faults.has(field.id)) clear(field);
  for (const [id, said] of faults) {
    const field = document.getElementById(id);
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
  document.getElementById(error)?.remove();
  field.removeAttribute("data-said");
  field.removeAttribute("aria-invalid");
  const others = described(field).filter((id) => id !== error);
  if (others.length) field.setAttribute("aria-describedby", others.join(" "));
  else field.removeAttribute("aria-describedby");
}

/** @param {Element} field */
const described = (field) => (field.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((id) => id && id !== `${field.id}-error`);
