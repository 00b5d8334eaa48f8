import assert from "node:assert/strict";
import test from "node:test";

import { isLogarithm, isWithinLoss, timesRight } from "../../static/js/loss.js";
import { TOTAL } from "../../static/js/randomize.js";
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

test("a guess from even odds is right at most E/(1 + E) of the time, rounded up", () => {
  assert.equal(timesRight([[3, 1]]), 75);
  assert.equal(timesRight([[1, 1]]), 50);
  assert.equal(timesRight([[3 * 2 ** 30 + 1, 2 ** 30 - 1]]), 76);
});

test("the ratios of reports that are made together multiply, and one part in 2**64 decides", () => {
  assert.equal(timesRight([[3, 1], [2, 1]]), 86); // 6 of 7
  assert.equal(timesRight([[3, 1]], 2), 90);
  const [top, bottom] = [3 * 2 ** 30, 2 ** 30];
  assert.equal(timesRight([[top, bottom], [top, bottom]]), 90);
  assert.equal(timesRight([[top + 1, bottom], [top, bottom]]), 91);
});

test("more than 99 in 100 is 100, however many reports there are", () => {
  assert.equal(timesRight([[99, 1]]), 99);
  assert.equal(timesRight([[100, 1]]), 100);
  assert.equal(timesRight([[100, 1]], 1e6), 100);
});
