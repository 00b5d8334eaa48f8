/** The forms of channels that report sets: the twin of survey/cyclic_sets.py, weighted_sets.py and sets_on_grid.py. */

import { divide, list, MOST_ANSWERS, MOST_REPORTS, otherForms, row, sum, within } from "./compact_form.js";
import { TOTAL } from "./randomize.js";

const MOST_ANSWERS_OF_CYCLES = 50;
const MOST_BLOCKS = 8;
const MOST_ANSWERS_OF_SETS = 21;
const MOST_DENOMINATOR = 2 ** 20;

/** Base sets at every place around a circle. @param {CyclicSetsForm} form @param {number} answer */
function turned({ answers: places, blocks, inside, outside, raised }, answer) {
  let left = raised;
  return blocks.flatMap((block) => Array.from({ length: places }, (_, turn) => (
    block.includes((answer - turn + places) % places) ? inside : outside + Number(left-- > 0))));
}

/** Every set with a weight of its own, and a last report that is none. @param {WeightedSetsForm} form @param {number} answer */
function weighted(form, answer) {
  const [numerator = 0, denominator = 1] = form.ratio;
  return filled(masks(form).map((mask, report) => {
    const low = form.lows[report] ?? 0;
    return mask >> answer & 1 ? divide(low * numerator, denominator)[0] : low;
  }));
}

/** The sets of the reports, as bits. @param {WeightedSetsForm} form @returns {number[]} */
function masks(form) {
  const digits = Math.ceil(form.answers / 4);
  return form.lows.map((_, report) => parseInt(form.masks.slice(report * digits, (report + 1) * digits), 16));
}

/** The class of an answer, or the two lattice points beside it, mixed. @param {SetsOnGridForm} form @param {number} answer */
function onGrid({ answers, rounded, sets }, answer) {
  if (!rounded) return weighted(sets, divide(answer * sets.answers, answers)[0]);
  const n = answers - 1;
  const [q, r] = divide(answer * (sets.answers - 1), n);
  const [below, above] = [weighted(sets, q), weighted(sets, Math.min(q + 1, sets.answers - 1))];
  return filled(below.slice(0, -1).map((weight, report) => divide((n - r) * weight + r * (above[report] ?? 0), n)[0]));
}

/** The last report weighs what the others leave. @param {number[]} weights */
const filled = (weights) => [...weights, TOTAL - sum(weights)];

/** @param {CyclicSetsForm} form */
function requireCyclic(form) {
  within("answers", form.answers, 2, MOST_ANSWERS_OF_CYCLES);
  within("the number of blocks", list(form.blocks).length, 1, MOST_BLOCKS);
  const size = list(form.blocks[0]).length;
  within("the size of a block", size, 1, form.answers - 1);
  for (const block of form.blocks) {
    within("the size of every block", list(block).length, size, size);
    block.forEach((answer, place) => within("an answer of a block", answer, (block[place - 1] ?? -1) + 1, form.answers - 1));
  }
  within("inside", form.inside, 0, TOTAL);
  within("outside", form.outside, 0, form.inside);
  within("raised", form.raised, 0, form.blocks.length * form.answers);
}

/** @param {WeightedSetsForm} form */
function requireWeighted(form) {
  within("answers", form.answers, 2, MOST_ANSWERS_OF_SETS);
  within("the length of ratio", list(form.ratio).length, 2, 2);
  const [numerator = 0, denominator = 0] = form.ratio;
  within("the denominator of ratio", denominator, 1, MOST_DENOMINATOR);
  within("the numerator of ratio", numerator, denominator, TOTAL);
  within("the number of lows", list(form.lows).length, 1, MOST_REPORTS - 1);
  for (const low of form.lows) within("a low", low, 1, divide(TOTAL * denominator, numerator)[0]);
  const digits = form.lows.length * Math.ceil(form.answers / 4);
  if (!new RegExp(`^[0-9a-f]{${digits}}$`).test(form.masks)) throw new TypeError("masks must be hexadecimal digits for each low");
  for (const mask of masks(form)) within("a mask", mask, 1, 2 ** form.answers - 1);
}

/** @param {SetsOnGridForm} form */
function requireOnGrid({ answers, rounded, sets }) {
  if (sets?.form !== "weighted_sets") throw new TypeError("sets must be a form of weighted_sets");
  requireWeighted(sets);
  within("answers", answers, sets.answers + 1, MOST_ANSWERS);
  if (typeof rounded !== "boolean") throw new TypeError(`rounded must be true or false, got ${rounded}`);
}

/** The members of the set of a report, as places from 0; of the last of weighted sets none. @param {Form} form @param {number} report @returns {number[]} */
export function members(form, report) {
  if (form.form === "sets_on_grid") return members(form.sets, report);
  const places = Array.from({ length: form.form === "tails" ? 0 : form.answers }, (_, place) => place);
  if (form.form === "weighted_sets") return places.filter((place) => (masks(form)[report] ?? 0) >> place & 1);
  if (form.form !== "cyclic_sets") return [];
  const [block, turn] = divide(report, form.answers);
  return places.filter((place) => form.blocks[block]?.includes((place - turn + form.answers) % form.answers));
}

/**
 * The rows of the first two answers that differ most: they are told apart best at every epsilon, as `furthest` of
 * survey/privacy/hardest_pairs.py proves. On a grid these are two of its places.
 *
 * @param {Form} form
 * @returns {[readonly number[], readonly number[]]}
 */
export function furthest(form) {
  if (form.form === "sets_on_grid") return furthest(form.sets);
  const rows = Array.from({ length: form.form === "tails" ? 0 : form.answers }, (_, answer) => row(form, answer));
  let widest = -1;
  /** @type {[readonly number[], readonly number[]]} */
  let pair = [[], []];
  rows.forEach((mine, answer) => rows.slice(answer + 1).forEach((theirs) => {
    const apart = mine.reduce((total, weight, report) => total + Math.abs(weight - (theirs[report] ?? 0)), 0);
    if (apart > widest) [widest, pair] = [apart, [mine, theirs]];
  }));
  return pair;
}

/** @type {[string, OtherForm][]} */
const SETS = [
  ["cyclic_sets", { row: turned, require: requireCyclic, furthest }],
  ["weighted_sets", { row: weighted, require: requireWeighted, furthest }],
  ["sets_on_grid", { row: onGrid, require: requireOnGrid, furthest }],
];
for (const [name, form] of SETS) otherForms.set(name, form);
