import assert from "node:assert/strict";
import test from "node:test";

import { isLogarithm, isWithinLoss } from "../../static/js/chance/loss.js";
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
