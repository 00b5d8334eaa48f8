import assert from "node:assert/strict";
import test from "node:test";

import { drawSubset, NOT_DRAWN, randomizeBoxes } from "../../static/js/chance/sample.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import { vectors } from "./vectors.js";

const { draws } = vectors("subsets");
const { cases } = vectors("boxes");

for (const { places, size, word, drawn } of draws) {
  test(`word ${word} draws ${drawn.length > 20 ? size : drawn} of ${places}`, () => {
    assert.deepEqual(drawSubset(places, size, word), drawn);
  });
}

for (const { name, box, sampled, answers, words, reports } of cases) {
  test(`a report for every box drawn, and none for the others: ${name}`, () => {
    assert.deepEqual(randomizeBoxes(box, sampled, answers, words).reports, reports);
  });
}

test("which boxes are drawn does not depend on the answers", () => {
  const half = TOTAL / 2;
  for (let step = 0; step < 300; step += 1) {
    const words = [1, 2, 3].map((turn) => (step * turn * 2654435761) % TOTAL);
    const drawn = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 1, 0]].map((answers) => (
      randomizeBoxes([[half, half], [half, half]], 2, answers, words).reports.map((report) => report === NOT_DRAWN)));
    assert.deepEqual(drawn[0], drawn[1]);
    assert.deepEqual(drawn[0], drawn[2]);
    assert.equal(drawn[0]?.filter(Boolean).length, 3);
  }
});

test("a word that is missing is refused, not made up", () => {
  const half = TOTAL / 2;
  assert.throws(() => randomizeBoxes([[half, half], [half, half]], 1, [0, 1], [0]), /word must/);
  assert.throws(() => randomizeBoxes([[half, half], [half, half]], 1, [0, 1], []), /word must/);
});
