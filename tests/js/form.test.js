import assert from "node:assert/strict";
import test from "node:test";

import { isFormWithinLoss, randomizeForm, requireForm, row, rows } from "../../static/js/chance/compact_form.js";
import { isGuarantee, isWithinDelta } from "../../static/js/chance/gaussian.js";
import { keepsLoss } from "../../static/js/chance/loss.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import "../../static/js/chance/set_forms.js";
import { vectors } from "./vectors.js";

const { forms, refused, losses, deltas } = vectors("form");

for (const { name, form, cells, loss } of forms) {
  test(`the first and the last word of every cell give its report: ${name}`, () => {
    assert.ok(cells.length > 0);
    for (const { answer, word, report } of cells) assert.equal(randomizeForm(form, answer, word), report);
  });

  test(`every row sums to the number of words, in whole numbers, and keeps the loss: ${name}`, () => {
    for (const weights of rows(form)) assert.equal(weights.reduce((sum, weight) => sum + weight, 0), TOTAL);
    assert.equal(isFormWithinLoss(form, loss), loss[1] > 0);
  });
}

for (const { name, form } of refused) {
  test(`no form is taken that Python refuses: ${name}`, () => {
    assert.throws(() => { requireForm(form); for (const _ of rows(form)); }, (error) => (
      error instanceof RangeError || error instanceof TypeError));
    assert.throws(() => randomizeForm(form, 0, 0));
    assert.equal(isFormWithinLoss(form, [3, 1]), false);
  });
}

for (const { name, form, loss, ok } of losses) {
  test(`the promise of the form ${ok ? "holds" : "is refused"}: ${name}`, () => {
    assert.equal(isFormWithinLoss(form, loss), ok);
  });
}

for (const { name, form, ratio, delta_weight: weight, ok } of deltas) {
  test(`the promise of the Gaussian ${ok ? "holds" : "is refused"}: ${name}`, () => {
    assert.equal(isWithinDelta(form, ratio, weight), ok);
  });
}

test("a row without a published form of its own follows from its neighbours: mixed, rounded up, the largest pays", () => {
  assert.deepEqual(row({ form: "rows", answers: 4, knots: 2, rows: [[10, 0], [0, 10]] }, 1), [6, 4]);
  assert.deepEqual(row({ form: "rows", answers: 3, knots: 3, rows: [[6, 2, 1], [2, 5, 2]] }, 2), [1, 2, 6]);
});

test("an answer and a word outside their ranges are refused by name", () => {
  const form = forms[0].form;
  for (const answer of [-1, 10 ** 6, 0.5, "0", null]) {
    assert.throws(() => randomizeForm(form, /** @type {any} */ (answer), 0), /answer must/);
  }
  for (const word of [-1, TOTAL, 0.5, "0", null]) {
    assert.throws(() => randomizeForm(form, 0, /** @type {any} */ (word)), /word must/);
  }
});

test("a column that only one row makes rare is found, wherever the row is", () => {
  const half = TOTAL / 2;
  const fair = Array.from({ length: 50 }, () => [half, half]);
  for (const place of [0, 25, 49]) {
    assert.equal(keepsLoss(fair, [2, 1]), true);
    assert.equal(keepsLoss(fair.with(place, [TOTAL - 10, 10]), [2, 1]), false);
  }
});

test("the Gaussian's decimals must be those of its fraction, and delta no less than its weight", () => {
  const ratio = [Math.floor(Math.E * TOTAL), TOTAL];
  assert.equal(isGuarantee(1, 1e-6, ratio, Math.floor(1e-6 * TOTAL)), true);
  assert.equal(isGuarantee(0.9, 1e-6, ratio, Math.floor(1e-6 * TOTAL)), false);
  assert.equal(isGuarantee(1, 1e-6, ratio, Math.floor(1e-6 * TOTAL) + 1), false);
  assert.equal(isGuarantee(1, 1, ratio, 1), false);
});

test("the longest table of noise is checked row by row", () => {
  const { form, loss } = forms.reduce((/** @type {any} */ most, /** @type {any} */ next) => (
    (next.form.tails?.length ?? 0) > (most.form.tails?.length ?? 0) ? next : most));
  assert.ok(form.tails.length > 1);
  assert.equal(isFormWithinLoss(form, loss), true);
});
