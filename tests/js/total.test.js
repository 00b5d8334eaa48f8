/** What all answers together show, from the integers that are published: as survey/privacy/budget.py adds up. */

import assert from "node:assert/strict";
import test from "node:test";

import { keepsLimit, total } from "../../static/js/total.js";

/** @param {number[]} loss */
const report = (loss) => ({ name: "", codes: 2, loss, epsilon: Math.log(/** @type {number} */ (loss[0]) / /** @type {number} */ (loss[1])) });

/** @param {any[]} questions @param {any} [budget] @returns {Definition} */
const survey = (questions, budget) => /** @type {any} */ ({ questions, budget });

/** @param {number[]} loss */
const asked = (loss) => ({ columns: [report(loss)] });

test("ratios multiply over questions: two coins of 3 to 1 let a guess be right 9 times in 10", () => {
  const { epsilon, all, alone } = total(survey([asked([3, 1]), asked([3, 1])]));
  assert.ok(Math.abs(epsilon - 2 * Math.log(3)) < 1e-12);
  assert.deepEqual([all, alone], [90, 75]);
});

test("and over waves, but what one question shows alone stays what it is", () => {
  const { epsilon, all, alone } = total(survey([asked([3, 1])], { waves: 3 }));
  assert.ok(Math.abs(epsilon - 3 * Math.log(3)) < 1e-12);
  assert.deepEqual([all, alone], [97, 75]); // 27 of 28, rounded up
});

test("alone, the worst question counts", () => {
  assert.equal(total(survey([asked([3, 1]), asked([4, 1])])).alone, 80);
});

test("of sampled boxes those that are drawn count, and every independent box does", () => {
  const box = report([2, 1]);
  assert.equal(total(survey([{ box, sampled: 2, columns: [box, box, box, box] }])).all, 80); // 4 of 5
  assert.equal(total(survey([{ columns: [box, box, box] }])).all, 89); // 8 of 9, rounded up
});

test("where real coins may be used, the larger loss counts", () => {
  const coins = report([3, 1]);
  assert.equal(total(survey([{ columns: [{ ...report([2, 1]), by_hand: coins }] }])).all, 75);
  assert.equal(total(survey([{ columns: [{ ...report([4, 1]), by_hand: coins }] }])).all, 80);
});

test("the Gaussian counts with its ratio, and its delta in every wave", () => {
  const column = { ...report([1000, 1]), ratio: [4, 1], epsilon: Math.log(4), delta: 1e-6 };
  const found = total(survey([{ columns: [column] }], { waves: 2 }));
  assert.deepEqual([found.all, found.delta], [95, 2e-6]); // 16 of 17
});

test("a hundred questions over a thousand waves are certain at once", () => {
  const start = performance.now();
  const { all } = total(survey(Array.from({ length: 100 }, () => asked([2 ** 32 - 1, 1])), { waves: 1000 }));
  assert.equal(all, 100);
  assert.ok(performance.now() - start < 100);
});

test("a survey keeps its limit up to what a decimal can tell, and no further", () => {
  const questions = [asked([3, 1])];
  assert.equal(keepsLimit(survey(questions)), true);
  assert.equal(keepsLimit(survey(questions, { limit: Math.log(3) })), true);
  assert.equal(keepsLimit(survey(questions, { limit: 1.0986 })), false);
  assert.equal(keepsLimit(survey(questions, { limit: 2, waves: 2 })), false);
});
