import assert from "node:assert/strict";
import test from "node:test";

import { affected } from "../../static/js/drafts/figures.js";

const QUESTION = "n0123456789ab";

test("what is typed asks for the figures that follow from it, and of texts calmly", () => {
  for (const [unit, about, calm] of /** @type {[string, string, boolean][]} */ ([
    [`${QUESTION}.epsilon`, QUESTION, false], [`${QUESTION}.wording.en`, QUESTION, true], [`${QUESTION}.${QUESTION}.text.ko`, QUESTION, true],
    [`${QUESTION}.section`, "all", false], [`${QUESTION}.always`, "all", false], ["expected", "all", false], ["budget.limit", "total", false],
  ])) assert.deepEqual(affected(unit), { about, calm }, unit);
});

test("what no figure depends on asks for none", () => {
  for (const unit of [`${QUESTION}.id`, "title.en", "slug", "results.step"]) assert.equal(affected(unit).about, "", unit);
});
