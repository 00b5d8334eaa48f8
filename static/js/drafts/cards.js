/** A card of one line for each question and section, and the outline beside them: both are drawn from what is typed. */

import { direction, element, say } from "../page/page.js";
import { placeOf } from "./arrangement.js";

/** How many questions stand in a section, and their numbers. @typedef {{ n: number, numbers: string }} Inside */
/** @typedef {{ node: DraftNode, number: number, isSection: boolean, isInside: boolean, isLinked: boolean, inside?: Inside }} Line */

/** The lines of a draft: a section stands before the first of its questions, an empty one at the end. @param {Draft} document @returns {Line[]} */
export function linesOf({ questions, sections }) {
  /** @type {Line[]} */
  const lines = [];
  const waiting = new Set(sections);
  const add = (/** @type {DraftNode} */ section) => {
    waiting.delete(section);
    const own = [...questions.keys()].filter((n) => questions[n]?.section === section.uid).map((n) => n + 1);
    const [first = 0, last = 0] = [own[0], own.at(-1)];
    const inside = { n: own.length, numbers: own.length > 2 && last - first < own.length ? `${first}–${last}` : own.join(", ") };
    lines.push({ node: section, number: sections.indexOf(section) + 1, isSection: true, isInside: false, isLinked: Boolean(section["linked"]), inside });
  };
  for (const [n, question] of questions.entries()) {
    const section = sections[placeOf(sections, question.section)];
    if (section && waiting.has(section)) add(section);
    lines.push({ node: question, number: n + 1, isSection: false, isInside: Boolean(section), isLinked: Boolean(section?.["linked"]) });
  }
  waiting.forEach(add);
  return lines;
}

/** The first text that there is, in these languages or another. @param {Texts | undefined} texts @param {readonly string[]} codes */
export function firstText(texts = {}, codes = []) {
  const code = [...codes, ...Object.keys(texts)].find((language) => texts[language]?.trim()) ?? "";
  return { text: texts[code] ?? "", code };
}

/** Say a text of the survey at an element. @param {HTMLElement} place @param {{ text: string, code: string }} said @param {string} otherwise */
export function sayText(place, { text, code }, otherwise) {
  write(place, text || otherwise);
  for (const [name, value] of Object.entries({ lang: code, dir: code && direction(code) })) {
    if (value) place.setAttribute(name, value);
    else place.removeAttribute(name);
  }
}

/** What a line is called, without its number. @param {Line} line @param {readonly string[]} codes */
export const titleOf = ({ node, isSection }, codes) => firstText(isSection ? node["title"] : node["wording"], codes);

/** What a line is called that nobody has given a title: a section by its questions. @param {Line} line */
const untitled = ({ inside }) => say(!inside ? "outline.unworded" : inside.n ? "outline.questions" : "outline.empty", inside);

/** @typedef {{ epsilon: string, margin: string }} Figures */
/** @typedef {{ opened: string, codes: readonly string[], figures: Map<string, Figures>, faults: (panel: string) => number }} Seen */

/** @param {string} uid @returns {HTMLElement} */
export const makeCard = (uid) => element("li.slip", { id: uid, "data-panel": uid },
  element("button.line", { type: "button", "data-does": "show" }, element("span.number", ""), element("span.text", "")));

/** @param {HTMLElement} card @param {Line} line @param {Seen} seen */
export function drawCard(card, line, { opened, codes, figures, faults }) {
  const { node: { uid, kind = "yes_no", mechanism }, number, isSection, isInside, isLinked } = line;
  card.classList.toggle("of-part", isSection);
  card.classList.toggle("inside", isInside);
  const button = /** @type {HTMLButtonElement} */ (card.querySelector(":scope > .line"));
  button.ariaExpanded = String(uid === opened);
  write(button.querySelector(".number"), isSection ? say("editor.part", { n: number }) : String(number));
  const title = titleOf(line, codes);
  sayText(/** @type {HTMLElement} */ (button.querySelector(".text")), title, untitled(line));
  if (!isSection || isLinked) {
    if (!button.querySelector(".facts-line")) {
      button.append(element("span.facts-line", element("span.what", ""), " ", element("span.epsilon-of", ""), " ", element("span.margin-of", "")));
      // The handle is for fingers, which scroll anywhere else.
      if (!isSection) button.append(element("span.grip", { "aria-hidden": "true" }, "⠿"));
    }
    const { epsilon, margin } = figures.get(uid) ?? { epsilon: "", margin: "" };
    const device = mechanism && !isLinked ? [say(`editor.mechanism.${mechanism}.name`)] : [];
    write(button.querySelector(".what"), isSection ? say("editor.linking.card") : [say(`editor.kind.${kind}.name`), ...device].join(" · "));
    write(button.querySelector(".epsilon-of"), epsilon);
    write(button.querySelector(".margin-of"), margin);
  } else button.querySelector(".facts-line")?.remove();
  mark(button, faults(uid));
}

/** @param {string} uid @returns {HTMLElement} */
export const makeStep = (uid) => element("li", { "data-panel": uid }, element("button.link", { type: "button", "data-does": "outline" }, element("span", "")));

/** @param {HTMLElement} step @param {Line} line @param {Seen} seen */
export function drawStep(step, line, { opened, codes, faults }) {
  const { node: { uid }, number, isSection, isInside } = line;
  step.className = isSection ? "of-part" : isInside ? "inside" : "";
  const { text } = titleOf(line, codes);
  const named = say("editor.part", { n: number });
  const words = `${isSection ? `${named}:` : `${number} `} ${text || untitled(line)}`;
  drawLink(/** @type {Element} */ (step.firstElementChild), uid === opened, faults(uid), words);
}

/** @param {Element} link of the outline @param {boolean} isOpen @param {number} faults @param {string} [words] */
export function drawLink(link, isOpen, faults, words) {
  if (words !== undefined) write(link.firstElementChild, words);
  if (isOpen) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
  mark(link, faults);
}

/** @param {Element | null} place @param {string} text */
function write(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Mark what is wrong, to the eye and in words. @param {Element} place @param {number} n */
export function mark(place, n) {
  place.querySelector(":scope > .mark-wrong")?.remove();
  if (n) place.append(element("span.mark-wrong", element("span", { "aria-hidden": "true" }, "▲"), element("span.visually-hidden", say("outline.faults", { n }))));
}
