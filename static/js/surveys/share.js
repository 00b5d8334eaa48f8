/** The buttons of the share page: copy a field, or select it where there is no clipboard; print the poster. */

import { copy } from "../page/copying.js";

/** @param {Document} page @param {Pick<Navigator, "clipboard">} browser */
export function start(page, browser) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("[data-copies]"))) {
    const field = /** @type {HTMLInputElement} */ (page.getElementById(button.dataset["copies"] ?? ""));
    const status = /** @type {HTMLElement} */ (button.parentElement?.querySelector("[role=status]"));
    button.hidden = false;
    button.addEventListener("click", async () => {
      status.textContent = status.dataset[await copy(field, browser.clipboard)] ?? "";
    });
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("[data-prints]"))) {
    button.hidden = false;
    button.addEventListener("click", () => page.defaultView?.print());
  }
}

if (typeof document !== "undefined") start(document, navigator);
