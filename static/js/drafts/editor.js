/** The editor's page: what is typed is drawn and saved, and the server is asked what it means. */

import { island, say, speak } from "../page/page.js";
import { answerButtons, drop } from "./actions.js";
import { joinSection, placeOf } from "./arrangement.js";
import { changed, desk, draw, editor, fieldOf, focus, loaded, open, panelOf, part, whole } from "./desk.js";
import { addDragging } from "./dragging.js";
import { refuseField } from "./faults.js";
import { take } from "./fields.js";
import { asker } from "./figures.js";
import { handedOver, hold, letGo, whenSavedElsewhere } from "./held.js";
import { announce } from "./notices.js";
import { askAbout, tellJoined, tellOverruled, tellWay } from "./others.js";
import { takePictures } from "./picture.js";
import { changesOf } from "./rebase.js";
import { comeBack } from "./returning.js";
import { saver } from "./saver.js";
import { affected } from "./typed.js";
import { nodeAt, ownerOf, units } from "./units.js";

const standing = /** @type {HTMLElement} */ (editor.querySelector(".standing"));
const tokens = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=csrf_token]"));
const token = {
  get value() { return tokens[0]?.value ?? ""; },
  set value(next) { for (const field of tokens) field.value = next; },
};
const messages = island("messages");
speak(messages, Object.keys(messages), []);

const figures = asker(token, () => saving);

const saving = saver({
  address: () => editor.dataset["save"] ?? "",
  token,
  read: () => desk.draft,
  put(draft) {
    desk.draft = whole(draft);
    draw();
    figures.ask("all");
  },
  hold,
  letGo,
  tell,
  begin: figures.pause,
  end: figures.resume,
  saved(answer, joined) {
    const slug = location.pathname.split("/").at(-1) ?? "";
    if (answer.slug !== slug) rename(slug, answer.slug);
    tellJoined(answer, joined);
    figures.ask("problems", true);
    draw();
  },
  overruled: tellOverruled,
}, loaded);

/** The survey has another address: all that leads to it leads there. @param {string} before @param {string} after */
function rename(before, after) {
  const moved = (/** @type {string} */ address) => address.replace(new RegExp(`(?<=/surveys/)${before}(?=[/?#]|$)`), after);
  for (const name of ["href", "action", "data-save", "data-preview", "data-pictures"]) {
    for (const place of document.querySelectorAll(`[${name}]`)) place.setAttribute(name, moved(place.getAttribute(name) ?? ""));
  }
  letGo();
  history.replaceState(history.state, "", moved(location.href));
  /** @type {HTMLElement} */ (document.querySelector(".eyebrow code")).textContent = after;
}

/** @param {Standing} how @param {any} [answer] */
function tell(how, answer) {
  const text = say(`outline.standing.${how}`, { text: answer?.text ?? "", by: answer?.by ?? say("outline.conflict.somebody") });
  if (standing.textContent !== text) standing.textContent = text;
  standing.dataset["how"] = how;
  if (how === "changed") askAbout(answer, saving.base, (choices) => void saving.choose(choices));
  else if (how === "gone" || how === "frozen" || how === "second_factor") tellWay(how);
  else if (how === "refused" && answer.unit) refuseField(answer);
  else if (how === "saved") document.getElementById("way")?.remove();
  else if (!["waiting", "saving"].includes(how)) announce(text);
}

/** A link to a unit opens its panel. @param {string} unit @returns {boolean} */
function goTo(unit) {
  const panel = panelOf(unit);
  const field = fieldOf(document, unit);
  if (panel !== "none") open(panel, unit === panel ? undefined : unit);
  else if (field) focus(field);
  return panel !== "none" || field !== null;
}

/** Another page shows what is stored: what is typed is saved first, or one sees what stands before that. @param {() => void} go */
async function afterSave(go) {
  if (await saving.now()) return go();
  document.querySelector("#conflict, #way")?.scrollIntoView({ block: "nearest" });
}

answerButtons(() => void afterSave(() => announce(say("outline.standing.saved"))));
takePictures(token);
editor.addEventListener("changed", (event) => {
  const { about, calm } = /** @type {CustomEvent} */ (event).detail;
  saving.touch();
  if (about) figures.ask(about, calm);
});
editor.addEventListener("opened", () => { if (nodeAt(desk.draft, desk.opened)) figures.ask(desk.opened); });
editor.addEventListener("input", ({ target }) => {
  const unit = take(/** @type {HTMLInputElement} */ (target), desk.draft);
  if (unit.endsWith(".section")) joinSection(desk.draft, ownerOf(unit));
  const { about, calm } = affected(unit);
  if (unit) changed(["all", "total"].includes(about) || nodeAt(desk.draft, about) ? about : "", calm);
});
editor.addEventListener("change", ({ target }) => { if (target instanceof HTMLInputElement && target.name === "shown") draw(); });
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[data-unit], a[data-after-save]"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { unit } = link.dataset;
  if (unit === undefined ? !saving.isWaiting : !goTo(unit)) return;
  event.preventDefault();
  if (unit === undefined) void afterSave(() => location.assign(link.href));
});
part("plan-box").addEventListener("submit", (event) => {
  const plan = /** @type {HTMLFormElement} */ (event.target);
  event.preventDefault();
  void afterSave(() => {
    /** @type {HTMLInputElement} */ (plan.elements.namedItem("seen")).value = saving.hash;
    plan.submit();
  });
});
for (const id of ["cards", "outline"]) {
  const placeOfRow = (/** @type {Element} */ row) => placeOf(desk.draft.questions, /** @type {HTMLElement} */ (row).dataset["uid"]);
  addDragging(part(id), placeOfRow, (from, to) => drop(desk.draft.questions[from]?.uid ?? "", to));
}
const look = () => { if (document.visibilityState === "visible") saving.look(); };
for (const event of ["online", "focus"]) addEventListener(event, () => void (saving.isWaiting && !saving.isStuck && saving.now()));
addEventListener("pagehide", () => saving.leave());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") saving.leave();
  else look();
});
whenSavedElsewhere(look);
addEventListener("beforeunload", (event) => {
  // Only what could neither be saved nor held is asked about.
  if (saving.isWaiting && !saving.keep()) event.preventDefault();
});

desk.opened = desk.draft.questions[0]?.uid ?? "start";
editor.hidden = false;
draw();
figures.ask("all");
figures.ask("problems");
handedOver(({ document: draft }) => changesOf(saving.base, units(draft)).every(({ unit }) => unit === "slug"));
comeBack(saving);
goTo(location.hash.slice(1));
