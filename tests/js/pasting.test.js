import assert from "node:assert/strict";
import test from "node:test";

import { pasteLines } from "../../static/js/drafts/pasting.js";

/** Options written as `en/ko`. @param {string[]} said @returns {DraftOption[]} */
const options = (said) => said.map((words, n) => {
  const [en, ko] = words.split("/");
  return { uid: `n${n}`, text: { ...(en && { en }), ...(ko && { ko }) } };
});

/** @type {[string, string[], number, "en" | "ko", string[], number, string[], number][]} */
const CASES = [
  ["fill options that wait, and make new ones", ["", ""], 0, "en", ["a", "b", "c"], 9, ["a/", "b/", "c/"], 0],
  ["come behind an option that has a text", ["a", ""], 0, "en", ["b", "c"], 9, ["a/", "b/", "c/"], 0],
  ["come before the options behind", ["", "z"], 0, "en", ["a", "b"], 9, ["a/", "b/", "z/"], 0],
  ["go beside what they translate", ["a", "b", "c"], 0, "ko", ["가", "나", "다"], 9, ["a/가", "b/나", "c/다"], 0],
  ["go beside what they translate from the option on where they are pasted", ["a/가", "b", "c"], 1, "ko", ["나", "다", "라"], 9, ["a/가", "b/나", "c/다", "/라"], 0],
  ["leave no option behind that waits for a text", ["", "", "", "", ""], 0, "en", ["a", "b"], 9, ["a/", "b/"], 0],
  ["are counted where there is no room", ["", ""], 0, "en", ["a", "b", "c", "d"], 3, ["a/", "b/", "c/"], 1],
  ["push an empty option out where there is no room beside it", ["a", "b", ""], 0, "en", ["c"], 3, ["a/", "c/", "b/"], 0],
  ["change nothing where all is full", ["a", "b"], 0, "en", ["c"], 2, ["a/", "b/"], 1],
];

for (const [what, before, at, code, lines, most, after, left] of CASES) {
  test(`lines that are pasted into an option ${what}`, () => {
    const list = options(before);
    assert.equal(pasteLines(list, at, code, lines, most).left, left);
    assert.deepEqual(list.map(({ text }) => `${text?.["en"] ?? ""}/${text?.["ko"] ?? ""}`), after);
  });
}
