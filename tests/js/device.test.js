import assert from "node:assert/strict";
import test from "node:test";

import { brightWeight, picture } from "../../static/js/devices/device.js";
import { randomize, TOTAL } from "../../static/js/chance/randomize.js";

/** @param {number} truthful @returns {number[][]} */
const channel = (truthful) => [[truthful, TOTAL - truthful], [TOTAL - truthful, truthful]];
const COIN = channel(3 * 2 ** 30);
/** @type {[string, number[][]][]} */
const DEVICES = [
  ["spinner_coin", channel(TOTAL / 2)], ["spinner_coin", channel(TOTAL / 2 + 1)], ["spinner_coin", channel(2254768441)],
  ["spinner_coin", channel(3139872772)], ["spinner_coin", channel(TOTAL - 194991)],
  ["spinner", channel(2254768441)], ["spinner", channel(3139872772)], ["spinner", channel(TOTAL - 194991)], ["coin", COIN],
];

/**
 * Every stretch of words that shows one side, found by bisection at its ends.
 *
 * @param {string} mechanism @param {number[][]} weights @param {number} answer
 */
function stretches(mechanism, weights, answer) {
  /** @param {number} word */
  const seen = (word) => {
    const { bright, side } = picture(mechanism, weights, answer, word);
    return `${bright ? "kept" : "dark"} ${side} -> ${randomize(weights, answer, word)}`;
  };
  // Where something can change: the ends of the columns and of the slices within them.
  const [no = 0] = weights[answer] ?? [];
  const send = weights[0]?.[1] ?? 0;
  const cuts = [...new Set([0, no, send, no + send, TOTAL])].filter((cut) => cut <= TOTAL).sort((a, b) => a - b);
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const [index, cut] of cuts.slice(0, -1).entries()) {
    const end = cuts[index + 1] ?? TOTAL;
    assert.equal(seen(cut), seen(end - 1), "a stretch shows one side from its first word to its last");
    assert.equal(seen(cut), seen(cut + Math.floor((end - cut) / 2)));
    lengths.set(seen(cut), (lengths.get(seen(cut)) ?? 0) + end - cut);
  }
  return Object.fromEntries(lengths);
}

for (const [mechanism, weights] of DEVICES) {
  for (const answer of [0, 1]) {
    test(`${mechanism} ${weights[0]}: the sides of answer ${answer} are as long as the integers say`, () => {
      const bright = brightWeight(mechanism, weights);
      const lengths = stretches(mechanism, weights, answer);
      const send = weights[0]?.[1] ?? 0;
      /** @type {Record<string, number>} */
      const expected = mechanism === "spinner"
        ? { [`kept null -> ${answer}`]: bright, [`dark null -> ${1 - answer}`]: TOTAL - bright }
        : { [`kept null -> ${answer}`]: bright, "dark 0 -> 0": send, "dark 1 -> 1": send };
      if (bright === 0) delete expected[`kept null -> ${answer}`];
      assert.deepEqual(lengths, expected);
      assert.equal(Object.values(lengths).reduce((sum, length) => sum + length, 0), TOTAL);
    });
  }
}

test("the picture agrees with the report: kept means the answer, a coin says what is recorded, dark Warner the other", () => {
  for (const [mechanism, weights] of DEVICES) {
    for (const answer of [0, 1]) {
      for (let step = 0; step < 4096; step += 1) {
        const word = (step * 2654435761) % TOTAL;
        const { bright, side, place } = picture(mechanism, weights, answer, word);
        const report = randomize(weights, answer, word);
        if (bright) assert.equal(report, answer);
        else assert.equal(report, mechanism === "spinner" ? 1 - answer : side);
        assert.ok(place > 0 && place < 1);
      }
    }
  }
});

test("the bright side is the same whatever the answer is, and half of it for two coins", () => {
  assert.equal(brightWeight("coin", COIN), TOTAL / 2);
  assert.equal(brightWeight("spinner_coin", channel(3139872772)), 2 * 3139872772 - TOTAL);
  assert.equal(brightWeight("spinner", channel(3139872772)), 3139872772);
});

test("a channel that the device cannot give is refused: its coins are fair, and its wheel is one for everybody", () => {
  /** @type {[string, number[][]][]} */
  const refused = [
    ["spinner_coin", [[TOTAL - 1, 1], [2, TOTAL - 2]]],
    ["spinner_coin", channel(TOTAL / 4)],
    ["spinner", [[TOTAL - 1, 1], [2, TOTAL - 2]]],
    ["coin", channel(3139872772)],
    ["coin", [...COIN, [TOTAL, 0]]],
  ];
  for (const [mechanism, weights] of refused) assert.throws(() => brightWeight(mechanism, weights), RangeError);
});
