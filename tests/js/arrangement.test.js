import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { addGroup, addLine, addPart, addQuestion, copyQuestion, joinPart, passQuestion, placeQuestion, regroup, removeRow, templateOf } from "../../static/js/editor/arrangement.js";
import { PANELS, panelOf, pathOf, setValue, untranslated, valueOf, written } from "../../static/js/editor/model.js";

/** Questions as `name:part@scale`, with as many parts as they name. @param {string[]} said @returns {DraftState} */
function draft(said) {
  const questions = said.map((text) => {
    const [, id = "", section = "", matrix = ""] = /^(\w*)(?::(\d+))?(?:@(\w+))?$/.exec(text) ?? [];
    return { uid: id, id, section, matrix, options: [] };
  });
  const parts = Math.max(0, ...questions.map(({ section }) => Number(section || -1) + 1));
  return { questions, sections: Array.from({ length: parts }, (_, n) => ({ uid: `s${n}`, id: `part_${n}` })) };
}

/** @param {DraftState} state */
const said = ({ questions }) => questions.map(({ id, section, matrix }) => `${id}${section && `:${section}`}${matrix && `@${matrix}`}`);

/** @type {Record<string, (state: DraftState, at: number, to: number) => unknown>} */
const DO = {
  place: placeQuestion,
  up: (state, at) => passQuestion(state, at, -1),
  down: (state, at) => passQuestion(state, at, 1),
  copy: copyQuestion,
  "add-choice": (state) => addQuestion(state, { id: "", matrix: "" }),
  "add-choice-in": (state, at) => addQuestion(state, { id: "", matrix: "" }, at),
  scale: (state) => addGroup(state, { id: "", section: "", kind: "choice" }, ["en"], 100),
  line: (state, at) => addLine(state, at, ["en"]),
  remove: (state, at) => removeRow(state, "question", at),
  "remove-part": (state, at) => removeRow(state, "part", at),
};

const CASES = JSON.parse(readFileSync(new URL("./rearranged.json", import.meta.url), "utf8"));

for (const { what, at, to, before, after } of CASES) {
  test(`${what} ${at ?? ""}${to === undefined ? "" : ` to ${to}`} of ${before} gives ${after}, as on the server`, () => {
    const state = draft(before);
    DO[what]?.(state, at, to);
    assert.deepEqual(said(state), after);
  });
}

test("what was removed is put back, and a part gets its questions back", () => {
  for (const [what, at] of /** @type {["question" | "part", number][]} */ ([["question", 1], ["part", 0], ["part", 1]])) {
    const state = draft(["a:0", "b:0", "c:1"]);
    const before = structuredClone(state);
    const back = removeRow(state, what, at);
    assert.notDeepEqual(state, before);
    assert.equal(back(state), at);
    assert.deepEqual(state, before);
  }
});

test("what was removed is put back into the draft that somebody else has changed meanwhile", () => {
  const state = draft(["a:0", "b:0", "c:1"]);
  const before = structuredClone(state);
  const backs = [removeRow(state, "question", 1), removeRow(state, "part", 1)];
  const joined = structuredClone(state); // a save that joins another's gives a state of its own
  assert.deepEqual(backs.reverse().map((back) => back(joined)), [1, 1]);
  assert.deepEqual(said(joined), said(before));
  assert.deepEqual(joined.sections, before.sections);
});

test("a question comes back to its part wherever that stands by now, and into no other", () => {
  const state = draft(["a:0", "b:0", "c:1"]);
  const back = removeRow(state, "question", 2);
  removeRow(state, "part", 0); // c's part is the first now
  back(state);
  assert.deepEqual(said(state), ["a", "b", "c:0"]);

  const other = draft(["a", "x", "b:0", "c:0"]);
  const alone = removeRow(other, "question", 1);
  placeQuestion(other, 0, 2); // its old place lies between two questions of a part now
  alone(other);
  assert.deepEqual(said(other), ["b:0", "c:0", "x", "a"]);
});

test("an option comes back to its question wherever that stands by now, or nowhere without it", () => {
  const state = draft(["a", "b"]);
  Object.assign(state.questions[1] ?? {}, { options: [{ en: "one" }, { en: "two" }] });
  const back = removeRow(state, "option", 0, 1);
  placeQuestion(state, 1, 0);
  assert.equal(back(state), 0);
  assert.deepEqual(state.questions[0]?.["options"], [{ en: "one" }, { en: "two" }]);
  removeRow(state, "question", 0);
  assert.equal(back(state), -1);
});

