import assert from "node:assert/strict";
import test from "node:test";

import { nearest } from "../../static/js/lessons/controls/handle.js";
import { drawWords, seeded } from "../../static/js/lessons/random.js";
import { read } from "../../static/js/lessons/controls/read_number.js";
import { scale, ticks } from "../../static/js/lessons/drawing/scale.js";

/** @param {number} from @param {number} to @returns {Axis} */
const axis = (from, to) => ({ title: "", from, to });

test("a scale puts the ends of an axis at the ends of its room, and the rest in proportion", () => {
  const x = scale(axis(-1, 3), 40, 240);
  assert.deepEqual([-1, 0, 3, 5].map(x), [40, 90, 240, 340]);
  const up = scale(axis(0, 10), 300, 0);
  assert.equal(up(2.5), 225);
});

test("a logarithmic scale gives every power of ten the same room", () => {
  const x = scale({ ...axis(1e-6, 1), log: true }, 0, 600);
  for (const power of [0, 1, 2, 3, 4, 5, 6]) assert.ok(Math.abs(x(10 ** (power - 6)) - 100 * power) < 1e-9);
  assert.ok(!Number.isFinite(x(0)), "nothing can be drawn at 0");
});

test("an axis without length, or a logarithmic one from 0, is refused", () => {
  assert.throws(() => scale(axis(1, 1), 0, 1), RangeError);
  assert.throws(() => scale({ ...axis(0, 1), log: true }, 0, 1), RangeError);
});

test("ticks are round, within the axis, and no more than there is room for", () => {
  assert.deepEqual(ticks(axis(0, 1), 6), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(axis(0, 1000), 4), [0, 500, 1000]);
  assert.deepEqual(ticks(axis(-0.3, 0.3), 4), [-0.2, 0, 0.2]);
  assert.deepEqual(ticks(axis(0, 0.3), 4), [0, 0.1, 0.2, 0.3], "without the dust of binary fractions");
  assert.deepEqual(ticks({ ...axis(1e-6, 1), log: true }, 4), [1e-6, 1e-4, 1e-2, 1]);
  assert.deepEqual(ticks({ ...axis(0, 3), ticks: [1, 2] }, 9), [1, 2]);
  for (const [from, to] of /** @type {[number, number][]} */ ([[0, 6], [0.05, 6], [-12.5, 3], [0, 1e-9], [1e5, 1e5 + 7]])) {
    for (const most of [2, 3, 5, 9]) {
      const found = ticks(axis(from, to), most);
      assert.ok(found.length <= Math.max(most, 3), `${found} of ${most}`);
      for (const tick of found) assert.ok(tick >= from - 1e-12 && tick <= to * (1 + 1e-12) + 1e-12, `${tick}`);
    }
  }
});

test("an axis has two numbers at least, and two besides 0 where it runs as far to both sides: one alone says nothing of its scale", () => {
  assert.deepEqual(ticks(axis(-3.7, 3.7), 4), [-2, 0, 2], "and not 0 alone, with steps of 5");
  const word = seeded(12);
  for (let round = 0; round < 20_000; round += 1) {
    const size = 10 ** (word() / 2 ** 32 * 12 - 6);
    const shape = word() / 2 ** 32;
    const [from, to] = round % 3 ? [-size * shape, size] : [size * shape * 0.9, size];
    for (const reach of round % 3 === 1 ? [axis(-size, size)] : [axis(from, to), axis(-to, -from)]) {
      for (const most of [2, 3, 4, 5, 9]) {
        const found = ticks(reach, most);
        const place = `${reach.from} to ${reach.to}, ${most}: ${found}`;
        assert.ok(found.length >= 2, place);
        if (reach.from === -reach.to) assert.ok(found.filter((tick) => tick).length >= 2, place);
        assert.ok(found.length <= Math.max(5, most + 1), place);
        assert.ok(found.every((tick) => tick >= reach.from - 1e-9 * size && tick <= reach.to + 1e-9 * size), place);
      }
    }
  }
});

const epsilon = { min: 0.05, max: 6 };

test("a field takes every number of its range, however it is written", () => {
  for (const [typed, value] of /** @type {[string, number][]} */ ([["1", 1], [" 0.05 ", 0.05], ["6.", 6], [".5", 0.5], ["1e-1", 0.1], ["1.0986122886681098", 1.0986122886681098]])) {
    assert.deepEqual(read(typed, epsilon), { value });
  }
  assert.deepEqual(read("−2", { min: -3, max: 3 }), { value: -2 }, "a typographic minus");
  for (const [typed, value] of /** @type {[string, number][]} */ ([["100,000", 100_000], ["1,000", 1000], ["99,999", 99_999]])) {
    assert.deepEqual(read(typed, { min: 10, max: 100_000, whole: true }), { value }, "as the page itself writes it");
  }
  assert.deepEqual(read("1,234.5", { min: 10, max: 100_000 }), { value: 1234.5 });
});

test("what a field cannot use is told apart: nothing, no number, outside, not whole", () => {
  assert.deepEqual(read("  ", epsilon), { problem: "control.empty" });
  for (const typed of ["abc", "1,5", "0x10", "Infinity", "NaN", "1 000", "0,500", "1,5000", "10,00", ",100", "1,000,", "--1", "1e", "."]) {
    assert.deepEqual(read(typed, epsilon), { problem: "control.number" }, typed);
  }
  for (const typed of ["0", "0.049", "6.01", "-1", "1e999"]) assert.deepEqual(read(typed, epsilon), { problem: "control.range" }, typed);
  assert.deepEqual(read("2.5", { min: 1, max: 10, whole: true }), { problem: "control.whole" });
  assert.deepEqual(read("1,5", { min: 1, max: 10, whole: true }), { problem: "control.digits" }, "a whole number is not asked for with a point");
});

test("a handle stands on a step of its range, wherever it is dragged", () => {
  const handle = /** @type {Handle} */ ({ min: 0.05, max: 6, step: 0.05 });
  assert.deepEqual([-3, 0.05, 0.974, 0.976, 5.99, 9].map((wanted) => nearest(wanted, handle)), [0.05, 0.05, 0.95, 1, 6, 6]);
});

test("words of the operating system fill a long row, also beyond what one call gives", () => {
  const words = drawWords(40_000);
  assert.equal(words.length, 40_000);
  assert.ok(new Set(words.subarray(39_900)).size > 90, "the last ones were drawn too");
});

test("a seed gives the same words again, another seed others, and they are spread evenly", () => {
  const [first, again, other] = [seeded(7), seeded(7), seeded(8)];
  const words = Array.from({ length: 20_000 }, first);
  assert.deepEqual(words.slice(0, 50), Array.from({ length: 50 }, again));
  assert.notDeepEqual(words.slice(0, 5), Array.from({ length: 5 }, other));
  assert.ok(words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32));
  const mean = words.reduce((sum, word) => sum + word, 0) / words.length / 2 ** 32;
  assert.ok(Math.abs(mean - 0.5) < 4 * Math.sqrt(1 / 12 / 20_000), `${mean}`); // four standard errors; the seed is fixed
});
