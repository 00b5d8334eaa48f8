/** A card of one line for each question and part, and the outline beside them: both are drawn from what is typed. */

import { element, say } from "../page/page.js";
import { firstText, sayText } from "./panels.js";

/** @typedef {{ panel: string, index: number, row: DraftRow, part: boolean, inside: boolean }} Line */

/** The lines of a draft: a part stands before the first of its questions, an empty one at the end. @param {DraftState} state @returns {Line[]} */
export function linesOf({ questions, sections }) {
  /** @type {Line[]} */
  const lines = [];
  const unnamed = new Set(sections.keys());
  const part = (/** @type {number} */ index) => {
    unnamed.delete(index);
    return { panel: `part-${index + 1}`, index, row: /** @type {DraftRow} */ (sections[index]), part: true, inside: false };
  };
  questions.forEach((row, index) => {
    const place = Number(row["section"] || -1);
    if (unnamed.has(place)) lines.push(part(place));
    lines.push({ panel: `question-${index + 1}`, index, row, part: false, inside: place >= 0 && place < sections.length });
  });
  return [...lines, ...[...unnamed].map(part)];
}

/**
 * Put rows into a list, keeping the nodes of those that are there already.
 *
 * @param {Element} list
 * @param {readonly Line[]} lines
 * @param {(line: Line) => HTMLElement} make
 * @param {(node: HTMLElement, line: Line) => void} draw
 */
export function arrange(list, lines, make, draw) {
  const kept = new Map([...list.children].map((each) => [/** @type {HTMLElement} */ (each).dataset["uid"], /** @type {HTMLElement} */ (each)]));
  lines.forEach((line, n) => {
    const node = kept.get(line.row.uid) ?? make(line);
    kept.delete(line.row.uid);
    node.dataset["uid"] = line.row.uid;
    draw(node, line);
    if (list.children[n] !== node) list.insertBefore(node, list.children[n] ?? null);
  });
  for (const each of kept.values()) each.remove();
}

/** @typedef {{ epsilon: string, margin: string }} Figures */
/** @typedef {{ opened: string, codes: readonly string[], figures: Map<string, Figures>, wrong: (line: Line) => number }} Seen */

/** @param {Line} line @returns {HTMLElement} */
export const makeCard = ({ part }) => element("li.slip",
  element("button.line", { name: "action" },
    element("span.number", ""),
    element("span.text", ""),
    ...(part ? [] : [element("span.facts-line", element("span.what", ""), " ", element("span.epsilon-of", ""), " ", element("span.margin-of", ""))])),
);

/** @param {HTMLElement} node @param {Line} line @param {Seen} seen */
export function drawCard(node, line, { opened, codes, figures, wrong }) {
  const { panel, index, row, part, inside } = line;
  const open = panel === opened;
  node.id = part ? `sections-${index}` : panel;
  node.classList.toggle("of-part", part);
  node.classList.toggle("inside", inside);
  const button = /** @type {HTMLButtonElement} */ (node.querySelector(":scope > .line"));
  button.value = `show-${open ? "none" : panel}`;
  button.ariaExpanded = String(open);
  write(button, ".number", part ? say("editor.part", { n: index + 1 }) : String(index + 1));
  const text = /** @type {HTMLElement} */ (button.querySelector(".text"));
  const title = firstText(part ? row["title"] : row["wording"], codes);
  sayText(text, part && !title.text ? { text: row["id"] ?? "", code: "" } : title, part ? "" : say("outline.unworded"));
  if (!part) {
    const figure = figures.get(row.uid);
    write(button, ".what", `${say(`editor.kind.${row["kind"]}.name`)} · ${say(`editor.mechanism.${row["mechanism"]}.name`)}`);
    write(button, ".epsilon-of", figure?.epsilon ?? "");
    write(button, ".margin-of", figure?.margin ?? "");
    if (!button.querySelector(".grip")) button.append(element("span.grip", { "aria-hidden": "true" }, "⠿")); // for fingers, which scroll anywhere else
  }
  mark(button, wrong(line));
}

/** @returns {HTMLElement} */
export const makeStep = () => element("li", element("button.link", { name: "action" }, element("span", "")));

/** @param {HTMLElement} node @param {Line} line @param {Seen} seen */
export function drawStep(node, { panel, index, row, part, inside }, { opened, codes, wrong }) {
  node.className = part ? "of-part" : inside ? "inside" : "";
  const button = /** @type {HTMLButtonElement} */ (node.firstElementChild);
  button.value = `show-${panel}`;
  if (panel === opened) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
  const { text } = firstText(part ? row["title"] : row["wording"], codes);
  const named = say("editor.part", { n: index + 1 });
  write(button, "span", part ? (text || row["id"] ? `${named}: ${text || row["id"]}` : named) : `${index + 1}  ${text || say("outline.unworded")}`);
  mark(button, wrong({ panel, index, row, part, inside }));
}

/** @param {Element} place @param {string} selector @param {string} text */
function write(place, selector, text) {
  const node = place.querySelector(selector);
  if (node && node.textContent !== text) node.textContent = text;
}

/** Mark what is wrong, to the eye and in words. @param {Element} place @param {number} n */
export function mark(place, n) {
  place.querySelector(":scope > .mark-wrong")?.remove();
  if (n) place.append(element("span.mark-wrong", element("span", { "aria-hidden": "true" }, "▲"), element("span.visually-hidden", say("outline.faults", { n }))));
}
