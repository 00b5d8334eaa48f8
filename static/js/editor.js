/** The editor's figures and the respondents' view follow what is typed. Without this script they follow each save. */

import { island } from "./definition.js";
import { asker } from "./editor/ask.js";
import { showFaults } from "./editor/faults.js";
import { seen } from "./editor/seen.js";
import { addSlider } from "./editor/slider.js";
import { speak } from "./language.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("editor"));
const status = /** @type {HTMLElement} */ (form.querySelector(".busy"));
const messages = island("messages");
const roomy = matchMedia("(min-width: 64rem)");
const ask = asker(form, show, (waiting) => {
  for (const part of form.querySelectorAll("[data-live]")) part.ariaBusy = String(waiting);
  status.textContent = waiting ? status.dataset["busy"] ?? "" : "";
});

/** @param {Document | null} answer */
function show(answer) {
  if (!answer) {
    // What stands there may be of other settings: better nothing than that.
    for (const part of form.querySelectorAll("[data-live]")) part.replaceChildren();
    for (const view of views()) view.hidden = true;
    status.textContent = status.dataset["failed"] ?? "";
    return;
  }
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-live]"))) {
    const name = part.dataset["live"] ?? "";
    form.querySelector(`[data-live="${name}"]`)?.replaceChildren(...part.childNodes);
    if (name !== "total") void view(name, answer.querySelector(`[data-entry="${name}"]`)?.textContent);
  }
  showFaults(answer);
}

/** @param {string} name @param {string | null | undefined} entry the question as it would be published */
async function view(name, entry) {
  const panel = /** @type {HTMLDetailsElement | null} */ (form.querySelector(`[data-seen="${name}"]`));
  const place = panel?.querySelector(".seen-question");
  if (!panel || !place) return;
  panel.hidden = !entry;
  panel.dataset["entry"] = entry ?? "";
  if (!entry) return place.replaceChildren();
  const nodes = await seen(JSON.parse(entry)).catch(() => []); // rather nothing than the picture of other settings
  if (panel.dataset["entry"] !== entry) return; // a newer one came while modules were fetched
  for (const odds of place.querySelectorAll("details.odds")) {
    for (const node of nodes) if (node instanceof HTMLDetailsElement) node.open = /** @type {HTMLDetailsElement} */ (odds).open;
  }
  place.replaceChildren(...nodes);
}

/** @returns {NodeListOf<HTMLDetailsElement>} */
const views = () => form.querySelectorAll("details.seen");

/** @param {Event} event */
function changed({ target }) {
  const { name = "" } = /** @type {HTMLInputElement} */ (target);
  if (name) ask(/^questions-(\d+)-/.exec(name)?.[1] ?? "all");
}

speak(messages, Object.keys(messages), []);
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(".epsilon input"))) addSlider(field);
for (const each of views()) each.open = roomy.matches;
form.addEventListener("input", changed);
ask("all");
