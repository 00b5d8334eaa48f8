/** The draft on the desk: what is typed, which panel is open, and everything of the page that is drawn from both. */

import { element, island, say } from "../page/page.js";
import { placeOf, templateOf, tidy } from "./arrangement.js";
import { drawCard, drawLink, drawStep, firstText, linesOf, makeCard, makeStep, mark, sayText } from "./cards.js";
import { countOf, markFields } from "./faults.js";
import { arrange, count, disable, drawOptions, fill, fillSections, makePanel, templateNamed } from "./fields.js";
import { showLanguages, shownLanguages, offerLanguages } from "./languages.js";
import { drawPicture } from "./picture.js";
import { addSlider } from "./slider.js";
import { nodeAt, ownerOf } from "./units.js";

export const editor = /** @type {HTMLElement} */ (document.getElementById("editor"));
/** @type {Loaded} */
export const loaded = island("draft");
/** Panels of the survey itself; each question and each section has one that is named by its uid. */
const OF_SURVEY = ["start", "plan", "end", "results"];

/** @param {Partial<Draft>} draft @returns {Draft} with both lists */
export const whole = (draft) => ({ sections: [], questions: [], ...draft });

export const desk = {
  draft: whole(structuredClone(loaded.document)),
  opened: "none",
  /** Whether somebody has chosen what is open. */
  isChosen: false,
  /** What cards say of questions, by uid. @type {Map<string, import("./cards.js").Figures>} */
  figures: new Map(),
};

/** @param {string} id @returns {HTMLElement} */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} uid @returns {DraftQuestion | undefined} */
export const questionAt = (uid) => desk.draft.questions.find((question) => question.uid === uid);

/** Whether a question shares the wheel of its section. @param {DraftQuestion} question */
const isLinked = ({ section }) => desk.draft.sections.some(({ uid, linked }) => uid === section && linked);

/** How many more questions a draft may have. */
export const room = () => Number(editor.dataset["most"]) - desk.draft.questions.length;

/** @param {string} panel @returns {HTMLElement | null} its card */
export const cardOf = (panel) => document.getElementById(OF_SURVEY.includes(panel) ? `panel-${panel}` : panel === "none" ? "" : panel);

/** @returns {HTMLElement | null} the fields that are open */
export const openPanel = () => editor.querySelector(".slip > .panel");

/** The field of a unit, or the group in which it stands. @param {ParentNode} place @param {string} unit @returns {HTMLElement | null} */
export function fieldOf(place, unit) {
  if (!unit) return null;
  return place.querySelector(`[id="${CSS.escape(unit)}"]`) ?? fieldOf(place, unit.slice(0, Math.max(0, unit.lastIndexOf("."))));
}

/** The panel in which a unit stands. @param {string} unit @returns {string} */
export function panelOf(unit) {
  const owner = ownerOf(unit);
  if (owner) return nodeAt(desk.draft, owner) ? owner : "none";
  return OF_SURVEY.find((name) => fieldOf(templateNamed(name), unit)) ?? "none";
}

/** The draft was changed: draw it, save it, and ask what it means. @param {string} about a question by its uid, `all`, `total`, or nothing that has figures @param {boolean} [calm] whether figures can wait */
export function changed(about, calm = false) {
  tidy(desk.draft);
  draw();
  editor.dispatchEvent(new CustomEvent("changed", { detail: { about, calm } }));
}

