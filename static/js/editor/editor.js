/** The editor's figures and the respondents' view follow what is typed. Without this script they follow each save. */

import { island, speak } from "../page/page.js";
import { asker } from "./ask.js";
import { showFaults } from "./faults.js";
import { switchLanguages } from "./languages.js";
import { guard } from "./leaving.js";
import { replace, seen } from "./seen.js";
import { knowPicture, takePictures } from "./picture.js";
import { addSlider } from "./slider.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("editor"));
const status = /** @type {HTMLElement} */ (form.querySelector(".busy"));
const messages = island("messages");
const roomy = matchMedia("(min-width: 64rem)");
/** Fields beside the questions that figures depend on: the margins of all of them, or the total alone. @type {Record<string, string>} */
const BESIDE = { respondents: "all", asked: "all", waves: "total", limit: "total" };
/** What each view shows. @type {Map<string, string>} */
const entries = new Map();

const ask = asker(form, show, (waiting) => {
  for (const part of form.querySelectorAll("[data-live], .seen")) part.ariaBusy = String(waiting);
  status.textContent = waiting ? status.dataset["busy"] ?? "" : "";
});

/** @param {Document | null} answer @param {string} reason why there is none */
function show(answer, reason) {
  if (!answer) {
    // What stands there may be of other settings: better nothing than that.
    for (const part of form.querySelectorAll("[data-live]")) part.replaceChildren();
    for (const view of views()) view.hidden = true;
    entries.clear();
    status.textContent = status.dataset[reason] ?? "";
    return;
  }
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-live]"))) {
    const name = part.dataset["live"] ?? "";
    form.querySelector(`[data-live="${name}"]`)?.replaceChildren(...part.childNodes);
    if (name !== "total") void view(name, answer.querySelector(`[data-entry="${name}"]`)?.textContent ?? "");
  }
  showFaults(answer);
}

/** @param {string} name @param {string} entry the question as it would be published */
async function view(name, entry) {
  const panel = /** @type {HTMLDetailsElement | null} */ (form.querySelector(`[data-seen="${name}"]`));
  const place = panel?.querySelector(".seen-question");
  if (!panel || !place || entries.get(name) === entry) return;
  entries.set(name, entry);
  panel.hidden = !entry;
  if (entry) knowPicture(form, JSON.parse(entry).picture);
  const nodes = entry ? await seen(JSON.parse(entry)).catch(() => []) : []; // rather nothing than the picture of other settings
  // Another may have come while modules were fetched.
  if (entries.get(name) === entry) replace(place, nodes);
}

/** @returns {NodeListOf<HTMLDetailsElement>} */
const views = () => form.querySelectorAll("details.seen");

/** @param {Event} event */
function changed({ target }) {
  const { name = "" } = /** @type {HTMLInputElement} */ (target);
  // Which questions are asked together decides how many people are asked each of them.
  const together = /^(questions-\d+-section|sections-\d+-always)$/.test(name);
  const what = together ? "all" : (/^questions-(\d+)-(?!id$)/.exec(name)?.[1] ?? BESIDE[name]);
  if (what) ask(what);
}

speak(messages, Object.keys(messages), []);
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(".epsilon input"))) addSlider(field);
for (const each of views()) each.open = roomy.matches;
form.addEventListener("input", changed);
switchLanguages(form);
takePictures(form);
guard(form);
ask("all");
