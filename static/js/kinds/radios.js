/** Radios without a name, so that no form and no browser keeps them, that still behave as one group. */

import { element, words } from "../page/page.js";

/** @type {Radios} */
export function radios(options) {
  const inputs = options.map(([answer], index) => element("input", {
    type: "radio", autocomplete: "off", "data-answer": answer, "aria-describedby": "missing",
    "aria-posinset": index + 1, "aria-setsize": options.length }));
  group(inputs);
  return {
    inputs,
    nodes: options.map(([, label], index) => element("label.choice", /** @type {Node} */ (inputs[index]), element("span", label))),
    read() {
      const chosen = inputs.find((input) => input.checked);
      return chosen ? { answer: Number(chosen.dataset["answer"]) } : { problem: words("question.missing") };
    },
  };
}

/** What a shared name would give: one checked at most, one Tab stop, arrow keys in a ring. @type {Group} */
function group(radios) {
  /** @param {HTMLInputElement} [chosen] */
  const choose = (chosen) => {
    for (const [index, radio] of radios.entries()) {
      radio.checked = radio === chosen;
      radio.tabIndex = radio === chosen || (!chosen && index === 0) ? 0 : -1;
    }
  };
  choose();
  for (const [index, radio] of radios.entries()) {
    radio.addEventListener("change", () => choose(radio));
    radio.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = radios[(index + step + radios.length) % radios.length];
      choose(next);
      next?.focus();
      next?.dispatchEvent(new Event("input", { bubbles: true })); // as when it is pressed
    });
  }
}