/** Draw all that is drawn from the draft. What stands there already stays. */
export function draw() {
  const { draft } = desk;
  offerLanguages(editor, draft);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const codes = shownLanguages(editor);
  const lines = linesOf(draft);
  const uids = lines.map(({ node }) => node.uid);
  const cards = arrange(part("cards"), uids, makeCard);
  const steps = arrange(part("outline"), uids, makeStep);
  if (!cardOf(desk.opened)) desk.opened = "none";
  const seen = { opened: desk.opened, codes, figures: desk.figures, faults: countOf };
  for (const [n, line] of lines.entries()) {
    drawCard(/** @type {HTMLElement} */ (cards[n]), line, seen);
    drawStep(/** @type {HTMLElement} */ (steps[n]), line, seen);
  }
  part("cards").querySelector(":scope > .quiet")?.remove();
  if (!lines.length) part("cards").append(element("li.quiet", say("editor.no_questions")));
  for (const kinds of /** @type {NodeListOf<HTMLElement>} */ (editor.querySelectorAll(".kinds"))) kinds.hidden = room() < 1;
  drawSurvey(codes);
  drawPanel(codes);
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

/** Draw the lines of the panels of the survey itself, and its title. @param {readonly string[]} codes */
function drawSurvey(codes) {
  for (const name of OF_SURVEY) {
    const line = /** @type {HTMLElement} */ (editor.querySelector(`#panel-${name} > .line`));
    line.ariaExpanded = String(desk.opened === name);
    mark(line, countOf(name));
    drawLink(/** @type {Element} */ (editor.querySelector(`.outline [data-panel=${name}] > .link`)), desk.opened === name, countOf(name));
  }
  const title = firstText(desk.draft["title"], codes);
  /** @type {HTMLElement} */ (editor.querySelector("#panel-start > .line .text")).textContent = title.text;
  sayText(/** @type {HTMLElement} */ (document.querySelector("h1")), title, document.querySelector(".eyebrow code")?.textContent ?? "");
}

/** Put the fields of the panel that is open into its card, and what is typed into them. @param {readonly string[]} codes */
function drawPanel(codes) {
  const { draft, opened } = desk;
  const card = cardOf(opened);
  const at = placeOf(draft.questions, opened);
  const template = at >= 0 ? templateOf(draft, at) : OF_SURVEY.includes(opened) ? opened : "part";
  const former = openPanel();
  const stays = former?.parentElement === card && former?.dataset["template"] === template;
  if (!stays) former?.remove();
  if (!card) return;
  const panel = stays && former ? former : makePanel(template, opened);
  if (!stays) card.append(panel);
  fillSections(panel, draft, codes[0] ?? "");
  const question = draft.questions[at];
  if (question) drawQuestion(panel, question, at);
  else count(panel.querySelectorAll(":scope > legend, .doing .visually-hidden"), placeOf(draft.sections, opened) + 1);
  fill(panel, draft);
  if (!stays) dress(panel);
  showLanguages(editor, panel);
  markFields(panel);
}

/** @param {HTMLElement} panel @param {DraftQuestion} question @param {number} at */
function drawQuestion(panel, question, at) {
  panel.classList.toggle("linked", isLinked(question));
  drawOptions(panel, question);
  count(panel.querySelectorAll(":scope > legend, .doing .visually-hidden"), at + 1);
  disable(/** @type {Element} */ (panel.querySelector(".doing")), at, desk.draft.questions.length);
  const place = /** @type {HTMLInputElement} */ (panel.querySelector("#to_place"));
  if (place.dataset["place"] !== String(at)) place.value = String(at + 1);
  place.dataset["place"] = String(at);
  const box = /** @type {HTMLElement | null} */ (panel.querySelector("[data-picture]"));
  if (box) drawPicture(box, question["picture"], editor.dataset["pictures"] ?? "");
}

/** Do what a panel needs once: what is written in folded texts is seen, and epsilon has its slider. @param {HTMLElement} panel */
function dress(panel) {
  for (const folded of /** @type {NodeListOf<HTMLDetailsElement>} */ (panel.querySelectorAll("details:not(.seen)"))) {
    folded.open = [...folded.querySelectorAll("textarea, input, img[src]")].some((field) => !("value" in field) || Boolean(field.value));
  }
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (panel.querySelectorAll(".epsilon input"))) addSlider(field);
  const view = /** @type {HTMLDetailsElement | null} */ (panel.querySelector("details.seen"));
  if (view) view.open = matchMedia("(min-width: 64rem)").matches;
}

/**
 * Open a panel in the place of the one that was open; what stood in the window stays where it was.
 *
 * @param {string} panel
 * @param {string} [unit] whose field gets the focus; without one the card gets it
 */
export function open(panel, unit) {
  const anchor = cardOf(panel) ?? cardOf(desk.opened);
  const top = anchor?.getBoundingClientRect().top ?? 0;
  Object.assign(desk, { opened: panel, isChosen: true });
  draw();
  if (anchor?.isConnected) scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
  const field = unit ? fieldOf(document, unit) : null;
  focus(field, (cardOf(panel) ?? anchor)?.querySelector(".line") ?? null);
  editor.dispatchEvent(new Event("opened"));
}

/** @param {HTMLElement | null} field or a group of them @param {HTMLElement | null} [otherwise] */
export function focus(field, otherwise = null) {
  const within = field?.matches("fieldset, div") ? [.../** @type {NodeListOf<HTMLElement>} */ (field.querySelectorAll("input:not([type=hidden]), textarea, select, button"))] : [field];
  const target = within.find((control) => control && !control.closest("[hidden]")) ?? otherwise;
  target?.focus({ preventScroll: target !== otherwise });
  target?.scrollIntoView({ block: target === otherwise ? "nearest" : "center", behavior: "instant" });
}
