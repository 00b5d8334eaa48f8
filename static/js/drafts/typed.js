/** What is typed into a field: as a value of the draft, where what is no number stays the text, and what follows from it. */

import { ownerOf } from "./units.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
/** One mark before three digits may stand between thousands: then nobody knows which number is meant. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const LARGEST = 1e15;

/** @param {string} text @returns {number | string} */
export function numberOf(text) {
  const typed = text.trim();
  const plain = typed.replace("\u2212", "-").replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
  return NUMBER.test(plain) && !AMBIGUOUS.test(typed) && Math.abs(Number(plain)) <= LARGEST ? Number(plain) : typed;
}

/** @param {string} text a line a row, the numbers apart by spaces or commas @returns {(number | string)[][] | string} */
export function tableOf(text) {
  const typed = text.trim();
  if (!typed) return "";
  const rows = typed.split("\n").map((line) => line.replaceAll(",", " ").split(" ").filter(Boolean).map(numberOf));
  return rows.flat().some((cell) => typeof cell === "string") ? typed : rows;
}

/** @param {unknown} value @returns {string} as its field shows it */
export function shownAs(value) {
  if (Array.isArray(value)) return value.map((row) => row.join(" ")).join("\n");
  return value === undefined ? "" : String(value);
}

/** Settings of the survey that figures depend on: the margins of all questions, or the total alone. @type {Record<string, string>} */
const OF_SURVEY = { "expected": "all", "asked": "all", "budget.waves": "total", "budget.limit": "total" };

/** What a unit that was typed changes in the figures. Of texts there is only advice, which can wait. @param {string} unit @returns {{ about: string, calm: boolean }} */
export function affected(unit) {
  const owner = ownerOf(unit);
  const key = owner ? unit.slice(owner.length + 1) : unit;
  // Which questions are asked together decides how many people are asked each of them.
  const about = owner ? { section: "all", always: "all", linked: "all", id: "" }[key] ?? owner : OF_SURVEY[key] ?? "";
  return { about, calm: /^(wording|note|help|unit|matrix_wording|picture|title|introduction|n[0-9a-f]{12})\b/.test(key) };
}
