/** What the page says of other people, and other windows, that save the same draft. */

import { element, say } from "../page/page.js";
import { leadingUnit } from "./arrangement.js";
import { linesOf, titleOf } from "./cards.js";
import { changed, desk, fieldOf, editor, panelOf, part } from "./desk.js";
import { templateNamed } from "./fields.js";
import { handOver } from "./held.js";
import { shownLanguages, textOf } from "./languages.js";
import { notify, press } from "./notices.js";
import { changesOf, replaced } from "./rebase.js";
import { fromUnits, isOrder, ownerOf, units } from "./units.js";

/**
 * Somebody else has changed the same: ask which version of each to keep.
 *
 * @param {{ by: string | null, conflicts: Conflict[], document: Draft }} answer
 * @param {Units} base what both began from
 * @param {(choices: Choices) => void} choose
 */
export function askAbout({ by, conflicts, document: stored }, base, choose) {
  /** Lines of a group go with the first, and a picture's format and size with its file. @param {string} unit */
  const asked = (unit) => {
    const leading = leadingUnit(desk.draft, unit.replace(/(\.picture)\.(type|width|height)$/, "$1.sha256"));
    return conflicts.some((conflict) => conflict.unit === leading) ? leading : unit;
  };
  const words = { mine: say("outline.conflict.mine"), theirs: by ? say("outline.conflict.of", { by }) : say("outline.conflict.theirs") };
  const version = (/** @type {Conflict} */ conflict, /** @type {"mine" | "theirs"} */ side) => element("div.version",
    element("label.choice", element("input", { type: "radio", name: conflict.unit, value: side, checked: side === "mine" }), " ", element("span", words[side])),
    conflict[side] === null ? element("p.quiet", say("outline.conflict.absent")) : element("p.preformatted", { dir: "auto" }, conflict[side] ?? ""));
  const choosing = element("form.versions", { autocomplete: "off" },
    ...conflicts.filter(({ unit }) => asked(unit) === unit).map((conflict) => element("fieldset.difference", element("legend", { dir: "auto" }, conflict.title),
      element("div.sides", version(conflict, "mine"), version(conflict, "theirs")))),
    element("p.toolbar", element("button.button.small", say("outline.conflict.button"))));
  choosing.addEventListener("submit", (event) => {
    event.preventDefault();
    notice.remove();
    const theirs = units(stored);
    const isAsked = (/** @type {UnitChange} */ { unit }) => conflicts.some((conflict) => `${unit}.`.startsWith(`${conflict.unit}.`));
    tellJoined({ by, own: false }, { mine: [], theirs: changesOf(base, theirs).filter((change) => !isAsked(change)), versions: [theirs, base] });
    const chosen = new FormData(choosing);
    choose(/** @type {Choices} */ (Object.fromEntries(conflicts.map(({ unit }) => [unit, chosen.get(asked(unit))]))));
  });
  const notice = notify("conflict", ".problem", say("outline.conflict.title", { by: by ?? say("outline.conflict.somebody") }), say("outline.conflict.text"), choosing);
}

/** There is a way out, and nothing typed is lost: say so where the faults are listed. @param {"gone" | "frozen" | "second_factor"} how what ends a draft, or stands before it */
export function tellWay(how) {
  if (how !== "second_factor") document.getElementById("ready")?.remove(); // there is no draft that could be complete
  const anew = () => {
    const left = /** @type {HTMLFormElement} */ (part("left"));
    /** @type {HTMLInputElement} */ (left.elements.namedItem("draft")).value = JSON.stringify(desk.draft);
    handOver();
    left.requestSubmit();
  };
  const out = how === "second_factor"
    ? element("a.button.small", { href: editor.dataset["factor"] ?? "", target: "_blank" }, say("outline.way.set_up"))
    : press(say("outline.way.anew"), anew);
  notify("way", ".problem", say(`outline.way.${how}`), say(`outline.way.${how}_text`), element("p.toolbar", out));
}

/** Somebody else has changed something else: it is in the draft now, and the page says what. @param {{ by: string | null, own: boolean }} answer @param {Joined} joined */
export function tellJoined({ by, own }, { mine, theirs, versions }) {
  if (own || !theirs.length) return;
  const who = by ? say("outline.joined.by", { by }) : say("outline.joined.somebody");
  show(who, say(mine.length ? "outline.joined.text" : "outline.joined.only"), { theirs: titles(theirs, versions), mine: titles(mine, versions) });
}

/**
 * Another window of the same person has changed the same: what was typed here stands, and the other comes back by a press.
 *
 * @param {{ conflicts: Conflict[] }} answer
 * @param {Units} theirs what the other window has saved
 */
export function tellOverruled({ conflicts }, theirs) {
  const back = () => {
    document.getElementById("joined")?.remove();
    desk.draft = fromUnits(replaced(units(desk.draft), theirs, conflicts.map(({ unit }) => unit)));
    changed("all");
  };
  show(say("outline.joined.own"), say("outline.joined.over"), { mine: conflicts.map(({ title }) => title) }, press(say("outline.joined.back"), back, ".plain"), " ");
}

/** @param {string} title @param {string} text @param {Record<string, string[]>} sides @param {(Node | string)[]} buttons */
function show(title, text, sides, ...buttons) {
  const list = Object.entries(sides).flatMap(([side, words]) => (
    words.length ? [element("dt", say(`outline.joined.${side}`)), ...words.map((name) => element("dd", { dir: "auto" }, name))] : []));
  const close = press(say("outline.close"), () => notice.remove(), ".plain");
  const notice = notify("joined", "", title, text, element("dl", ...list), element("p.toolbar", ...buttons, close));
}

/** What was changed, in words; a question is named once. @param {UnitChange[]} changes @param {Units[]} versions @returns {string[]} */
function titles(changes, versions) {
  const drafts = versions.map(fromUnits);
  const done = new Map(changes.map(({ unit, now }) => [unit, now === null ? "removed" : "added"]));
  const names = new Set(changes.map(({ unit }) => ownerOf(unit) || textOf(unit) || unit));
  return [...names].map((name) => {
    const words = nameOf(name, drafts);
    return ownerOf(name) && done.has(name) ? say(`outline.joined.${done.get(name)}`, { words }) : words;
  });
}

/** @param {string} name of a unit of the survey, or a node @param {Draft[]} drafts @returns {string} */
function nameOf(name, drafts) {
  if (isOrder(name)) return say(`outline.field.${name}`);
  const line = drafts.flatMap(linesOf).find(({ node }) => node.uid === name);
  if (line?.isSection) return say("editor.part", { n: line.number });
  if (line) return `${say("editor.question", { n: line.number })}: ${titleOf(line, shownLanguages(editor)).text}`;
  const panel = panelOf(name);
  const field = panel === "none" ? null : fieldOf(templateNamed(panel), name);
  const label = field?.querySelector("legend") ?? field?.closest("label")?.querySelector("span") ?? field?.closest(".field")?.querySelector("label");
  return label?.firstChild?.textContent ?? name;
}
