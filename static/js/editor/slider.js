/** A slider beside each field of an epsilon. The field stays the truth: the slider writes into it and follows it. */

import { element } from "../element.js";
import { epsilonAt, LEAST, MOST, positionOf, STEPS } from "./scale.js";

/** @param {HTMLInputElement} field */
export function addSlider(field) {
  const label = field.labels?.[0]?.textContent ?? "";
  const slider = element("input.slider", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": label, autocomplete: "off" });
  const follow = () => {
    const epsilon = Number(field.value);
    slider.value = String(positionOf(epsilon > 0 ? epsilon : 1));
    slider.ariaValueText = field.value;
  };
  slider.addEventListener("input", () => {
    field.value = String(epsilonAt(slider.valueAsNumber));
    slider.ariaValueText = field.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", (event) => event.isTrusted && follow());
  follow();
  field.after(element("span.sliding", { "data-least": LEAST, "data-most": MOST }, slider));
}
