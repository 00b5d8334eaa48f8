import assert from "node:assert/strict";
import test from "node:test";

import { fromUnits, isNode, isOrder, isSame, nodeAt, ownerOf, setUnit, unitHash, units, valueOf } from "../../static/js/drafts/units.js";
import { vectors } from "./vectors.js";

const { document: draft, units: whole, hashes, values } = vectors("draft");

test("a draft is taken apart as Python does it, and put together again", () => {
  assert.deepEqual(units(draft), whole);
  assert.deepEqual(fromUnits(whole), draft);
});

test("the hash of a unit is that of Python", () => {
  for (const [unit, hash] of Object.entries(hashes)) assert.equal(unitHash(whole[unit]), hash, unit);
  for (const [value, hash] of values) assert.equal(unitHash(value), hash, JSON.stringify(value));
});

test("what is empty is no unit, and the same as nothing", () => {
  assert.deepEqual(units({ sections: [], questions: [], title: { en: "" }, results: {}, quick_exit: false, asked: 0 }), { asked: 0 });
  assert.ok(isSame("", undefined) && isSame({}, null) && !isSame(0, undefined) && !isSame("1", 1));
});

test("a unit says what it is and to whom it belongs", () => {
  const [question, option] = ["n0123456789ab", "nba9876543210"];
  assert.deepEqual([question, `${question}.${option}`, `${question}.epsilon`, "title.en"].map(isNode), [true, true, false, false]);
  assert.deepEqual(["sections", "questions", `${question}.options`, "options", `${question}.epsilon`].map(isOrder), [true, true, true, false, false]);
  assert.deepEqual([`${question}.${option}.text.en`, question, "slug"].map(ownerOf), [question, question, ""]);
});

test("a unit is read and written where it stands", () => {
  const copy = structuredClone(draft);
  for (const [unit, value] of Object.entries(whole)) if (!isNode(unit) && !isOrder(unit)) assert.deepEqual(valueOf(copy, unit), value, unit);
  setUnit(copy, "n000000000002.n000000000003.text.ko", "없음");
  setUnit(copy, "n000000000005.skip", "apart");
  setUnit(copy, "title.en", "");
  setUnit(copy, "n00000000000f.epsilon", 1);
  assert.equal(valueOf(copy, "n000000000002.n000000000003.text.ko"), "없음");
  assert.equal(nodeAt(copy, "n000000000005")?.["skip"], "apart");
  assert.deepEqual(Object.keys(units(copy)).filter((unit) => !(unit in whole)), ["n000000000002.n000000000003.text.ko", "n000000000005.skip"]);
  assert.equal(valueOf(copy, "n00000000000f.epsilon"), undefined);
});
