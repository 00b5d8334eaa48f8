/** The compact exact ways to write a channel down: the twin of survey/compact_form.py. Every number stays below 2**53. */

import { keepsLoss } from "./loss.js";
import { requireRow, requireWhole, TOTAL, walk } from "./randomize.js";

export const MOST_ANSWERS = 1001;
export const MOST_REPORTS = 2048;

/** The forms that are loaded only where a survey has them, by name: set_forms.js adds its own. @type {Map<string, OtherForm>} */
export const otherForms = new Map();

/**
 * The chances of the reports under one answer, by the row rule of the form.
 *
 * @param {Form} form
 * @param {number} answer
 * @returns {number[]} weights that sum to 2**32
 */
export function row(form, answer) {
  if (form.form === "rows") return between(form, answer);
  if (form.form === "windows") return form.windows.flatMap((window) => slid(window, answer, form.answers - 1));
  if (form.form === "subsets") return sets(form, answer);
  if (form.form === "tails") return folded(form.tails, answer);
  return other(form).row(form, answer);
}

/** The rows of two knots, mixed and rounded up; the largest weight pays. @param {RowsForm} form @param {number} answer */
function between(form, answer) {
  const n = form.answers - 1;
  const [q, r] = divide(answer * (form.knots - 1), n);
  const [near, far] = [knot(form, q), knot(form, Math.min(q + 1, form.knots - 1))];
  const mixed = near.map((weight, report) => divide((n - r) * weight + r * (far[report] ?? 0) + n - 1, n)[0]);
  const largest = mixed.indexOf(Math.max(...mixed));
  mixed[largest] = (mixed[largest] ?? 0) - sum(mixed) + sum(near);
  return mixed;
}

/**
 * The last rows may be left out: they are the first ones read backwards.
 *
 * @param {RowsForm} form
 * @param {number} index
 * @returns {readonly number[]}
 */
export function knot({ knots, rows }, index) {
  return rows[index] ?? (rows[knots - 1 - index] ?? []).slice().reverse();
}

/** A window that has slid a part of the way. @param {readonly number[]} window @param {number} answer @param {number} n */
function slid([columns = 0, width = 0, inside = 0, outside = 0], answer, n) {
  const [q, r] = divide(answer * (columns - width), n);
  const [ramp] = divide((inside - outside) * r, n);
  return Array.from({ length: columns }, (_, column) => (q <= column && column < q + width ? inside : outside)
    - (column === q ? ramp : 0) + (column === q + width ? ramp : 0));
}

/** @param {SubsetsForm} form @param {number} answer */
function sets({ masks, inside, outside, raised }, answer) {
  let left = raised;
  return masks.map((mask) => (mask >> answer & 1 ? inside : outside + Number(left-- > 0)));
}

/** Noise around the answer; both ends collect what lies beyond. @param {readonly number[]} tails @param {number} answer */
function folded(tails, answer) {
  return tails.map((_, report) => {
    const distance = Math.abs(report - answer);
    const inner = report > 0 && report < tails.length - 1;
    return (tails[distance] ?? 0) - (inner ? tails[distance + 1] ?? 0 : 0);
  });
}

/** @param {Form} form @returns {number} how many answers it has */
export function answers(form) {
  return form.form === "tails" ? form.tails.length : form.answers;
}

/**
 * As `randomize`, for a channel in its compact form.
 *
 * @param {Form} form
 * @param {number} answer the index of what is true
 * @param {number} word uniform in [0, 2**32)
 * @returns {number} the report
 */
export function randomizeForm(form, answer, word) {
  requireForm(form);
  requireWhole("answer", answer, answers(form));
  const weights = row(form, answer);
  requireRow(weights);
  return walk(weights, word);
}

/**
 * Every row is expanded and every column compared: nothing is taken from how the form came about.
 *
 * @param {Form} form
 * @param {readonly number[]} loss the stated ratio e^epsilon as two integers
 */
export function isFormWithinLoss(form, loss) {
  try {
    requireForm(form);
    return keepsLoss(rows(form), loss);
  } catch {
    return false;
  }
}

/** @param {Form} form */
export function* rows(form) {
  for (let answer = 0; answer < answers(form); answer += 1) {
    const weights = row(form, answer);
    requireRow(weights);
    yield weights;
  }
}

/** @param {Form} form @throws {TypeError | RangeError} unless it holds whole numbers in their ranges */
export function requireForm(form) {
  if (form.form === "tails") {
    within("the number of tails", list(form.tails).length, 2, MOST_ANSWERS);
    form.tails.forEach((tail, index) => within("a tail", tail, 0, form.tails[index - 1] ?? TOTAL));
    return;
  }
  within("answers", form.answers, 2, MOST_ANSWERS);
  if (form.form === "rows") {
    within("knots", form.knots, 2, form.answers);
    within("the number of rows", list(form.rows).length, Math.floor((form.knots + 1) / 2), form.knots);
    const reports = list(form.rows[0]).length;
    within("the number of reports", reports, 1, MOST_REPORTS);
    for (const weights of form.rows) {
      within("the number of reports in every row", list(weights).length, reports, reports);
      for (const weight of weights) within("a weight", weight, 0, TOTAL);
    }
  } else if (form.form === "windows") {
    within("the number of windows", list(form.windows).length, 1, 8);
    for (const window of form.windows) {
      within("the length of a window", list(window).length, 4, 4);
      const [columns = 0, width = 0, inside = 0, outside = 0] = window;
      within("columns", columns, 2, MOST_REPORTS);
      within("width", width, 1, columns - 1);
      within("inside", inside, 0, TOTAL);
      within("outside", outside, 0, inside);
    }
  } else if (form.form === "subsets") {
    within("answers", form.answers, 2, 12);
    within("the number of masks", list(form.masks).length, 1, MOST_REPORTS);
    for (const mask of form.masks) within("a mask", mask, 1, 2 ** form.answers - 1);
    within("inside", form.inside, 0, TOTAL);
    within("outside", form.outside, 0, form.inside);
    within("raised", form.raised, 0, form.masks.length);
  } else {
    other(form).require(form);
  }
}

/** @param {Form} form @returns {OtherForm} */
function other(form) {
  const known = otherForms.get(form.form);
  if (!known) throw new TypeError("form must be one of rows, windows, subsets, tails or those of set_forms.js");
  return known;
}

/** @param {string} name @param {unknown} value @param {number} low @param {number} high */
export function within(name, value, low, high) {
  if (!Number.isInteger(value) || Number(value) < low || Number(value) > high) {
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}, got ${value}`);
  }
}

/** @template Item @param {readonly Item[] | undefined} value @returns {readonly Item[]} */
export function list(value) {
  if (!Array.isArray(value)) throw new TypeError(`a part of a form must be a list, got ${value}`);
  return value;
}

/** @param {number} number @param {number} by @returns {[number, number]} quotient and remainder, exact */
export function divide(number, by) {
  const remainder = number % by;
  return [(number - remainder) / by, remainder];
}

/** @param {readonly number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
