/** What pages are made of: elements, without markup in strings, and their words. */

/** @type {MakeElement} */
export function element(name, first = {}, ...rest) {
  const [tag = "", ...classes] = name.split(".");
  const node = /** @type {any} */ (document.createElement(tag));
  if (classes.length) node.className = classes.join(" ");
  const plain = typeof first === "object" && !(first instanceof Node);
  if (plain) assign(node, first);
  for (const child of plain ? rest : [/** @type {Child} */ (first), ...rest]) {
    if (typeof child === "function") child(node);
    else node.append(child);
  }
  return node;
}

/** @type {MakeDrawing} */
export function drawing(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  assign(node, attributes);
  node.append(...children);
  return node;
}

/** @type {Assign} */
function assign(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    // An empty aria-hidden hides nothing: ARIA writes "true".
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** @type {Island} */
export const island = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

// All languages are in the page: one is chosen, and another when somebody switches.

/** @type {Record<string, Messages>} the product's own messages */
let catalogues = {};
/** @type {readonly string[]} of the survey */
let codes = [];
/** @type {(() => void)[]} */
let fillers = [];

let shown = "en";

/** The language in which the survey is shown. A function, for what is exported never changes. */
export const code = () => shown;

/** @type {Speak} */
export function speak(messages, languages, wanted) {
  [catalogues, codes] = [messages, languages];
  shown = best(wanted, codes) ?? codes[0] ?? "en";
}

/** The language of the product's own words: the survey's, or the first that travels. */
export const own = () => best([shown], Object.keys(catalogues)) ?? Object.keys(catalogues)[0] ?? "en";

/** Scripts that run from right to left. */
const RIGHT_TO_LEFT = ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm"];

/** @param {string} lang */
export const direction = (lang) => (RIGHT_TO_LEFT.includes(new Intl.Locale(lang).maximize().script ?? "") ? "rtl" : "ltr");

/** @type {Say} */
export function say(key, values = {}) {
  let message = catalogues[own()]?.[key] ?? key;
  if (typeof message !== "string") {
    message = message[new Intl.PluralRules(own()).select(Number(values["n"]))] ?? message["other"] ?? key;
  }
  return message.replace(/\{(\w+)\}/g, (_, name) => isolated(String(values[name] ?? "")));
}

/** A survey's text that runs another way turns nothing else of the sentence. @param {string} text */
const isolated = (text) => (shown !== own() && direction(shown) !== direction(own()) || /[\u202a-\u202e]/.test(text) ? `\u2068${text}\u2069` : text);

/** The product's words, said again when the language changes. @type {Words} */
export const words = (key, values) => ours(() => say(key, values?.()));

/** What is said in the language of the product's words. @type {MakeFiller} */
export const ours = (read) => (node) => {
  filler(read)(node);
  live(() => {
    // Taken away, not left empty: an empty one says that nobody knows the language.
    if (own() === shown) node.removeAttribute("lang");
    else node.lang = own();
    if (direction(own()) === direction(shown)) node.removeAttribute("dir");
    else node.dir = direction(own());
  });
};

/** What shows texts with marks, where a survey has some: nodes.js. @type {Marks} */
export const marks = {};

/** @type {SayTexts} */
export const text = (texts) => marks.text?.(texts) ?? filler(() => texts[shown] ?? "");

/** @type {MakeFiller} */
export const filler = (read) => (node) => {
  const said = document.createTextNode("");
  node.append(said);
  live(() => { said.data = read(); });
};

/** A paragraph for every blank line; `inside` says what stands in it. @type {Paragraphs} */
export const paragraphs = (texts, inside = (part) => [part]) => (node) => live(() => {
  const said = texts[shown] ?? "";
  node.replaceChildren(...marks.blocks?.(said, inside) ?? said.split(/\n\s*\n/).map((part) => element("p", ...inside(part))));
});

/** @type {Live} */
export function live(work) {
  fillers.push(work);
  work();
}

/** @param {string} chosen */
export function choose(chosen) {
  shown = chosen;
  for (const fill of fillers) fill();
}

/** What was said on the last screen is not said again, but by whoever keeps what this returns. */
export function forget() {
  const said = fillers;
  fillers = [];
  return said;
}

/** @type {Hundredths} */
export function hundredths(share) {
  const part = ofHundred(share, 0.01);
  return part.toLocaleString(own(), { maximumFractionDigits: part < 1 || part > 99 ? 2 : 0 });
}

/** @type {OfHundred} */
export const ofHundred = (share, least) => (share % 1 ? Math.min(100 - least, Math.max(least, share * 100)) : share * 100);

/** Less the dust of binary fractions, which would round up as well. @type {Rarely} */
export const rarely = (chance) => (chance * (1 - 1e-12)).toLocaleString(own(), { maximumSignificantDigits: 2, roundingMode: "ceil" });

/** @type {Best} */
function best(wanted, offered) {
  for (const each of wanted) {
    const found = offered.find((other) => other === each) ?? offered.find((other) => other.split("-")[0] === each.split("-")[0]);
    if (found) return found;
  }
  return undefined;
}

/** Until the task that runs has ended: what is pressed meanwhile is not kept waiting. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

/** @param {Node[]} buttons */
export const actions = (...buttons) => element("div.toolbar", ...buttons);

/** @type {Button} */
export const button = (key, action, onclick, look = "") => element(
  `button.button${look}`, { type: "button", "data-action": action, onclick }, words(key));

/** What is folded is made when it is opened: hundreds of dots take longer than a press may. @type {Fold} */
export function fold(look, title, fill, open = false) {
  const place = element("div");
  const node = element(/** @type {"details"} */ (`details.${look}`), { open }, element("summary", title), place);
  let made = false;
  const make = () => {
    if (!made && node.open) place.append(...fill());
    made ||= node.open;
  };
  make();
  node.addEventListener("toggle", make);
  return node;
}
