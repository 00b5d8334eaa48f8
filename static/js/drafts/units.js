/** A draft taken apart into units: each setting, each text in a language, each node and each order. survey/draft/units.py does the same. */

const UID = /^n[0-9a-f]{12}$/;
export const LISTS = /** @type {const} */ (["sections", "questions"]);

/** A name that no other node has. */
export const newUid = () => `n${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Whether a draft says nothing by a value. @param {unknown} value */
export const isEmpty = (value) => value === undefined || value === null || value === false || value === ""
  || (typeof value === "object" && !Object.keys(value).length);

/** @param {unknown} value @param {unknown} other */
export const isSame = (value, other) => (isEmpty(value) ? isEmpty(other) : JSON.stringify(value) === JSON.stringify(other));

/** @param {Draft} document @returns {Units} */
export function units(document) {
  /** @type {Units} */
  const whole = {};
  addUnits(whole, document, "");
  return whole;
}

/** @param {Units} whole @param {Record<string, any>} table @param {string} prefix */
function addUnits(whole, table, prefix) {
  for (const [key, value] of Object.entries(table)) {
    const unit = prefix + key;
    if (key === "uid" || isEmpty(value)) continue;
    if (isOrder(unit)) {
      whole[unit] = value.map((/** @type {DraftNode} */ { uid }) => uid);
      for (const node of value) {
        const path = (key === "options" ? prefix : "") + node.uid;
        whole[path] = key;
        addUnits(whole, node, `${path}.`);
      }
    } else if (typeof value === "object" && !Array.isArray(value)) addUnits(whole, value, `${unit}.`);
    else whole[unit] = value;
  }
}

/** Put units together: the inverse of `units`. @param {Units} whole @returns {Draft} */
export function fromUnits(whole) {
  /** @type {Draft} */
  const document = { sections: [], questions: [] };
  for (const list of LISTS) document[list] = (whole[list] ?? []).map((/** @type {string} */ uid) => ({ uid }));
  for (const [unit, value] of Object.entries(whole)) {
    if (unit.endsWith(".options") && isOrder(unit)) {
      const question = nodeAt(document, unit.slice(0, -".options".length));
      if (question) question["options"] = value.map((/** @type {string} */ uid) => ({ uid }));
    }
  }
  for (const [unit, value] of Object.entries(whole)) if (!isOrder(unit) && !isNode(unit)) setUnit(document, unit, structuredClone(value));
  return document;
}

/** Whether a unit says that a section, a question or an option is there. @param {string} unit */
export const isNode = (unit) => UID.test(unit.slice(unit.lastIndexOf(".") + 1));

/** @param {string} unit whether it is the order of nodes */
export const isOrder = (unit) => unit === "sections" || unit === "questions" || (unit.endsWith(".options") && UID.test(unit.slice(0, -".options".length)));

/** The section or question that a unit belongs to; empty for one of the survey itself. @param {string} unit */
export function ownerOf(unit) {
  const [owner = ""] = unit.split(".");
  return UID.test(owner) ? owner : "";
}

/** @param {Draft} document @param {string} uid @returns {DraftNode | undefined} the section or question */
export const nodeAt = (document, uid) => document.questions.find((node) => node.uid === uid) ?? document.sections.find((node) => node.uid === uid);

/** @param {Draft} document @param {string} unit @returns {[table: Record<string, any> | undefined, path: string[]]} where the unit stands */
function tableOf(document, unit) {
  const path = unit.split(".");
  /** @type {Record<string, any> | undefined} */
  let table = document;
  if (UID.test(path[0] ?? "")) table = nodeAt(document, String(path.shift()));
  if (UID.test(path[0] ?? "")) table = table?.["options"]?.find((/** @type {DraftOption} */ { uid }) => uid === path[0]);
  return [table, path.filter((key) => !UID.test(key))];
}

/** @param {Draft} document @param {string} unit @returns {any} */
export function valueOf(document, unit) {
  const [table, path] = tableOf(document, unit);
  return path.reduce((/** @type {any} */ value, key) => value?.[key], table);
}

/** @param {Draft} document @param {string} unit of a node that is there @param {unknown} value */
export function setUnit(document, unit, value) {
  const [table, path] = tableOf(document, unit);
  const last = String(path.pop());
  const place = table && path.reduce((/** @type {any} */ within, key) => (within[key] ??= {}), table);
  if (place && isEmpty(value)) delete place[last];
  else if (place) place[last] = value;
}

/** What stands for the value of a unit: FNV-1a of 64 bits over `plain`; nothing for nothing. @param {unknown} value */
export function unitHash(value) {
  if (isEmpty(value)) return "";
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(plain(value))) state = BigInt.asUintN(64, (state ^ BigInt(byte)) * 0x100000001b3n);
  return state.toString(16).padStart(16, "0");
}

/** @param {unknown} value @returns {string} a text that no value of another kind has */
function plain(value) {
  if (Array.isArray(value)) return `[${value.map(plain).join(",")}]`;
  if (typeof value === "number") return `#${value.toExponential()}`;
  return typeof value === "string" ? `"${value}` : value ? "t" : "-";
}
