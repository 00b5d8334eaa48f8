/** What is typed into a draft, by the names of its fields: `questions-0-options-2-en` is a text of an option. */

/** Fields whose name is not that of the value. @type {Record<string, string>} */
const NAMES = { languages: "languages_" };

/**
 * Where the value of a field stands in the state: keys and places, one after the other.
 *
 * @param {string} name of a field
 * @returns {(string | number)[]}
 */
export function pathOf(name) {
  // A language has hyphens too (zh-Hant): it is all that is left where only a text can stand.
  const row = /^(questions|sections)-(\d+)-(.+)$/.exec(name);
  if (row) return [String(row[1]), Number(row[2]), ...inner(String(row[3]))];
  return name in NAMES ? [String(NAMES[name])] : inner(name);
}

/** @param {string} rest @returns {(string | number)[]} */
function inner(rest) {
  const picture = /^picture-(?:alt-(.+)|([a-z0-9]+))$/.exec(rest);
  if (picture) return picture[1] ? ["picture", "alt", picture[1]] : ["picture", String(picture[2])];
  const option = /^([a-z_]+)-(\d+)-(.+)$/.exec(rest);
  if (option) return [String(option[1]), Number(option[2]), String(option[3])];
  const text = /^([a-z_]+)-(.+)$/.exec(rest);
  return text ? [String(text[1]), String(text[2])] : [rest];
}

/** @param {DraftState} state @param {string} name @returns {unknown} what a field holds */
export function valueOf(state, name) {
  return pathOf(name).reduce((/** @type {any} */ value, key) => value?.[key], state);
}

/** @param {DraftState} state @param {string} name @param {unknown} value */
export function setValue(state, name, value) {
  const path = pathOf(name);
  const last = /** @type {string} */ (path.pop());
  const place = path.reduce((/** @type {any} */ each, key) => (each[key] ??= {}), state);
  place[last] = value;
}

/** The panel in which a field stands. @param {string} name @returns {string} */
export function panelOf(name) {
  const row = /^(questions|sections)-(\d+)(-|$)/.exec(name);
  if (row) return `${row[1] === "questions" ? "question" : "part"}-${Number(row[2]) + 1}`;
  if (/^(question|part)-\d+$/.test(name)) return name;
  const key = name.split("-")[0] ?? "";
  return Object.keys(PANELS).find((panel) => PANELS[panel]?.includes(key)) ?? "none";
}

/** Panels of the survey itself, each with the fields that stand in it. @type {Record<string, string[]>} */
export const PANELS = {};

/**
 * All texts: tables from language to text.
 *
 * @param {unknown} data
 * @param {readonly string[]} codes
 * @returns {Generator<Record<string, string>>}
 */
export function* textsOf(data, codes) {
  if (Array.isArray(data)) for (const each of data) yield* textsOf(each, codes);
  else if (data && typeof data === "object") {
    const values = Object.entries(data);
    if (values.some(([key]) => codes.includes(key)) && values.every(([, each]) => typeof each === "string")) yield /** @type {any} */ (data);
    else for (const [, each] of values) yield* textsOf(each, codes);
  }
}

/** @param {DraftState} state @param {readonly string[]} codes @returns {Map<string, number>} texts that another language has and this one lacks */
export function untranslated(state, codes) {
  const counts = new Map(codes.map((code) => [code, 0]));
  for (const texts of textsOf(state, codes)) {
    if (codes.some((code) => texts[code]?.trim())) for (const code of codes) if (!texts[code]?.trim()) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

/** Languages with fields to see: those that are ticked, and those with a text. @param {DraftState} state @param {readonly string[]} offered */
export function written(state, offered) {
  const texts = [...textsOf({ ...state, languages_: [] }, offered)];
  return offered.filter((code) => state["languages_"]?.includes(code) || texts.some((each) => each[code]?.trim()));
}
