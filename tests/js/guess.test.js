/** How often a guess is right, as the page computes it, against what Python says of the same integers. */

import assert from "node:assert/strict";
import test from "node:test";

import { answers, rows } from "../../static/js/chance/compact_form.js";
import { between, curve } from "../../static/js/chance/curve.js";
import { candidates } from "../../static/js/chance/dearest_draws.js";
import { right, timesIn100, timesRight } from "../../static/js/chance/guess.js";
import { hardestPairs } from "../../static/js/chance/hardest_pairs.js";
import "../../static/js/chance/set_forms.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import { vectors } from "./vectors.js";

/** The exact loss of a table. @param {Form} form */
function lossOf(form) {
  const table = [...rows(form)];
  const columns = (table[0] ?? []).map((_, report) => table.map((weights) => weights[report] ?? 0));
  return columns.map((column) => [Math.max(...column), Math.min(...column)])
    .reduce((worst, pair) => ((pair[0] ?? 0) * (worst[1] ?? 0) > (worst[0] ?? 0) * (pair[1] ?? 0) ? pair : worst));
}

/** @param {Form} form @returns {Promised} */
const promised = (form) => {
  const loss = lossOf(form);
  return { loss, pairs: hardestPairs(form, loss) };
};

/** Of two answers, so many eighths of all words for the own one. @param {number} truthful */
const coins = (truthful) => promised({ form: "rows", answers: 2, knots: 2,
  rows: [[truthful * TOTAL / 8, (8 - truthful) * TOTAL / 8], [(8 - truthful) * TOTAL / 8, truthful * TOTAL / 8]] });

for (const { name, sections, asked, waves, right: expected } of vectors("guess").cases) {
  test(`the figure of the page is that of the server: ${name}`, (context) => {
    const read = sections.map((/** @type {any} */ { always, reports }) => ({ always, reports: reports.map(promised) }));
    const start = performance.now();
    const found = right(read, asked, waves, candidates);
    context.diagnostic(`${(performance.now() - start).toFixed(0)} ms, off by ${(found - expected).toExponential(1)}`);
    assert.ok(found >= expected - 5e-6 && found <= expected + 1e-4, `${found} is not ${expected}`);
  });
}

for (const { name, form } of vectors("form").forms) {
  if (answers(form) > 60) continue;
  test(`no pair of answers is told apart better than those named: ${name}`, () => {
    const [table, curves] = [[...rows(form)], hardestPairs(form, lossOf(form)).map(curve)];
    /** The most that may be told at an epsilon: a weight may be off by a word for each report of its row. */
    const limits = [-3, -1, -0.3, 0, 0.3, 1, 3].map((epsilon) => (
      /** @type {const} */ ([epsilon, Math.max(...curves.map((delta) => delta(epsilon))) + 2 * (table[0] ?? []).length / TOTAL * (1 + Math.exp(epsilon))])));
    for (const one of table) {
      for (const other of table) {
        const delta = one === other ? () => 0 : curve(between(one, other));
        for (const [epsilon, most] of limits) assert.ok(delta(epsilon) <= most);
      }
    }
  });
}

test("times in 100 are rounded up, but for what computing may have added", () => {
  assert.equal(timesRight([coins(6)]), 75);
  assert.equal(timesRight([coins(4)]), 50);
  assert.equal(timesIn100(0.75 + 0.9e-6), 75);
  assert.equal(timesIn100(0.75 + 1.1e-6), 76);
});

test("two reports of the same coins tell no more than one on average, three do", () => {
  assert.deepEqual([1, 2, 3].map((times) => timesRight([coins(6)], times)), [75, 75, 85]); // 27/64 + 27/64 = 0.84375
});

test("a report that rules an answer out is right as often as it comes", () => {
  const proof = promised({ form: "rows", answers: 2, knots: 2, rows: [[TOTAL, 0], [TOTAL / 2, TOTAL / 2]] });
  assert.equal(timesRight([proof]), 75);
  assert.equal(timesRight([proof], 2), 88); // 1 - 1/8
});

test("ends that are not told apart best are not taken for it", () => {
  const [half, q] = [TOTAL / 2, TOTAL / 4];
  assert.equal(timesRight([promised({ form: "rows", answers: 3, knots: 3, rows: [[half, half, 0], [0, half, half], [half, half, 0]] })]), 75);
  // The tails do not fall evenly: of two reports, not the ends are told apart best.
  const uneven = promised({ form: "tails", tails: [46, 18, 18, 17].map((tail) => tail * 2 ** 26) });
  assert.equal(timesRight([uneven], 2), 86); // .8506 over every pair of answers, .7385 for the ends
  const together = promised({ form: "subsets", answers: 4, masks: [9, 6], inside: half + q, outside: q, raised: 0 });
  assert.equal(timesRight([together]), 75, "the first answer and the last are in the same sets");
});

test("a table too large to compare counts as its bound, and one without a bound as if it told everything", () => {
  const weights = Array.from({ length: 60 }, (_, answer) => Array.from({ length: 64 }, (__, report) => (
    TOTAL / 64 + (answer === 30 ? (report < 32 ? 2 ** 24 : -(2 ** 24)) : 0))));
  const form = /** @type {Form} */ ({ form: "rows", answers: 60, knots: 60, rows: weights });
  assert.equal(timesRight([promised(form)]), 58); // 4 to 3
  assert.equal(timesRight([{ loss: [1, 1], pairs: hardestPairs(form) }]), 100);
});
