import assert from "node:assert/strict";
import { createHash, randomBytes, randomInt } from "node:crypto";
import test from "node:test";

import { firstBits, hex, leafOf, read } from "../../static/js/public/counted_list.js";
import { sha256 } from "../../static/js/public/sha256.js";

/** @param {...(Uint8Array | number[])} parts */
const known = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();

/** @param {number} count */
const half = (count) => 2 ** Math.floor(Math.log2(count - 1));

/** @param {Buffer[]} leaves @returns {Buffer} */
function rootOf(leaves) {
  if (leaves.length === 1) return /** @type {Buffer} */ (leaves[0]);
  const middle = half(leaves.length);
  return known([1], rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)));
}

/** @param {Buffer[]} leaves @param {number} start @param {number} end @returns {Buffer[]} */
function pathOf(leaves, start, end, low = 0, high = leaves.length) {
  if (high <= start || low >= end) return [rootOf(leaves.slice(low, high))];
  if (low >= start && high <= end) return [];
  const middle = low + half(high - low);
  return [...pathOf(leaves, start, end, low, middle), ...pathOf(leaves, start, end, middle, high)];
}

/** @param {Buffer[]} leaves @param {number} start @param {number} end */
function answer(leaves, start, end, path = pathOf(leaves, start, end)) {
  const numbers = Buffer.alloc(12);
  [leaves.length, start, end - start].forEach((number, place) => numbers.writeUInt32BE(number, 4 * place));
  return new Uint8Array(Buffer.concat([numbers, ...leaves.slice(start, end), ...path]));
}

test("the hash is that of the standard, at every length around a block", () => {
  for (let length = 0; length < 200; length++) {
    const message = randomBytes(length);
    assert.equal(hex(sha256(new Uint8Array(message))), known(message).toString("hex"));
  }
});

test("a leaf is the one that Python computes", () => {
  const leaf = leafOf(`${"00".repeat(16)}-1`, [1]);
  assert.equal(leaf && hex(leaf).slice(0, 16), "6640b1a1de0cd691"); // survey/counted_list.py
  const salt = known(Buffer.from("candor leaf"), Buffer.alloc(16, 0xab)).subarray(0, 16);
  const wide = leafOf(`${"ab".repeat(16)}-007-258`, [1, 2]);
  assert.equal(wide && hex(wide), known([0], salt, [7, 1, 2]).toString("hex"));
});

test("what is no receipt number of the survey has no leaf", () => {
  const receipt = "ab".repeat(16);
  for (const number of ["", receipt, `${receipt}-`, `${receipt}-1-2-3`, `${receipt}-1`, `${receipt}-256-1`, `${receipt}-1-65536`,
    `${receipt}-1--1`, `${receipt}-a-1`, `${receipt.slice(1)}-1-1`, `g${receipt.slice(1)}-1-1`]) assert.equal(leafOf(number, [1, 2]), null);
});

test("the first bits of a leaf", () => {
  assert.deepEqual([0, 3, 9].map((count) => firstBits(new Uint8Array([0b10100000, 0b11000000]), count)), ["", "101", "101000001"]);
});

test("any neighbouring leaves with their path lead to the root", () => {
  for (const count of [1, 2, 3, 7, 8, 9, 100, 129]) {
    const leaves = Array.from({ length: count }, () => randomBytes(32)).sort(Buffer.compare);
    for (let turn = 0; turn < 10; turn++) {
      const start = randomInt(count);
      const end = start + 1 + randomInt(count - start);
      const said = read(answer(leaves, start, end));
      assert.equal(hex(said.root), rootOf(leaves).toString("hex"));
      assert.deepEqual(said.leaves.map(hex), leaves.slice(start, end).map((leaf) => leaf.toString("hex")));
    }
  }
});

test("an answer that was changed leads to another root, or nowhere", () => {
  const leaves = Array.from({ length: 100 }, () => randomBytes(32)).sort(Buffer.compare);
  const root = rootOf(leaves).toString("hex");
  const whole = answer(leaves, 20, 40);
  for (let place = 0; place < whole.length; place += 7) {
    const changed = Uint8Array.from(whole);
    changed.set([(changed[place] ?? 0) ^ 1], place);
    let led = "";
    try { led = hex(read(changed).root); } catch (error) { assert.ok(error instanceof RangeError); }
    assert.notEqual(led, root);
  }
  const path = pathOf(leaves, 20, 40);
  assert.throws(() => read(answer(leaves, 20, 40, path.slice(1))), RangeError);
  assert.throws(() => read(answer(leaves, 20, 40, [...path, randomBytes(32)])), RangeError);
});
