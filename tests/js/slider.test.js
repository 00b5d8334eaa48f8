import assert from "node:assert/strict";
import test from "node:test";

import { epsilonAt, LEAST, MOST, positionOf, STEPS } from "../../static/js/drafts/slider.js";

test("the slider reaches from end to end of its scale", () => {
  assert.equal(epsilonAt(0), LEAST);
  assert.equal(epsilonAt(STEPS), MOST);
  assert.deepEqual([positionOf(LEAST), positionOf(MOST)], [0, STEPS]);
});

test("equal steps multiply epsilon by the same factor: the middle is the geometric mean", () => {
  assert.equal(epsilonAt(STEPS / 2), Number(Math.sqrt(LEAST * MOST).toPrecision(3)));
  const factor = (MOST / LEAST) ** (1 / STEPS);
  for (let position = 1; position <= STEPS; position += 1) {
    const ratio = epsilonAt(position) / epsilonAt(position - 1);
    assert.ok(Math.abs(ratio / factor - 1) < 0.011, `one press at ${position} multiplies by ${ratio}`);
  }
});

test("every position has an epsilon of its own with three digits, and the epsilon leads back to it", () => {
  for (let position = 0; position <= STEPS; position += 1) {
    const epsilon = epsilonAt(position);
    assert.equal(positionOf(epsilon), position);
    assert.ok(String(epsilon).replace(/^0\.0*|\./g, "").length <= 3, String(epsilon));
    if (position) assert.ok(epsilon > epsilonAt(position - 1));
  }
});

test("an epsilon beyond the scale stands at its end, and a position beyond it gives the end's epsilon", () => {
  assert.deepEqual([positionOf(0.001), positionOf(50)], [0, STEPS]);
  assert.deepEqual([epsilonAt(-5), epsilonAt(STEPS + 1)], [LEAST, MOST]);
});
