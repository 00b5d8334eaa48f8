/**
 * What a letter or a term means, beside it: under the pointer, after a tap, and by the keyboard. The sentences are those of the list at
 * the lesson's end. Letters are no tab stops, or there would be a hundred: one button at the head of each derivation shows all of its
 * letters. A term is one where it first stands, and looks like one.
 */

const list = /** @type {HTMLElement | null} */ (document.querySelector(".glossary"));
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const LETTER = "main :not(.glossary) [data-letter]";
const PROSE = "main :is(p, li, dd, figcaption)";
const ELSEWHERE = "a, button, summary, label, legend, math, svg, table, [data-show], .guess, .glossary, .sources, .turn, .eyebrow, .lede, .answer";

/** @type {Map<string, HTMLElement>} */
const entries = new Map();
for (const each of /** @type {NodeListOf<HTMLElement>} */ (list?.querySelectorAll("[data-entry]") ?? [])) {
  for (const name of (each.dataset["entry"] ?? "").split("|")) entries.set(name, each);
}

/** @param {Element} letter */
const entryOf = (letter) => entries.get(letter.getAttribute("data-letter") ?? "");

const meaning = document.createElement("div");
meaning.className = "meaning";
meaning.id = "meaning";
meaning.popover = "manual";
meaning.setAttribute("role", "tooltip");
document.body.append(meaning);

/** What the meaning stands beside. @type {Element | null} */
let beside = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

function hide() {
  clearTimeout(waiting);
  if (!beside) return;
  beside.removeAttribute("aria-describedby");
  if (beside.hasAttribute("aria-expanded")) beside.setAttribute("aria-expanded", "false");
  beside = null;
  meaning.hidePopover();
}

/** Put the meaning under what it explains, or over it where there is no room; in the window, whatever its size. */
function place() {
  if (!beside) return;
  const at = beside.getBoundingClientRect();
  if ((at.bottom < 0 || at.top > innerHeight) && beside !== document.activeElement) return hide();
  const { width, height } = meaning.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - width / 2, document.documentElement.clientWidth - width - 8));
  const below = at.bottom + 8 + height <= innerHeight || at.top < height + 8;
  const top = below ? at.bottom + 8 : at.top - height - 8;
  meaning.style.left = `${left}px`;
  meaning.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
}

/** @param {Element} explained @param {HTMLElement[]} shown */
function show(explained, shown) {
  clearTimeout(waiting);
  if (beside === explained) return;
  hide();
  const described = document.createElement("dl");
  described.append(...shown.map((entry) => entry.cloneNode(true)));
  meaning.replaceChildren(described);
  meaning.showPopover();
  beside = explained;
  if (explained.hasAttribute("aria-expanded")) explained.setAttribute("aria-expanded", "true");
  if (explained.matches("button")) explained.setAttribute("aria-describedby", meaning.id);
  place();
}

/** The letter or the term that an event concerns, and what explains it. @param {Event} event */
function explainedBy(event) {
  const target = /** @type {Element} */ (event.target);
  const letter = target.closest(LETTER);
  const term = /** @type {HTMLElement | null} */ (target.closest(".term"));
  const entry = letter ? entryOf(letter) : entries.get(term?.dataset["term"] ?? "");
  const explained = letter ?? term;
  return explained && entry ? { explained, entry } : null;
}

/** Wait a moment, so that a pointer on its way across a formula shows nothing. @param {() => void} act @param {number} milliseconds */
function later(act, milliseconds) {
  clearTimeout(waiting);
  waiting = setTimeout(act, milliseconds);
}

/** The letters of formulas, each once. @param {Element} within */
function lettersOf(within) {
  const shown = [...within.querySelectorAll("[data-letter]")].map(entryOf);
  return [...new Set(entries.values())].filter((entry) => shown.includes(entry));
}

/** Put a button before a derivation, which shows all of its letters. @param {Element} derivation */
function offer(derivation) {
  const shown = lettersOf(derivation);
  if (!shown.length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "letters";
  button.textContent = list?.dataset["shown"] ?? "";
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => (beside === button ? hide() : show(button, shown)));
  button.addEventListener("blur", hide);
  derivation.before(button);
}

/** Make a button of a term where the text first has it. @param {string} name @param {string[]} forms */
function mark(name, forms) {
  const escaped = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((shorter, longer) => longer.length - shorter.length);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![a-z])`, "iu");
  for (const paragraph of document.querySelectorAll(PROSE)) {
    if (paragraph.closest(ELSEWHERE)) continue;
    const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    for (let text = /** @type {Text | null} */ (texts.nextNode()); text; text = /** @type {Text | null} */ (texts.nextNode())) {
      const match = text.parentElement?.closest(ELSEWHERE) ? null : pattern.exec(text.data);
      if (!match) continue;
      const term = document.createElement("button");
      term.type = "button";
      term.className = "term";
      term.dataset["term"] = name;
      term.textContent = match[0];
      const rest = text.splitText(match.index);
      rest.data = rest.data.slice(match[0].length);
      rest.before(term);
      return;
    }
  }
}

if (entries.size) {
  for (const derivation of document.querySelectorAll("main .derivation")) offer(derivation);
  for (const [name, { dataset }] of entries) if (dataset["forms"]) mark(name, dataset["forms"].split("|"));

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const concerned = explainedBy(event);
    if (concerned) later(() => show(concerned.explained, [concerned.entry]), 120);
    else if (meaning.contains(/** @type {Node} */ (event.target))) clearTimeout(waiting);
    else if (beside && !beside.matches(".letters")) later(hide, 400);
    else clearTimeout(waiting);
  });
  document.addEventListener("click", (event) => {
    const concerned = explainedBy(event);
    if (concerned) show(concerned.explained, [concerned.entry]);
    else if (!(/** @type {Element} */ (event.target).closest(".meaning, .letters"))) hide();
  });
  main.addEventListener("focusin", (event) => {
    const concerned = explainedBy(event);
    if (concerned) show(concerned.explained, [concerned.entry]);
    else if (/** @type {Element} */ (event.target).matches(".formula:focus-visible")) {
      const shown = lettersOf(/** @type {Element} */ (event.target));
      if (shown.length) show(/** @type {Element} */ (event.target), shown);
    }
  });
  main.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  new ResizeObserver(place).observe(meaning); // its font may come after it
  for (const change of ["scroll", "resize"]) addEventListener(change, place, { passive: true });
}
