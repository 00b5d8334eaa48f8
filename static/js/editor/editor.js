/** The editor's page at once: panels, figures, saving. Without this script everything is done by loading a page. */

import { island, say, speak } from "../page/page.js";
import { announce, answerButtons, drop, joined } from "./actions.js";
import { asker } from "./ask.js";
import { desk, draw, dress, join, open, openPanel, openQuestion, readCards, take } from "./desk.js";
import { listFaults, listPromises, readFaults, refuseField, showFaults } from "./faults.js";
import { handedOver, handOver, hold, letGo, whenSavedElsewhere } from "./held.js";
import { joinedWith } from "./joining.js";
import { tellConflict, tellJoined, tellWay } from "./others.js";
import { showLanguages } from "./languages.js";
import { panelOf } from "./model.js";
import { addDragging } from "./moving.js";
import { knowPicture, takePictures } from "./picture.js";
import { comeBack, lookAgain } from "./returning.js";
import { saver } from "./saving.js";
import { replace, seen } from "./seen.js";

const { form } = desk;
const status = /** @type {HTMLElement} */ (form.querySelector(".busy"));
const standing = /** @type {HTMLElement} */ (form.querySelector(".standing"));
const faults = /** @type {HTMLElement} */ (document.getElementById("faults"));
const promises = /** @type {HTMLElement} */ (document.getElementById("promises"));
const basis = /** @type {HTMLInputElement} */ (form.elements.namedItem("basis"));
const messages = island("messages");
/** Fields beside the questions that figures depend on: the margins of all of them, or the total alone. @type {Record<string, string>} */
const BESIDE = { respondents: "all", asked: "all", waves: "total", limit: "total" };
/** What the view of the open question shows. */
let entry = "";

speak(messages, Object.keys(messages), []);
readCards();
readFaults(faults, desk.state);

const { ask, pause, resume } = asker(form, show, (waiting) => {
  for (const part of form.querySelectorAll("[data-live], .seen")) part.ariaBusy = String(waiting);
  status.textContent = waiting ? status.dataset["busy"] ?? "" : "";
}, () => saving.waiting && !saving.stuck, () => desk.version);

const saving = saver({
  address: () => form.dataset["autosave"] ?? "",
  read: () => ({ basis: basis.value, typed: desk.state }),
  token: /** @type {HTMLInputElement} */ (form.elements.namedItem("csrf_token")),
  hold,
  letGo,
  tell,
  begin: pause,
  end: resume,
  saved(answer, sent) {
    if (answer.joined) {
      const both = joinedWith(desk.state, sent, answer.typed, answer.joined);
      if (!both) {
        // The next save begins from what was sent: what was taken back since is not somebody else's.
        basis.value = answer.joined.basis;
        return false;
      }
      join(both, Object.keys(answer.joined.theirs));
      ask("all");
      tellJoined(faults, answer.joined, () => changed("all"));
    }
    basis.value = answer.basis;
    form.dataset["autosave"] = answer.address;
    // Questions may have moved meanwhile; then the next answer is about where they stand now.
    if (!saving.dirty) {
      listFaults(faults, answer, desk.state);
      listPromises(promises, answer.promises);
    }
    draw();
    return true;
  },
});

/** @param {Document | null} answer @param {string} reason why there is none */
function show(answer, reason) {
  if (!answer) {
    // What stands there may be of other settings: better nothing than that.
    for (const part of form.querySelectorAll("[data-live]")) part.replaceChildren();
    hideView();
    status.textContent = status.dataset[reason] ?? "";
    return;
  }
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-live]"))) {
    const name = part.dataset["live"] ?? "";
    form.querySelector(`[data-live="${name}"]`)?.replaceChildren(...part.childNodes);
    if (name === String(openQuestion())) void view(answer.querySelector(`[data-entry="${name}"]`)?.textContent ?? "");
  }
  for (const { dataset } of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-card]"))) {
    desk.figures.set(dataset["card"] ?? "", { epsilon: dataset["epsilon"] ?? "", margin: dataset["margin"] ?? "" });
  }
  showFaults(answer);
  draw();
}

function hideView() {
  entry = "";
  const panel = /** @type {HTMLElement | null} */ (form.querySelector("details.seen"));
  if (panel) panel.hidden = true;
}

/** @param {string} next the question as it would be published */
async function view(next) {
  const panel = /** @type {HTMLDetailsElement | null} */ (form.querySelector("details.seen"));
  const place = panel?.querySelector(".seen-question");
  if (!panel || !place || (entry === next && place.firstChild)) return;
  entry = next;
  panel.hidden = !next;
  if (next) knowPicture(form, JSON.parse(next).picture);
  const nodes = next ? await seen(JSON.parse(next)).catch(() => []) : []; // rather nothing than the picture of other settings
  // Another may have come while modules were fetched.
  if (entry === next && place.isConnected) replace(place, nodes);
}

