/** The draft on the desk: what is typed, which panel is open, and everything of the page that is drawn from both. */

import { element, say } from "../page/page.js";
import { arrange, drawCard, drawStep, linesOf, makeCard, makeStep, mark } from "./cards.js";
import { regroup, templateOf } from "./arrangement.js";
import { countOf, forgetPlaces, markFields } from "./faults.js";
import { showLanguages, shownLanguages, tellUntranslated } from "./languages.js";
import { panelOf, PANELS, setValue } from "./model.js";
import { cloned, drawOptions, fill, fillParts, firstText, renumber, sayText } from "./panels.js";
import { drawPicture } from "./picture.js";
import { addSlider } from "./slider.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("editor"));
const source = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("typed"));
const openField = /** @type {HTMLInputElement} */ (form.elements.namedItem("open"));
const cards = /** @type {HTMLElement} */ (document.getElementById("cards"));
const outline = /** @type {HTMLElement} */ (document.getElementById("outline"));

export const desk = {
  form,
  state: /** @type {DraftState} */ (JSON.parse(source.value)),
  opened: openField.value,
  /** Every language that has fields. @type {string[]} */
  offered: (form.dataset["languages"] ?? "").split(",").filter(Boolean),
  /** What cards say of questions, by uid. @type {Map<string, import("./cards.js").Figures>} */
  figures: new Map(),
  /** Rises whenever a question has another place: an answer about places of before is of no use then. */
  version: 0,
};

Object.assign(PANELS, JSON.parse(form.dataset["panels"] ?? "{}"));

/** What is sent of the form is what is typed, whichever panel has fields. */
form.addEventListener("formdata", ({ formData }) => formData.set("typed", JSON.stringify(desk.state)));

/** Read what the server has written on the cards. */
export function readCards() {
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (cards.querySelectorAll(".slip[data-uid]"))) {
    const [epsilon = "", margin = ""] = [".epsilon-of", ".margin-of"].map((each) => card.querySelector(each)?.textContent ?? "");
    desk.figures.set(card.dataset["uid"] ?? "", { epsilon, margin });
  }
}

/** Draw cards and outline from what is typed. */
export function draw() {
  regroup(desk.state);
  const lines = linesOf(desk.state);
  const seen = { opened: desk.opened, codes: shownLanguages(form), figures: desk.figures, wrong: (/** @type {{ row: DraftRow }} */ { row }) => countOf(row.uid) };
  for (const each of cards.querySelectorAll(":scope > :not([data-uid])")) each.remove();
  arrange(cards, lines, makeCard, (node, line) => drawCard(node, line, seen));
  arrange(outline, lines, makeStep, (node, line) => drawStep(node, line, seen));
  if (!lines.length) cards.append(element("li.quiet", say("editor.no_questions")));
  for (const name of Object.keys(PANELS)) drawPanelLine(name);
  const most = desk.state.questions.length >= Number(form.dataset["most"]);
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".kinds"))) each.hidden = most;
  tellUntranslated(form, desk.state, desk.offered);
}

/** @param {string} name of a panel of the survey itself */
function drawPanelLine(name) {
  const open = desk.opened === name;
  const line = /** @type {HTMLButtonElement} */ (form.querySelector(`#panel-${name} > .line`));
  line.value = `show-${open ? "none" : name}`;
  line.ariaExpanded = String(open);
  mark(line, countOf(name));
  const step = /** @type {HTMLElement} */ (form.querySelector(`.outline [value=show-${name}]`));
  if (open) step.setAttribute("aria-current", "true");
  else step.removeAttribute("aria-current");
  mark(step, countOf(name));
  if (name === "start") {
    const text = line.querySelector(".text");
    const title = firstText(desk.state["title"], shownLanguages(form));
    if (text) text.textContent = title.text;
    sayText(/** @type {HTMLElement} */ (document.querySelector("h1")), title, document.querySelector(".eyebrow code")?.textContent ?? "");
  }
}

/** @param {string} panel @returns {HTMLElement | null} the card of a panel */
export const cardOf = (panel) => {
  const part = /^part-(\d+)$/.exec(panel);
  return document.getElementById(part ? `sections-${Number(part[1]) - 1}` : /^question-/.test(panel) ? panel : `panel-${panel}`);
};

/** The place of the question that is open, or -1. */
export const openQuestion = () => Number(/^question-(\d+)$/.exec(desk.opened)?.[1] ?? 0) - 1;

/** @returns {HTMLElement | null} the fields that are open */
export const openPanel = () => form.querySelector(".slip > .panel");

/**
 * Open a panel in the place of the one that was open; what stood in the window stays where it was.
 *
 * @param {string} panel
 * @param {string} [field] to put the focus into; without one it goes to the card
 */
export function open(panel, field) {
  const card = cardOf(panel);
  const anchor = card ?? cardOf(desk.opened);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  openPanel()?.remove();
  desk.opened = card ? panel : "none";
  openField.value = desk.opened;
  if (card) place(card, panel);
  draw();
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
  focus(field, anchor?.querySelector(".line") ?? null);
}

