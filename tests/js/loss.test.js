import assert from "node:assert/strict";
import test from "node:test";

import { rows } from "../../static/js/chance/compact_form.js";
import { isLogarithm, isWithinLoss, timesRight } from "../../static/js/chance/loss.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import { vectors } from "./vectors.js";

for (const { name, weights, loss, ok } of vectors("loss").cases) {
  test(`the promise of the weights ${ok ? "holds" : "is refused"}: ${name}`, () => {
    assert.equal(isWithinLoss(weights, loss), ok);
  });
}

test("a loss whose smallest weight is 0 promises nothing, whatever the weights are", () => {
  const open = [[TOTAL, 0], [0, TOTAL]];
  for (const loss of [[TOTAL, 0], [0, 0], [1, 0], [], [3, 1, 1], [3.5, 1], [-3, -1], [NaN, 1]]) {
    assert.equal(isWithinLoss(open, loss), false);
  }
});

test("the comparison is exact where floating point would round: one part in 2**64 decides", () => {
  // max * smallest and min * largest differ by 1 near 2**63, far beyond the 53 bits of a double.
  const [top, bottom] = [TOTAL / 2 + 1, TOTAL / 2 - 1];
  const weights = [[top, bottom], [bottom, top]];
  assert.equal(isWithinLoss(weights, [top, bottom]), true);
  assert.equal(isWithinLoss(weights, [top - 1, bottom - 1]), true);
  assert.equal(isWithinLoss(weights, [top - 1, bottom]), false);
});

test("the decimal must be the logarithm of the fraction to 1e-9", () => {
  const loss = [3 * 2 ** 30, 2 ** 30];
  assert.equal(isLogarithm(Math.log(3), loss), true);
  assert.equal(isLogarithm(Math.log(3) + 0.9e-9, loss), true);
  assert.equal(isLogarithm(Math.log(3) - 1.1e-9, loss), false);
  assert.equal(isLogarithm(1, loss), false);
  assert.equal(isLogarithm(NaN, loss), false);
  assert.equal(isLogarithm(0, []), false);
});

/** @param {number} largest @param {number} smallest @param {number} [delta_weight] */
const report = (largest, smallest, delta_weight) => ({ loss: [largest, smallest], delta_weight });

test("a guess from even odds is right at most E/(1 + E) of the time, rounded up", () => {
  assert.equal(timesRight([report(3, 1)]), 75);
  assert.equal(timesRight([report(1, 1)]), 50);
  assert.equal(timesRight([report(3 * 2 ** 30 + 1, 2 ** 30 - 1)]), 76);
});

test("the ratios of reports that are made together multiply, and one part in 2**64 decides", () => {
  assert.equal(timesRight([report(3, 1), report(2, 1)]), 86); // 6 of 7
  assert.equal(timesRight([report(3, 1)], 2), 90);
  const [top, bottom] = [3 * 2 ** 30, 2 ** 30];
  assert.equal(timesRight([report(top, bottom), report(top, bottom)]), 90);
  assert.equal(timesRight([report(top + 1, bottom), report(top, bottom)]), 91);
});

test("with delta it is (E + delta)/(E + 1): one word out of 2**32 decides", () => {
  assert.equal(timesRight([report(3, 1, Math.floor(0.04 * TOTAL))]), 76); // 3.04 of 4
  assert.equal(timesRight([report(3, 1, Math.ceil(0.04 * TOTAL))]), 77);
  assert.equal(timesRight([report(3, 1, 1)]), 76);
});

test("deltas add up over reports and over how often they are made, to certainty and no further", () => {
  assert.equal(timesRight([report(1, 1, TOTAL / 8), report(1, 1, TOTAL / 8)]), 63); // 1.25 of 2
  assert.equal(timesRight([report(1, 1, TOTAL / 8)], 4), 75); // 1.5 of 2
  assert.equal(timesRight([report(1, 1, TOTAL / 2)], 2), 100);
  assert.equal(timesRight([report(1, 1, TOTAL / 2)], 7), 100);
});

for (const { name, form, ratio, delta_weight } of vectors("form").deltas) {
  if (!name.endsWith("its own")) continue;
  test(`no guess between two answers is right more often than that: ${name}`, () => {
    const table = [...rows(form)];
    // Told apart from even odds: whichever answer makes the report likelier.
    const right = table.map((one) => Math.max(...table.map((other) => (
      one.reduce((sum, weight, at) => sum + Math.max(weight, other[at] ?? 0), 0) / (2 * TOTAL)))));
    assert.ok(100 * Math.max(...right) <= timesRight([{ loss: ratio, delta_weight }]));
  });
}

test("more than 99 in 100 is 100, however many reports there are", () => {
  assert.equal(timesRight([report(99, 1)]), 99);
  assert.equal(timesRight([report(100, 1)]), 100);
  assert.equal(timesRight([report(100, 1)], 1e6), 100);
});

test("what is certain is not multiplied any further", () => {
  let asked = 0;
  const counted = { get loss() { asked += 1; return [TOTAL - 1, 1]; } };
  assert.equal(timesRight([counted, counted], 1e9), 100);
  assert.equal(asked, 2);
});
