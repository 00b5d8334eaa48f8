import assert from "node:assert/strict";
import test from "node:test";

import { drawWord } from "../../static/js/chance/randomize.js";

test("a word is a whole number in [0, 2**32) from crypto.getRandomValues, drawn once", (context) => {
  const draw = context.mock.method(crypto, "getRandomValues");
  const word = drawWord();
  assert.ok(Number.isInteger(word) && word >= 0 && word < 2 ** 32);
  assert.equal(draw.mock.callCount(), 1);
});

test("all of its 32 bits come from there", (context) => {
  for (const drawn of [0, 2 ** 31, 2 ** 32 - 1]) {
    context.mock.method(crypto, "getRandomValues", (/** @type {Uint32Array} */ words) => words.fill(drawn));
    assert.equal(drawWord(), drawn);
  }
});

test("where it gives nothing there is no word: it throws", (context) => {
  context.mock.method(crypto, "getRandomValues", () => new Uint32Array(0));
  assert.throws(drawWord, /gave no word/);
});

test("Math.random has no part in it", (context) => {
  context.mock.method(Math, "random", () => assert.fail("Math.random was called"));
  drawWord();
});

test("without crypto there is no word: it throws", () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.throws(drawWord, TypeError);
  } finally {
    if (real) Object.defineProperty(globalThis, "crypto", real);
  }
});