/** @param {string | undefined} field @param {Element | null} otherwise */
function focus(field, otherwise) {
  const found = field ? document.getElementById(field) : null;
  const target = /** @type {HTMLElement | null} */ (found?.matches("fieldset, div") ? found.querySelector("input:not([type=hidden]), textarea, select, button") : found);
  /** @type {HTMLElement | null} */ (target ?? otherwise)?.focus({ preventScroll: !target });
  (target ?? otherwise)?.scrollIntoView({ block: target ? "center" : "nearest", behavior: "instant" });
}

/** Put the fields of a panel into its card, filled. @param {HTMLElement} card @param {string} panel */
function place(card, panel) {
  const index = Number(/-(\d+)$/.exec(panel)?.[1] ?? 0) - 1;
  const kind = /^question-/.test(panel) ? templateOf(desk.state, index) : /^part-/.test(panel) ? "part" : panel;
  const node = cloned(kind);
  if (!node) return;
  if (index >= 0) renumber(node, index);
  fill(node, desk.state);
  card.append(node);
  dress(node, index);
}

/** Do for a panel what the page cannot know: its parts, options, sliders, languages and faults. @param {HTMLElement} node @param {number} index */
export function dress(node, index) {
  fillParts(node, desk.state, shownLanguages(form)[0] ?? "", (n) => say("editor.part", { n }));
  if (node.classList.contains("question")) {
    drawOptions(node, desk.state, index, desk.offered);
    edges(node, index);
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (node.querySelectorAll(".epsilon input:not([type=range])"))) addSlider(field);
    const box = /** @type {HTMLElement | null} */ (node.querySelector("[data-picture]"));
    const stored = desk.state.questions[index]?.["picture"];
    if (box && stored?.sha256) drawPicture(box, { ...stored, address: `${form.dataset["pictures"]}/${stored.sha256}` });
    const view = /** @type {HTMLDetailsElement | null} */ (node.querySelector("details.seen"));
    if (view) view.open = matchMedia("(min-width: 64rem)").matches;
  }
  showLanguages(form, node);
  markFields(node);
}

/** @param {Element} node @param {number} index */
function edges(node, index) {
  const [up, down] = /** @type {NodeListOf<HTMLButtonElement>} */ (node.querySelectorAll(".doing > .sign"));
  if (up) up.disabled = index === 0;
  if (down) down.disabled = index === desk.state.questions.length - 1;
}

/** After questions changed places: number the open panel anew, and draw. @param {string} panel the open one, by its new place */
export function rearranged(panel) {
  desk.version += 1;
  const node = openPanel();
  const index = Number(/-(\d+)$/.exec(panel)?.[1] ?? 0) - 1;
  desk.opened = panel;
  openField.value = panel;
  if (node && index >= 0) {
    renumber(node, index);
    if (node.classList.contains("question")) {
      edges(node, index);
      drawOptions(node, desk.state, index, desk.offered);
      showLanguages(form, node);
    }
    fillParts(node, desk.state, shownLanguages(form)[0] ?? "", (n) => say("editor.part", { n }));
  }
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  draw();
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

/** Take over what another source holds, such as this browser. @param {DraftState} state */
export function replaceAll(state) {
  desk.state = state;
  desk.version += 1;
  const panel = desk.opened;
  open("none");
  open(panel);
}

/**
 * Take over what somebody else has changed, while somebody is typing: fields that nobody else changed stay as they are.
 *
 * @param {DraftState} state
 * @param {readonly string[]} changed names of fields, and uids of rows
 */
export function join(state, changed) {
  const [kind = "", number] = desk.opened.split("-");
  const uid = openPanel()?.parentElement?.dataset["uid"];
  desk.state = state;
  forgetPlaces();
  const place = (kind === "part" ? state.sections : state.questions).findIndex((each) => each.uid === uid);
  const panel = uid === undefined ? desk.opened : place < 0 ? "none" : `${kind}-${place + 1}`;
  if (panel !== "none" && ![uid ?? "", ...(PANELS[desk.opened] ?? [])].some((each) => changed.includes(each))) return rearranged(panel);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = openPanel()?.contains(focused) ? focused?.id.replace(`s-${Number(number) - 1}-`, `s-${place}-`) : "";
  openPanel()?.remove();
  desk.version += 1;
  desk.opened = "none";
  draw();
  open(panel, field || undefined);
  if (focused?.isConnected) focused.focus({ preventScroll: true });
}

/** Take over what a field holds. @param {HTMLInputElement} field @returns {string} its name, or nothing where it is none of the draft */
export function take(field) {
  const { name, type } = field;
  if (!name || panelOf(name) === "none") return "";
  if (name === "languages") {
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=languages]"));
    setValue(desk.state, name, [...boxes].filter((each) => each.checked).map((each) => each.value));
  } else if (name.endsWith("-picture-sha256")) {
    // A picture comes with its type and size, which nobody types.
    for (const each of /** @type {NodeListOf<HTMLInputElement>} */ (field.parentElement?.querySelectorAll(":scope > input") ?? [])) setValue(desk.state, each.name, each.value);
  } else setValue(desk.state, name, type === "checkbox" ? field.checked : field.value);
  return name;
}
