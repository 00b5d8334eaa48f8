import assert from "node:assert/strict";
import test from "node:test";

import { randomizeLinked } from "../../static/js/chance/linked.js";
import { vectors } from "./vectors.js";

for (const linked of vectors("linked").cases) {
  test(`one word gives a report on every linked question: ${linked.name}`, () => {
    for (const { sizes, draws } of linked.sets) {
      for (const { answers, word, reports } of draws) {
        assert.deepEqual(randomizeLinked(linked, sizes, answers ?? undefined, word), reports);
      }
    }
  });
}

test("an answer that is missing or out of range is refused, not made up", () => {
  const [two] = vectors("linked").cases;
  assert.throws(() => randomizeLinked(two, [2, 2], undefined, 0), /answers must/);
  assert.throws(() => randomizeLinked(two, [2, 2], [1], 0), /answers must/);
  assert.throws(() => randomizeLinked(two, [2, 2], [1, 2], 0), /answers must/);
  assert.throws(() => randomizeLinked(two, [2, 2], [1, 1], 2 ** 32), /word must/);
});
