import assert from "node:assert/strict";
import test from "node:test";

import { randomize, TOTAL } from "../../static/js/chance/randomize.js";
import { vectors } from "./vectors.js";

const { channels, refused } = vectors("randomize");

for (const { name, weights, cells } of channels) {
  test(`the first and the last word of every cell give its report: ${name}`, () => {
    assert.ok(cells.length > 0);
    for (const { answer, word, report } of cells) assert.equal(randomize(weights, answer, word), report);
  });
}

for (const { name, weights, answer, word, parameter } of refused) {
  test(`what Python refuses is refused, by name: ${name}`, () => {
    assert.throws(() => randomize(weights, answer, word), (/** @type {Error} */ error) => {
      assert.ok(error instanceof RangeError || error instanceof TypeError);
      assert.match(error.message, new RegExp(`^${parameter}\\b`));
      return true;
    });
  });
}

test("words that are not numbers at all are refused", () => {
  const fair = [[TOTAL / 2, TOTAL / 2], [TOTAL / 2, TOTAL / 2]];
  for (const word of [undefined, null, "1", 1n, NaN, Infinity, 0.5, true]) {
    assert.throws(() => randomize(fair, 0, /** @type {any} */ (word)), /^\w+: word must/);
  }
});

test("a row is walked to its end whatever the word is, so that no word takes less work", () => {
  const quarter = TOTAL / 4;
  let read = 0;
  const row = new Proxy([quarter, quarter, quarter, quarter], {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) read += 1;
      return Reflect.get(target, key);
    },
  });
  const reads = [0, quarter, 2 * quarter, TOTAL - 1].map((word) => {
    read = 0;
    randomize([row, row], 0, word);
    return read;
  });
  assert.equal(new Set(reads).size, 1, `reads per word: ${reads}`);
});