/** @param {string} what has changed: a question by its place, `all`, `total`, or a panel that was `opened` */
function changed(what) {
  if (what === "opened") {
    if (openQuestion() >= 0) ask(String(openQuestion()));
    return;
  }
  saving.touch();
  ask(what);
}

/** @param {Event} event */
function typed({ target }) {
  const field = /** @type {HTMLInputElement} */ (target);
  const name = take(field);
  if (!name) return;
  if (/^questions-\d+-section$/.test(name)) joined(openQuestion());
  draw();
  saving.touch();
  // Which questions are asked together decides how many people are asked each of them.
  const together = /^(questions-\d+-section|sections-\d+-always)$/.test(name);
  const what = together ? "all" : (/^questions-(\d+)-(?!id$)/.exec(name)?.[1] ?? BESIDE[name]);
  // Figures follow a slider at once; of texts there is only advice.
  if (what) ask(what, /^questions-\d+-(wording|note|help|options|unit|matrix_wording|picture)/.test(name));
}

/** @param {import("./saving.js").Standing} how @param {any} [answer] */
function tell(how, answer) {
  const text = say(`outline.standing.${how}`, { text: answer?.text ?? "", by: answer?.by ?? "" });
  if (standing.textContent !== text) standing.textContent = text;
  standing.dataset["how"] = how;
  if (how === "changed") tellConflict(faults, answer);
  else if (how === "gone" || how === "frozen" || how === "second_factor") tellWay(faults, how);
  else if (how === "refused" && answer.field) refuseField(faults, answer);
  else if (how === "saved") document.getElementById("way")?.remove();
  else if (!["waiting", "saving", "saved"].includes(how)) announce(text);
}

/** A link to a field opens its panel. @param {string} field @returns {boolean} */
function goTo(field) {
  const panel = panelOf(field);
  if (panel === "none") return false;
  open(panel, field === panel ? undefined : field);
  changed("opened");
  return true;
}

/** Buttons that go on to another page: what is typed is saved first, so that nothing is sent twice. @param {SubmitEvent} event */
async function submit(event) {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (saving.stuck) handOver();
  if (!saving.waiting || saving.stuck || form.dataset["leaving"]) return;
  event.preventDefault();
  if (await saving.now()) {
    form.dataset["leaving"] = "1";
    form.requestSubmit(button);
  }
}

answerButtons(changed, () => void saving.now().then((done) => done && announce(say("outline.standing.saved"))));
const panel = openPanel();
if (panel) dress(panel, openQuestion());
draw();
form.classList.add("scripted");
const lacking = faults.querySelector("details");
if (lacking && matchMedia("(max-width: 40rem)").matches) lacking.open = false; // the title says how many: the cards come first
form.addEventListener("input", typed);
form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "shown") return;
  showLanguages(form);
  draw();
});
form.addEventListener("submit", (event) => void submit(event));
takePictures(form);
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(":is(#faults, #promises) [data-field]"));
  if (link && goTo(link.dataset["field"] ?? "")) event.preventDefault();
});
for (const id of ["cards", "outline"]) {
  const list = /** @type {HTMLElement} */ (document.getElementById(id));
  const placeOf = (/** @type {Element} */ row) => desk.state.questions.findIndex(({ uid }) => uid === /** @type {HTMLElement} */ (row).dataset["uid"]);
  addDragging(list, placeOf, drop);
}
for (const event of ["online", "focus"]) addEventListener(event, () => void (saving.waiting && !saving.stuck && saving.now()));
addEventListener("pagehide", () => saving.leave());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") saving.leave();
  else void lookAgain({ basis, saving });
});
whenSavedElsewhere(() => { if (document.visibilityState === "visible") void lookAgain({ basis, saving }); });
addEventListener("beforeunload", (event) => {
  // Only what could neither be saved nor held is asked about.
  if (saving.waiting && !form.dataset["leaving"] && !saving.keep()) event.preventDefault();
});
const address = new URL(location.href);
handedOver(address.searchParams.has("saved"));
comeBack({ basis, before: faults, saving, ask: () => ask("all") });
if ("unsaved" in form.dataset) changed("all");
else changed("opened");
goTo(location.hash.slice(1));
address.searchParams.delete("saved"); // it was saved once: the page that is loaded again need not say so again
history.replaceState(history.state, "", address);
