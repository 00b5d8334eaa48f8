import assert from "node:assert/strict";
import test from "node:test";

import { copy } from "../../static/js/page/copying.js";

/** A field that notes what is done to it. */
function field() {
  /** @type {string[]} */
  const done = [];
  return { value: "https://example.org/s/health", done, focus: () => { done.push("focus"); }, select: () => { done.push("select"); } };
}

test("a text is copied, and stays selected to be seen", async () => {
  /** @type {string[]} */
  const copied = [];
  const link = field();
  assert.equal(await copy(link, { writeText: async (text) => { copied.push(text); } }), "copied");
  assert.deepEqual(copied, [link.value]);
  assert.deepEqual(link.done, ["focus", "select"]);
});

test("where the clipboard is missing the text is selected", async () => {
  const link = field();
  assert.equal(await copy(link, undefined), "selected");
  assert.deepEqual(link.done, ["focus", "select"]);
});

test("where the browser refuses the text is selected", async () => {
  const refuse = async () => { throw new Error("not allowed"); };
  assert.equal(await copy(field(), { writeText: refuse }), "selected");
});
