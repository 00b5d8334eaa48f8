/** The compact exact ways to write a channel down: the twin of survey/compact_form.py. Every number stays below 2**53. */

import { keepsLoss } from "./loss.js";
import { requireRow, requireWhole, TOTAL, walk } from "./randomize.js";

const MOST_ANSWERS = 1001;
const MOST_REPORTS = 2048;
const MOST_ANSWERS_OF_CYCLES = 50;
const MOST_BLOCKS = 8;
const MOST_ANSWERS_OF_SETS = 21;
const MOST_DENOMINATOR = 2 ** 20;

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
  if (form.form === "cyclic_sets") return turned(form, answer);
  if (form.form === "weighted_sets") return weighted(form, answer);
  return folded(form.tails, answer);
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

/** Base sets at every place around a circle. @param {CyclicSetsForm} form @param {number} answer */
function turned({ answers: places, blocks, inside, outside, raised }, answer) {
  let left = raised;
  return blocks.flatMap((block) => Array.from({ length: places }, (_, turn) => (
    block.includes((answer - turn + places) % places) ? inside : outside + Number(left-- > 0))));
}

/** Every set with a weight of its own, and a last report that is none. @param {WeightedSetsForm} form @param {number} answer */
function weighted(form, answer) {
  const [numerator = 0, denominator = 1] = form.ratio;
  const weights = masks(form).map((mask, report) => {
    const low = form.lows[report] ?? 0;
    return mask >> answer & 1 ? divide(low * numerator, denominator)[0] : low;
  });
  return [...weights, TOTAL - sum(weights)];
}

/** The sets of the reports, as bits. @param {WeightedSetsForm} form @returns {number[]} */
function masks(form) {
  const digits = Math.ceil(form.answers / 4);
  return form.lows.map((_, report) => parseInt(form.masks.slice(report * digits, (report + 1) * digits), 16));
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
  } else if (form.form === "cyclic_sets") {
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
  } else if (form.form === "weighted_sets") {
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
  } else {
    throw new TypeError("form must be one of rows, windows, subsets, cyclic_sets, weighted_sets, tails");
  }
}

/** @param {string} name @param {unknown} value @param {number} low @param {number} high */
function within(name, value, low, high) {
  if (!Number.isInteger(value) || Number(value) < low || Number(value) > high) {
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}, got ${value}`);
  }
}

/** @template Item @param {readonly Item[] | undefined} value @returns {readonly Item[]} */
function list(value) {
  if (!Array.isArray(value)) throw new TypeError(`a part of a form must be a list, got ${value}`);
  return value;
}

/** @param {number} number @param {number} by @returns {[number, number]} quotient and remainder, exact */
export function divide(number, by) {
  const remainder = number % by;
  return [(number - remainder) / by, remainder];
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
