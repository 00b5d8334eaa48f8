/** Nine people who were invented: a hospital's table without their names, a list with their names, and how the two are joined. */

/** @typedef {{age: number, postcode: string}} Known what both tables have */
/** @typedef {Known & {illness: string}} Patient */
/** @typedef {Known & {name: string}} Listed */

/** In no order that means anything. @type {readonly Patient[]} */
export const PATIENTS = [
  { age: 45, postcode: "4311", illness: "ulcer" },
  { age: 28, postcode: "4117", illness: "flu" },
  { age: 36, postcode: "4219", illness: "gastritis" },
  { age: 23, postcode: "4105", illness: "hiv" },
  { age: 49, postcode: "4328", illness: "ulcer" },
  { age: 31, postcode: "4203", illness: "asthma" },
  { age: 42, postcode: "4304", illness: "ulcer" },
  { age: 26, postcode: "4112", illness: "hiv" },
  { age: 38, postcode: "4226", illness: "cancer" },
];

/** @type {readonly Listed[]} */
export const LIST = [
  { name: "one", age: 23, postcode: "4105" },
  { name: "two", age: 45, postcode: "4311" },
  { name: "three", age: 31, postcode: "4203" },
  { name: "four", age: 38, postcode: "4226" },
  { name: "five", age: 28, postcode: "4117" },
  { name: "six", age: 42, postcode: "4304" },
  { name: "seven", age: 36, postcode: "4219" },
  { name: "eight", age: 49, postcode: "4328" },
  { name: "nine", age: 26, postcode: "4112" },
];

const STOMACH = new Set(["gastritis", "cancer", "ulcer"]);

/** What is published instead of an age and a postcode. */
export const LEVELS = /** @type {const} */ (["exact", "coarse", "diverse"]);
/** @typedef {typeof LEVELS[number]} Level */

/** @type {Record<Level, (known: Known) => {age: string, postcode: string}>} */
const PUBLISHED = {
  exact: ({ age, postcode }) => ({ age: String(age), postcode }),
  coarse: ({ age, postcode }) => ({ age: `${Math.floor(age / 10) * 10}–${Math.floor(age / 10) * 10 + 9}`, postcode: `${postcode.slice(0, 2)}**` }),
  diverse: ({ age, postcode }) => ({ age: age < 35 ? "20–34" : "35–49", postcode: `${postcode.slice(0, 1)}***` }),
};

/** @param {Level} level @param {Known} known */
export const published = (level, known) => PUBLISHED[level](known);

/** @param {Level} level @param {Known} known */
const key = (level, known) => Object.values(published(level, known)).join(" ");

/** Which lines of the hospital's table fit somebody. @param {Level} level @param {Known} person */
export const fitting = (level, person) => PATIENTS.flatMap((patient, line) => (key(level, patient) === key(level, person) ? [line] : []));

/** @param {readonly number[]} lines */
const illnesses = (lines) => [...new Set(lines.map((line) => PATIENTS[line]?.illness ?? ""))];

/** Of how many people at least nobody can be told apart (k), and how many illnesses they have at least (l). @param {Level} level */
export function promised(level) {
  const groups = PATIENTS.map((patient) => fitting(level, patient));
  return { k: Math.min(...groups.map(({ length }) => length)), l: Math.min(...groups.map((lines) => illnesses(lines).length)) };
}

const ALL = [...PATIENTS.keys()];

/** How many of some lines have an illness. @param {string} illness @param {readonly number[]} [lines] all of them, unless it says which */
export const count = (illness, lines = ALL) => lines.filter((line) => PATIENTS[line]?.illness === illness).length;

/** @param {string} illness @param {readonly number[]} [lines] */
const share = (illness, lines = ALL) => count(illness, lines) / lines.length;

/**
 * How far the illnesses of a group are from those of the whole table: half the sum of the differences, so between 0 and 1. It is
 * what t-closeness bounds, where no illness is nearer to one than to another. Li, Li & Venkatasubramanian (2007), section 4.
 *
 * @param {readonly number[]} lines
 */
export const distance = (lines) => illnesses(ALL).reduce((sum, illness) => sum + Math.abs(share(illness, lines) - share(illness)), 0) / 2;

/** The largest of these distances. @param {Level} level */
export const farthest = (level) => Math.max(...PATIENTS.map((patient) => distance(fitting(level, patient))));

/**
 * What somebody learns who finds a person on the list: the attack, and what it needs to be said.
 *
 * @param {Level} level @param {Listed} person
 * @returns {{attack: "found" | "alike" | "ruled" | "similar" | "skewed", lines: number[], own: string, others: string[], often: string}}
 */
export function attack(level, person) {
  const lines = fitting(level, person);
  const listed = illnesses(lines);
  const own = PATIENTS[fitting("exact", person)[0] ?? 0]?.illness ?? "";
  const often = listed.reduce((most, illness) => (share(illness, lines) > share(most, lines) ? illness : most));
  const rest = { lines, own, often, others: listed.filter((illness) => illness !== own) };
  if (lines.length === 1) return { attack: "found", ...rest };
  if (listed.length === 1) return { attack: "alike", ...rest };
  if (level === "coarse") return { attack: "ruled", ...rest };
  return { attack: listed.every((illness) => STOMACH.has(illness)) ? "similar" : "skewed", ...rest };
}
