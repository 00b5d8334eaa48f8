import assert from "node:assert/strict";
import test from "node:test";

import { EDGE, inside, steps } from "../../static/js/lessons/composition/steps.js";

test("every report is one step of epsilon, up for a yes and down for a no", () => {
  assert.deepEqual(steps([1, 1, 0, 1], 0.5), [[0, 0], [1, 0.5], [2, 1], [3, 0.5], [4, 1]]);
  assert.deepEqual(steps([], 2), [[0, 0]]);
});

test("a walk is drawn to the very edge of its picture, and again from where it comes back", () => {
  const walked = steps([1, 1, 1, 1, 1, 0, 0, 0], 2); // 8 is beyond the edge, and so is 10
  const shown = inside(walked);
  const [out, gap, back] = shown.slice(4, 7);
  assert.deepEqual(shown.slice(0, 4), walked.slice(0, 4));
  assert.deepEqual([out?.[1], back?.[1]], [EDGE, EDGE]);
  assert.ok(Math.abs((out?.[0] ?? 0) - (3 + (EDGE - 6) / 2)) < 1e-12);
  assert.ok(Math.abs((back?.[0] ?? 0) - (6 + (8 - EDGE) / 2)) < 1e-12);
  assert.ok(Number.isNaN(gap?.[0]));
  assert.deepEqual(shown.slice(7), walked.slice(7));
  assert.deepEqual(inside([[0, 0], [1, -EDGE]]), [[0, 0], [1, -EDGE]]);
});
