/** A slider beside each field of an epsilon. The field stays the truth: the slider writes into it and follows it. */

import { element } from "../page/page.js";
import { epsilonAt, LEAST, MOST, positionOf, STEPS } from "./scale.js";
import { numberOf } from "./typed.js";

/** @param {HTMLInputElement} field */
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
