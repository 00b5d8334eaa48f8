import assert from "node:assert/strict";
import test from "node:test";

import { affected, numberOf, shownAs, tableOf } from "../../static/js/drafts/typed.js";

test("a number is read with a point or a comma, and with either minus", () => {
  for (const [text, value] of /** @type {[string, number][]} */ ([
    ["1.5", 1.5], ["1,5", 1.5], [" 12 ", 12], ["−3", -3], ["-0,25", -0.25], ["1e-6", 1e-6], ["1.", 1], [",5", 0.5], ["0,125", 0.125],
  ])) assert.equal(numberOf(text), value, text);
});

test("what is no number, or nobody knows which, stays the text that was typed", () => {
  for (const text of ["", "abc", "1,,5", "1.000,5", "1,000", "12,500", "1 000", "0x10", "1e999", "Infinity", "--1", "9999999999999999"]) assert.equal(numberOf(text), text);
});

test("a table has a line for each row, and is shown as it was typed", () => {
  assert.deepEqual(tableOf("0 1\n1, 0\n"), [[0, 1], [1, 0]]);
  assert.equal(tableOf("0 one\n1 0"), "0 one\n1 0");
  assert.equal(tableOf("  "), "");
  assert.equal(shownAs([[0, 1.5], [1, 0]]), "0 1.5\n1 0");
  assert.deepEqual([shownAs(1e-6), shownAs("1,,5"), shownAs(undefined)], ["0.000001", "1,,5", ""]);
});

const QUESTION = "n0123456789ab";

test("what is typed asks for the figures that follow from it, and of texts calmly", () => {
  for (const [unit, about, calm] of /** @type {[string, string, boolean][]} */ ([
    [`${QUESTION}.epsilon`, QUESTION, false], [`${QUESTION}.wording.en`, QUESTION, true], [`${QUESTION}.${QUESTION}.text.ko`, QUESTION, true],
    [`${QUESTION}.section`, "all", false], [`${QUESTION}.always`, "all", false], ["expected", "all", false], ["budget.limit", "total", false],
    [`${QUESTION}.linked`, "all", false], [`${QUESTION}.title.en`, QUESTION, true],
  ])) assert.deepEqual(affected(unit), { about, calm }, unit);
});

test("what no figure depends on asks for none", () => {
  for (const unit of [`${QUESTION}.id`, "title.en", "slug", "results.step"]) assert.equal(affected(unit).about, "", unit);
});
