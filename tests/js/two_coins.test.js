import assert from "node:assert/strict";
import test from "node:test";

import { randomize, TOTAL } from "../../static/js/chance/randomize.js";
import { analysis, CHANNEL, deviation, survey } from "../../static/js/lessons/two_coins/survey.js";
import { drawWords, seeded } from "../../static/js/lessons/random.js";
import { estimate, standardError, TWO_COINS } from "../../static/js/theory/response.js";

test("one person: the record is the one that the product draws from the same word", () => {
  for (const word of [0, TOTAL / 4 - 1, TOTAL / 4, 3 * TOTAL / 4 - 1, 3 * TOTAL / 4, TOTAL - 1]) {
    for (const answer of [0, 1]) {
      const counts = [[0, 0], [0, 0]];
      /** @type {number[]} */ (counts[answer])[randomize(CHANNEL, answer, word)] = 1;
      assert.deepEqual(survey(answer, Uint32Array.of(word)), counts);
    }
  }
});

test("the estimate is that of the lesson's formula, also where it lies outside of what can be", () => {
  for (const counts of [[[105, 35], [15, 45]], [[180, 20], [0, 0]], [[0, 0], [10, 190]], [[9000, 5000], [1500, 4500]]]) {
    const { people, sorted, coins, left, estimate: found } = analysis(counts);
    assert.equal(sorted.yes + sorted.no, people);
    assert.equal(left.yes, sorted.yes - coins);
    assert.equal(left.yes + left.no, people / 2);
    assert.equal(found, 2 * sorted.yes - people / 2);
    assert.ok(Math.abs(found / people - estimate(sorted.yes / people, TWO_COINS)) < 1e-12);
  }
});

test("it is typically off by 12 of 200 people and by 120 of 20,000", () => {
  assert.equal(deviation(200).toPrecision(2), "12");
  assert.equal(Number(deviation(20_000).toPrecision(2)), 120);
  assert.ok(deviation(200) < 200 * standardError(0.4, 200, TWO_COINS)); // less than where the people too are drawn
});

test("over many plays the estimates are right on average and scatter as is said, whatever the true share", () => {
  const word = seeded(7);
  for (const yes of [0, 60, 100, 200]) {
    const plays = 2000;
    const errors = Array.from({ length: plays }, () => analysis(survey(yes, Uint32Array.from({ length: 200 }, word))).estimate - yes);
    const mean = errors.reduce((sum, error) => sum + error, 0) / plays;
    const root = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / plays);
    assert.ok(Math.abs(mean) < 5 * deviation(200) / Math.sqrt(plays), `mean error ${mean} of ${yes}`);
    assert.ok(Math.abs(root / deviation(200) - 1) < 5 / Math.sqrt(2 * plays), `scatter ${root} of ${yes}`);
  }
});

test("words from the operating system give an estimate within six standard errors", () => {
  const { estimate: found } = analysis(survey(6000, drawWords(20_000)));
  assert.ok(Math.abs(found - 6000) < 6 * deviation(20_000), `${found}`);
});