test("a copy has a name of its own, to the page and to respondents", () => {
  const state = draft(["a"]);
  copyQuestion(state, 0);
  assert.equal(new Set(state.questions.map(({ uid }) => uid)).size, 2);
});

test("a question that is put into a part goes to the end of it", () => {
  const state = draft(["a:0", "b:0", "c", "d"]);
  Object.assign(state.questions[3] ?? {}, { section: "0" });
  assert.equal(joinPart(state, 3), 2);
  assert.deepEqual(said(state), ["a:0", "b:0", "d:0", "c"]);
});

test("lines of a group have the scale of its first, and one that was moved out is a question by itself", () => {
  const state = draft(["a", "b", "c", "d"]);
  for (const [n, each] of state.questions.entries()) Object.assign(each, { kind: "choice", epsilon: String(n), matrix: n === 2 ? "" : "scale_1" });
  regroup(state);
  assert.deepEqual(state.questions.map(({ epsilon, matrix }) => [epsilon, matrix]), [["0", "scale_1"], ["0", "scale_1"], ["2", ""], ["3", ""]]);
  assert.deepEqual([0, 1, 2].map((n) => templateOf(state, n)), ["choice-first", "choice-line", "choice"]);
});

test("a group takes no more room than there is, and a line has the scale of the one above and no texts of its own", () => {
  const state = draft([]);
  assert.equal(addGroup(state, { id: "", section: "", kind: "choice", wording: { en: "" } }, ["en", "ko"], 2), 0);
  assert.deepEqual(state.questions.map(({ options }) => options.length), [5, 5]);
  Object.assign(state.questions[0] ?? {}, { id: "a", epsilon: "2", wording: { en: "What?" } });
  assert.equal(addLine(state, 0, ["en", "ko"]), 1);
  assert.deepEqual(state.questions.map(({ id, epsilon, wording }) => [id, epsilon, wording["en"]])[1], ["q3", "2", ""]);
  assert.equal(new Set(state.questions.map(({ uid }) => uid)).size, 3);
});

test("a question that comes back has another name where its own was given away meanwhile", () => {
  const state = draft(["q1", "q2"]);
  const back = removeRow(state, "question", 1);
  addQuestion(state, { id: "", matrix: "" });
  back(state);
  assert.deepEqual(said(state), ["q1", "q3", "q2"]);
});

test("a part has a name that no other has", () => {
  const state = draft([]);
  assert.deepEqual([addPart(state, ["en"]), addPart(state, ["en"])], [0, 1]);
  assert.deepEqual(state.sections.map(({ id }) => id), ["part_1", "part_2"]);
});

test("a field's name leads to its value", () => {
  assert.deepEqual(pathOf("questions-2-options-1-zh-Hant"), ["questions", 2, "options", 1, "zh-Hant"]);
  assert.deepEqual(pathOf("questions-0-by_hand"), ["questions", 0, "by_hand"]);
  assert.deepEqual(pathOf("sections-1-title-ko"), ["sections", 1, "title", "ko"]);
  assert.deepEqual(pathOf("title-zh-Hant"), ["title", "zh-Hant"]);
  assert.deepEqual(pathOf("languages"), ["languages_"]);
  assert.deepEqual(["sha256", "alt-zh-Hant"].map((key) => pathOf(`questions-0-picture-${key}`)), [["questions", 0, "picture", "sha256"], ["questions", 0, "picture", "alt", "zh-Hant"]]);
  const state = draft(["a"]);
  setValue(state, "questions-0-wording-en", "What?");
  assert.equal(valueOf(state, "questions-0-wording-en"), "What?");
  assert.equal(valueOf(state, "questions-7-wording-en"), undefined);
});

test("a field's name leads to its panel", () => {
  Object.assign(PANELS, { start: ["title"], plan: ["asked"], end: ["quick_exit_to"], results: ["step"] });
  const places = ["questions-2-wording-en", "sections-0-id", "title-ko", "asked", "quick_exit_to", "step", "question-3", "elsewhere"];
  assert.deepEqual(places.map(panelOf), ["question-3", "part-1", "start", "plan", "end", "results", "question-3", "none"]);
});

test("texts are counted that one language has and another lacks", () => {
  const state = { questions: [], sections: [], languages_: ["en"], title: { en: "Rest", ko: " " }, help: { en: "", ko: "" }, closing: { en: "Bye", ko: "안녕" } };
  assert.deepEqual(untranslated(state, ["en", "ko"]), new Map([["en", 0], ["ko", 1]]));
  assert.deepEqual(written(state, ["en", "ko", "de"]), ["en", "ko"]);
});
