/** What this browser kept of drafts that cannot be edited any more: it becomes a new draft, by the page that offers that. */

import { everything, handOver, letGo } from "./held.js";

const blank = document.getElementById("stranded");
const listed = [...document.querySelectorAll("#surveys a")].map((link) => /** @type {HTMLAnchorElement} */ (link).pathname);
const here = blank instanceof HTMLTemplateElement && "here" in blank.dataset;

if (blank instanceof HTMLTemplateElement) {
  for (const each of everything()) if (here ? each.path === location.pathname : !listed.includes(each.path)) offer(blank, each);
}

/** @param {HTMLTemplateElement} template @param {import("./held.js").Left} kept */
function offer(template, kept) {
  const notice = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (template.content.firstElementChild).cloneNode(true));
  const form = /** @type {HTMLFormElement} */ (notice.querySelector("form"));
  const put = (/** @type {string} */ name, /** @type {string} */ value) => { /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value; };
  form.action = kept.path;
  put("basis", kept.basis);
  put("typed", JSON.stringify(kept.typed));
  form.addEventListener("submit", () => handOver(kept.key));
  /** @type {HTMLElement} */ (notice.querySelector("code")).textContent = decodeURIComponent(kept.path.split("/").at(-1) ?? "");
  notice.querySelector("[type=button]")?.addEventListener("click", () => {
    notice.remove();
    letGo(kept.key);
  });
  template.before(notice);
}
