import assert from "node:assert/strict";
import test from "node:test";

import { joinedWith, putBack } from "../../static/js/editor/joining.js";

/** @param {string[]} parts @param {string[]} questions each as `uid:part` @param {Record<string, unknown>} [more] @returns {DraftState} */
const draft = (parts, questions, more = {}) => ({
  title: { en: "Rest" },
  sections: parts.map((uid) => ({ uid })),
  questions: questions.map((text) => ({ uid: text.split(":")[0] ?? "", section: text.split(":")[1] ?? "", epsilon: "1" })),
  ...more,
});
const theirs = (/** @type {string[]} */ ...names) => ({ by: "eve", basis: "", theirs: Object.fromEntries(names.map((name) => [name, name])), mine: {}, own: false, over: {} });

test("without a keystroke since, what is stored is what stands there", () => {
  const sent = draft([], ["a", "b"]);
  const stored = draft([], ["a", "c", "b"], { step: "60" });
  assert.deepEqual(joinedWith(structuredClone(sent), sent, stored, theirs("c", "step")), stored);
});

test("what was typed since goes with what somebody else has changed, wherever its question stands now", () => {
  const sent = draft(["p"], ["a", "b:0"]);
  const now = structuredClone(sent);
  Object.assign(now.questions[1] ?? {}, { epsilon: "3" });
  now["title"] = { en: "Work" };
  const stored = draft(["q", "p"], ["c:0", "a", "b:1"]);
  const both = joinedWith(now, sent, stored, theirs("c", "q"));
  assert.deepEqual(both?.questions.map(({ uid, section, epsilon }) => [uid, section, epsilon]), [["c", "0", "1"], ["a", "", "1"], ["b", "1", "3"]]);
  assert.deepEqual(both?.["title"], { en: "Work" });
});

test("into what somebody else has changed or taken away nothing is typed over", () => {
  const sent = draft([], ["a", "b"]);
  const now = structuredClone(sent);
  Object.assign(now.questions[0] ?? {}, { epsilon: "3" });
  assert.equal(joinedWith(now, sent, draft([], ["a", "b"]), theirs("a")), null);
  assert.equal(joinedWith(now, sent, draft([], ["b"]), theirs("a")), null);
  assert.equal(joinedWith({ ...sent, title: { en: "Mine" } }, sent, sent, theirs("title")), null);
  assert.equal(joinedWith(draft([], ["b", "a"]), sent, sent, theirs("title")), null);
});

test("what another window of mine had comes back where it stands now, and what was removed here comes last", () => {
  const now = draft(["p"], ["b:0", "a"]);
  const was = { uid: "b", section: "p", wording: {}, epsilon: "2" };
  const result = putBack(now, { b: was, p: { uid: "p", title: "Part" }, title: { en: "Work" }, gone: { ...was, uid: "gone" } });
  assert.deepEqual(result.questions.map(({ uid, section, epsilon }) => [uid, section, epsilon]), [["b", "0", "2"], ["a", "", "1"], ["gone", "", "2"]]);
  assert.deepEqual([result.sections, result["title"]], [[{ uid: "p", title: "Part" }], { en: "Work" }]);
});
