/** What was typed put on top of what somebody else has stored: what only one of the two changed stands, and about the rest somebody chooses. */

import { isEmpty, isNode, isOrder, isSame, ownerOf, unitHash } from "./units.js";

/** @param {Units} base what is known to be stored @param {Units} now @returns {UnitChange[]} */
export function changesOf(base, now) {
  return unitsIn(now, base).flatMap((unit) => {
    if (isOrder(unit) ? !isMoved(base[unit], now[unit]) : isSame(base[unit], now[unit])) return [];
    const change = { unit, was: unitHash(base[unit]), now: now[unit] ?? null };
    return [isNode(unit) && unit in now ? { ...change, after: before(now, unit) } : change];
  });
}

/** @param {Units[]} versions @returns {string[]} the units that there are in any */
const unitsIn = (...versions) => [...new Set(versions.flatMap(Object.keys))];

/** Whether nodes that stand in both lists stand in another order. @param {string[]} [was] @param {string[]} [now] */
const isMoved = (was = [], now = []) => !isSame(was.filter((uid) => now.includes(uid)), now.filter((uid) => was.includes(uid)));

/** @param {Units} whole @param {string} unit of a node @returns {string} the list in which it stands */
const listOf = (whole, unit) => (ownerOf(unit) === unit ? whole[unit] : `${ownerOf(unit)}.options`);

/** @param {Units} whole @param {string} unit of a node @returns {string | null} the node before it */
function before(whole, unit) {
  const order = /** @type {string[]} */ (whole[listOf(whole, unit)]);
  return order[order.indexOf(unit.slice(unit.lastIndexOf(".") + 1)) - 1] ?? null;
}

/**
 * Put what was typed on top of another stored draft.
 *
 * What both have changed stays mine, and the base keeps what it was until somebody chooses: so the next save asks.
 *
 * @param {Units} now
 * @param {Units} base what `now` began from
 * @param {Units} theirs what is stored
 * @param {Choices} [choices] by unit, or by the node that one has removed
 * @returns {{ now: Units, base: Units }}
 */
export function rebase(now, base, theirs, choices = {}) {
  const fates = fatesOf(now, base, theirs, choices);
  /** @type {Units} */
  const rebased = {};
  /** @type {Units} */
  const known = {};
  for (const unit of unitsIn(theirs, now, base).filter((name) => !isOrder(name))) {
    const fate = fates.get(ownerOf(unit)) ?? fates.get(unit.split(".").slice(0, 2).join(".")) ?? fateOf(unit, now, base, theirs, choices[unit]);
    put(rebased, unit, (fate === "theirs" ? theirs : now)[unit]);
    put(known, unit, (fate === "open" ? base : theirs)[unit]);
  }
  for (const unit of unitsIn(theirs, now, base).filter(isOrder)) {
    const order = isMoved(base[unit], now[unit]) ? woven(now[unit], theirs[unit]) : woven(theirs[unit], now[unit]);
    const prefix = unit.endsWith(".options") ? `${ownerOf(unit)}.` : "";
    put(rebased, unit, order.filter((uid) => prefix + uid in rebased));
    put(known, unit, woven(theirs[unit], base[unit]).filter((uid) => prefix + uid in known));
  }
  for (const [unit, section] of Object.entries(rebased)) if (unit.endsWith(".section") && !(section in rebased)) delete rebased[unit];
  return { now: rebased, base: known };
}

/** @typedef {"mine" | "theirs" | "open"} Fate `open` where mine stands until somebody has chosen */

/** Nodes that one of the two has removed go or stay whole. @param {Units} now @param {Units} base @param {Units} theirs @param {Choices} choices @returns {Map<string, Fate>} */
function fatesOf(now, base, theirs, choices) {
  /** @type {Map<string, Fate>} */
  const fates = new Map();
  for (const node of Object.keys(base).filter((unit) => isNode(unit) && unit in now !== unit in theirs)) {
    const changed = node in now ? now : theirs;
    const untouched = unitsIn(changed, base).every((unit) => isOrder(unit) || !unit.startsWith(`${node}.`) || isSame(changed[unit], base[unit]));
    fates.set(node, untouched ? (node in now ? "theirs" : "mine") : choices[node] ?? "open");
  }
  return fates;
}

/** @param {string} unit @param {Units} now @param {Units} base @param {Units} theirs @param {"mine" | "theirs"} [choice] @returns {Fate} */
function fateOf(unit, now, base, theirs, choice) {
  if (isSame(now[unit], base[unit])) return "theirs";
  if (isSame(theirs[unit], base[unit]) || isSame(theirs[unit], now[unit])) return "mine";
  return choice ?? "open";
}

/** @param {Units} whole @param {string} unit @param {any} value */
const put = (whole, unit, value) => { if (!isEmpty(value)) whole[unit] = value; };

/** Put some units, and nodes, of another version in the place of what stands there. @param {Units} now @param {Units} theirs @param {readonly string[]} chosen @returns {Units} */
export function replaced(now, theirs, chosen) {
  const isChosen = (/** @type {string} */ unit) => chosen.some((name) => unit === name || unit.startsWith(`${name}.`));
  const without = (/** @type {Units} */ whole, /** @type {boolean} */ what) => (
    Object.fromEntries(Object.entries(whole).filter(([unit]) => isOrder(unit) || isChosen(unit) !== what)));
  return rebase(without(theirs, false), {}, without(now, true)).now;
}

/** Put what only the second list has behind what stands before it there. @param {string[]} [first] @param {string[]} [second] */
export function woven(first = [], second = []) {
  const order = [...first];
  for (const [place, uid] of second.entries()) {
    if (order.includes(uid)) continue;
    const behind = second.slice(0, place).findLast((name) => order.includes(name));
    order.splice(behind === undefined ? 0 : order.indexOf(behind) + 1, 0, uid);
  }
  return order;
}
