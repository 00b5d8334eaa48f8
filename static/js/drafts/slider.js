/** A slider beside each field of an epsilon. Equal steps multiply epsilon by the same factor, since 0.1 and 0.2 differ as much as 1 and 2. */

import { element } from "../page/page.js";
import { numberOf } from "./typed.js";

export const [LEAST, MOST] = [0.05, 10];
/** One press of an arrow key changes epsilon by about one per cent. */
export const STEPS = 500;

/** @param {number} position 0 to STEPS @returns {number} epsilon, with the digits that tell neighbours apart */
export function epsilonAt(position) {
  const share = Math.min(1, Math.max(0, position / STEPS));
  return Number((LEAST * (MOST / LEAST) ** share).toPrecision(3));
}

/** @param {number} epsilon @returns {number} the nearest position; an end where epsilon lies beyond it */
export function positionOf(epsilon) {
  const share = Math.log(Math.min(MOST, Math.max(LEAST, epsilon)) / LEAST) / Math.log(MOST / LEAST);
  return Math.round(STEPS * share);
}

/** The field stays the truth: the slider writes into it and follows it. @param {HTMLInputElement} field */
export function addSlider(field) {
  const label = field.labels?.[0]?.textContent ?? "";
  const slider = element("input.slider", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": label, autocomplete: "off" });
  const empty = /** @type {HTMLElement | null} */ (field.closest("[data-empty]"))?.dataset["empty"] ?? "";
  const say = () => { slider.ariaValueText = field.value.trim() || empty; };
  const follow = () => {
    const epsilon = Number(numberOf(field.value));
    slider.value = String(positionOf(epsilon > 0 ? epsilon : 1));
    say();
  };
  // The hint, and what is wrong with the field, are of the slider too.
  const describe = () => slider.setAttribute("aria-describedby", field.getAttribute("aria-describedby") ?? "");
  slider.addEventListener("input", () => {
    field.value = String(epsilonAt(slider.valueAsNumber));
    say();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", (event) => event.isTrusted && follow());
  field.addEventListener("filled", follow);
  follow();
  describe();
  new MutationObserver(describe).observe(field, { attributeFilter: ["aria-describedby"] });
  field.after(element("span.sliding", { "data-least": LEAST, "data-most": MOST }, slider));
}
