/** A link to a picture, with all that is set in it and in the language of the page. */

import { copy } from "../page/copying.js";
import { settle } from "./controls/fragment.js";

/** @param {HTMLElement} offer holds a button, a field and a status */
function listen(offer) {
  const field = /** @type {HTMLInputElement} */ (offer.querySelector("input"));
  const status = /** @type {HTMLElement} */ (offer.querySelector("[role=status]"));
  offer.hidden = false;
  offer.querySelector("button")?.addEventListener("click", async () => {
    settle();
    const address = new URL(location.href);
    address.searchParams.set("language", document.documentElement.lang);
    field.value = address.href;
    field.hidden = false;
    status.textContent = offer.dataset[await copy(field, navigator.clipboard)] ?? "";
  });
}

for (const offer of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".copy-link"))) listen(offer);
