import assert from "node:assert/strict";
import test from "node:test";

import { seeded } from "../../static/js/lessons/random.js";
import { MOST, readLink, writeLink } from "../../static/js/lessons/simulation/link.js";
import { count, play } from "../../static/js/lessons/simulation/play.js";
import { randomize, TOTAL } from "../../static/js/chance/randomize.js";
import { spinnerCoin, weights } from "../../static/js/theory/response.js";
import { estimateDeviation } from "../../static/js/theory/spread.js";

/** Gives one word after the other, and fails when they have run out. @param {number[]} words */
function fed(words) {
  const left = [...words];
  return Object.assign(() => {
    const [word] = left.splice(0, 1);
    assert.ok(word !== undefined, "a word too many was drawn");
    return word;
  }, { left });
}

for (const epsilon of [0.05, 1, 6]) {
  test(`one person at epsilon ${epsilon}: the report is the one that the product draws from the same word`, () => {
    const channel = weights(epsilon);
    for (const answer of [0, 1]) {
      const edge = channel[answer]?.[0] ?? 0;
      for (const word of [0, edge - 1, edge, TOTAL - 1]) {
        const words = fed([answer ? 0 : TOTAL - 1, word]); // of half a population the first word draws a yes, the last a no
        assert.deepEqual(count(0.5, 1, channel, words), { original: answer, noisy: randomize(channel, answer, word), both: answer * randomize(channel, answer, word) });
        assert.equal(words.left.length, 0);
      }
    }
  });
}

test("a share of 0 is nobody and a share of 1 everybody, whatever the words", () => {
  for (const word of [0, TOTAL - 1]) {
    assert.equal(count(0, 3, weights(1), () => word).original, 0);
    assert.equal(count(1, 3, weights(1), () => word).original, 3);
  }
});

test("every box of every person spends words of its own", () => {
  let drawn = 0;
  const next = seeded(1);
  play([0.1, 0.2, 0.3], 50, 1, () => { drawn += 1; return next(); });
  assert.equal(drawn, 2 * 3 * 50);
});

test("the same seed plays the same survey, another one another", () => {
  const survey = (/** @type {number} */ seed) => play([0.3, 0.1], 500, 1, seeded(seed));
  assert.deepEqual(survey(7), survey(7));
  assert.notDeepEqual(survey(7), survey(8));
});

test("over many surveys the estimates are right on average, spread as theory says, and 95 of 100 intervals hold the truth", () => {
  const [share, n, runs] = [0.3, 1000, 3000];
  const word = seeded(2026);
  const estimates = Array.from({ length: runs }, () => play([share], n, 1, word)).flat();
  const errors = estimates.map(({ estimated }) => estimated - n * share);
  const sd = n * estimateDeviation(share, n, spinnerCoin(1));
  const mean = errors.reduce((sum, error) => sum + error, 0) / runs;
  const square = errors.reduce((sum, error) => sum + error ** 2, 0) / runs;
  assert.ok(Math.abs(mean) < 4 * sd / Math.sqrt(runs), `mean error ${mean}`);
  assert.ok(Math.abs(Math.sqrt(square) / sd - 1) < 4 / Math.sqrt(2 * runs), `spread ${Math.sqrt(square)} instead of ${sd}`);
  const held = estimates.filter(({ inside }) => inside).length / runs;
  assert.ok(Math.abs(held - 0.95) < 4 * Math.sqrt(0.95 * 0.05 / runs), `coverage ${held}`);
});

test("nobody and parts of people are refused", () => {
  for (const n of [-1, 2.5]) assert.throws(() => play([0.5], n, 1, seeded(1)), /^RangeError: respondents must be/);
  assert.throws(() => play([0.5], 0, 1, seeded(1)), /^RangeError: respondents must be/);
  assert.throws(() => play([1.5], 10, 1, seeded(1)), /^RangeError: share must be/);
  assert.throws(() => play([0.5], 10, 0, seeded(1)), /^RangeError: epsilon must be/);
});

const STATE = { epsilon: 0.5, respondents: 200, seed: 12, boxes: [{ name: "A & B = 30 %", share: 12.5 }, { name: "베꼈다", share: 0 }, { name: "", share: 100 }] };

test("a link gives back the setting that it was made from", () => {
  assert.deepEqual(readLink(writeLink(STATE)), STATE);
});

test("a link of which anything cannot be used is not used at all", () => {
  const good = writeLink(STATE);
  const [box] = STATE.boxes;
  for (const bad of ["", "#try", good.replace("epsilon=0.5", "epsilon=0"), good.replace("respondents=200", "respondents=0"), good.replace("respondents=200", "respondents=10.5"),
    good.replace("seed=12", "seed=x"), good.replace("box=100", "box=101"), writeLink({ ...STATE, boxes: STATE.boxes.slice(0, 1) }),
    writeLink({ ...STATE, boxes: Array.from({ length: MOST + 1 }, () => ({ name: "", share: box?.share ?? 0 })) })]) {
    assert.equal(readLink(bad), null, bad);
  }
});
