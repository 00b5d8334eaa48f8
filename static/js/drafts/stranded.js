/** What this browser kept of drafts that cannot be edited any more: a press makes a new draft of it. */

import { everything, handOver, letGo } from "./held.js";

const blank = document.getElementById("stranded");
const listed = [...document.querySelectorAll("#surveys a")].map((link) => /** @type {HTMLAnchorElement} */ (link).pathname);
const isHere = blank instanceof HTMLTemplateElement && "here" in blank.dataset;

if (blank instanceof HTMLTemplateElement) {
  for (const held of everything()) if (isHere ? held.path === location.pathname : !listed.includes(held.path)) offer(blank, held);
}

/** @param {HTMLTemplateElement} template @param {import("./held.js").Left} held */
function offer(template, held) {
  const notice = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (template.content.firstElementChild).cloneNode(true));
  const form = /** @type {HTMLFormElement} */ (notice.querySelector("form"));
  /** @type {HTMLInputElement} */ (form.elements.namedItem("draft")).value = JSON.stringify(held.document);
  form.addEventListener("submit", () => handOver(held.key));
  /** @type {HTMLElement} */ (notice.querySelector("code")).textContent = decodeURIComponent(held.path.split("/").at(-1) ?? "");
  notice.querySelector("[type=button]")?.addEventListener("click", () => {
    notice.remove();
    letGo(held.key);
  });
  template.before(notice);
}
