import assert from "node:assert/strict";
import test from "node:test";

import { addGroup, addLine, addQuestion, addSection, copyQuestion, joinSection, leadingUnit, passQuestion, placeQuestion, putBack, remove, templateOf, tidy } from "../../static/js/drafts/arrangement.js";
import { languagesOfTexts } from "../../static/js/drafts/languages.js";
import { units } from "../../static/js/drafts/units.js";

/** @param {string} name @returns {string} the same uid for the same name */
const uidOf = (name) => `n${Buffer.from(name).toString("hex").padStart(12, "0")}`;

/** Questions as `name:section@scale`, with the sections that they name. @param {string[]} said @returns {Draft} */
function draft(said) {
  const questions = said.map((text) => {
    const [, id = "", section, matrix] = /^(\w*)(?::(\w+))?(?:@(\w+))?$/.exec(text) ?? [];
    return { uid: uidOf(id), id, ...(section && { section: uidOf(section) }), ...(matrix && { matrix }) };
  });
  const names = new Set(said.flatMap((text) => /:(\w+)/.exec(text)?.[1] ?? []));
  return { questions, sections: [...names].map((id) => ({ uid: uidOf(id), id })) };
}

/** @param {Draft} document */
const said = ({ questions, sections }) => questions.map(({ id, section, matrix }) => (
  `${id}${section ? `:${sections.find(({ uid }) => uid === section)?.id}` : ""}${matrix ? `@${matrix}` : ""}`));

/** @type {Record<string, (document: Draft, uid: string, to: any) => unknown>} */
const DO = {
  place: placeQuestion,
  up: (document, uid) => passQuestion(document, uid, -1),
  down: (document, uid) => passQuestion(document, uid, 1),
  copy: copyQuestion,
  add: (document, _, section) => addQuestion(document, {}, section && uidOf(section)),
  scale: (document) => addGroup(document, { kind: "choice" }, 100),
  line: addLine,
  remove,
};

/** What is done to which question, with what, and the questions before and after. @type {[string, string, any, string, string][]} */
const CASES = [
  ["place", "d", 0, "a b c d", "d a b c"],
  ["place", "a", 9, "a b c d", "b c d a"],
  ["place", "d", 1, "a:p b:p c d", "a:p d:p b:p c"],
  ["place", "d", 2, "a:p b:p c d", "a:p b:p d c"],
  ["place", "a", 1, "a:p b:p c d", "b:p a:p c d"],
  ["place", "a", 3, "a:p b:p c d", "b:p c d a"],
  ["place", "a", 2, "a:p b c", "b c a:p"],
  ["up", "c", undefined, "a:p b:p c", "c a:p b:p"],
  ["up", "b", undefined, "a:p b:p c", "b:p a:p c"],
  ["up", "a", undefined, "a:p b:p c", "a:p b:p c"],
  ["down", "b", undefined, "a:p b:p c:r d:r e", "c:r d:r a:p b:p e"],
  ["down", "c", undefined, "a b c", "a b c"],
  ["copy", "a", undefined, "a a_2 b", "a a_3 a_2 b"],
  ["copy", "a_2", undefined, "a a_2:p b:p", "a a_2:p a_3:p b:p"],
  ["remove", "b", undefined, "a b c", "a c"],
  ["remove", "p", undefined, "a:p b:p c:r d:r", "a b c:r d:r"],
  ["scale", "", undefined, "a b@scale_1", "a b@scale_1 q3@scale_2 q4@scale_2 q5@scale_2"],
  ["scale", "", undefined, "", "q1@scale_1 q2@scale_1 q3@scale_1"],
  ["line", "a", undefined, "a:p@scale_1 b:p@scale_1 c:p", "a:p@scale_1 q4:p@scale_1 b:p@scale_1 c:p"],
  ["line", "b", undefined, "a@scale_1 b@scale_1", "a@scale_1 b@scale_1 q3@scale_1"],
  ["add", "", undefined, "a:p b", "a:p b q3"],
  ["add", "", "p", "a:p b:p c:r d", "a:p b:p q5:p c:r d"],
  ["add", "", "r", "a:p b:p c:r d", "a:p b:p c:r q5:r d"],
  ["add", "", undefined, "q1 q3", "q1 q3 q4"],
  ["copy", "q1", undefined, "q1 b", "q1 q3 b"],
];

for (const [what, at, to, before, after] of CASES) {
  test(`${what} ${at}${to === undefined ? "" : ` to ${to}`} of ${before} gives ${after}`, () => {
    const document = draft(before.split(" ").filter(Boolean));
    DO[what]?.(document, uidOf(at), to);
    tidy(document);
    assert.equal(said(document).join(" "), after);
  });
}

test("what was removed is put back: a question into its section, and a section with its questions", () => {
  for (const name of ["b", "p", "r"]) {
    const document = draft(["a:p", "b:p", "c:r"]);
    const before = units(document);
    remove(document, uidOf(name));
    assert.notDeepEqual(units(document), before);
    const back = /** @type {Draft} */ (putBack(document, before, uidOf(name)));
    tidy(back);
    assert.deepEqual(units(back), before, name);
  }
});

test("what was removed is put back into the draft as it is by then", () => {
  const document = draft(["a:p", "b:p", "c:r", "d"]);
  const before = units(document);
  remove(document, uidOf("c"));
  remove(document, uidOf("p"));
  placeQuestion(document, uidOf("d"), 0);
  assert.deepEqual(said(/** @type {Draft} */ (putBack(document, before, uidOf("c")))), ["d", "a", "b", "c:r"]);
});

test("an option comes back to its question wherever that stands by now, or nowhere without it", () => {
  const document = draft(["a", "b"]);
  const [never, daily] = [{ uid: uidOf("x"), text: { en: "Never" } }, { uid: uidOf("y"), text: { en: "Daily" } }];
  Object.assign(document.questions[1] ?? {}, { options: [never, daily] });
  const before = units(document);
  const option = `${uidOf("b")}.${never.uid}`;
  remove(document, option);
  assert.deepEqual(document.questions[1]?.options, [daily]);
  placeQuestion(document, uidOf("b"), 0);
  assert.deepEqual(putBack(document, before, option)?.questions[0]?.options, [never, daily]);
  remove(document, uidOf("b"));
  assert.equal(putBack(document, before, option), null);
});

test("a question that comes back has another name where its own was given away meanwhile", () => {
  const document = draft(["q1", "q2"]);
  const before = units(document);
  remove(document, uidOf("q2"));
  addQuestion(document, {});
  assert.deepEqual(putBack(document, before, uidOf("q2"))?.questions.map(({ id }) => id), ["q1", "q3", "q2"]);
});

test("a copy has uids of its own, also its options", () => {
  const document = draft(["a"]);
  Object.assign(document.questions[0] ?? {}, { options: [{ uid: uidOf("x") }] });
  copyQuestion(document, uidOf("a"));
  assert.equal(new Set(document.questions.flatMap(({ uid, options }) => [uid, options?.[0]?.uid])).size, 4);
});

test("a question that is put into a section goes to the end of it, unless it stands beside it", () => {
  for (const [before, after] of /** @type {[string[], string[]][]} */ ([
    [["a:p", "b:p", "c", "x:p"], ["a:p", "b:p", "x:p", "c"]],
    [["x:p", "c", "a:p", "b:p"], ["c", "a:p", "b:p", "x:p"]],
    [["c", "x:p", "a:p", "b:p"], ["c", "x:p", "a:p", "b:p"]],
    [["x:p", "c"], ["x:p", "c"]],
  ])) {
    const document = draft(before);
    joinSection(document, uidOf("x"));
    tidy(document);
    assert.deepEqual(said(document), after);
  }
});

test("questions of a section stand together, and sections in the order of their questions", () => {
  const document = draft(["a:p", "c:r", "b:p"]);
  document.sections.reverse();
  tidy(document);
  assert.deepEqual(said(document), ["a:p", "b:p", "c:r"]);
  assert.deepEqual(document.sections.map(({ id }) => id), ["p", "r"]);
});

test("lines of a group have the scale of its first, and one that was moved out is a question by itself", () => {
  const document = draft(["a@scale_1", "b@scale_1", "c", "d@scale_1"]);
  for (const [n, question] of document.questions.entries()) Object.assign(question, { kind: "choice", epsilon: n });
  tidy(document);
  assert.deepEqual(document.questions.map(({ epsilon, matrix }) => [epsilon, matrix]), [[0, "scale_1"], [0, "scale_1"], [2, undefined], [3, undefined]]);
  assert.deepEqual([0, 1, 2].map((n) => templateOf(document, n)), ["choice-first", "choice-line", "choice"]);
  const leading = ["epsilon", `${uidOf("x")}.text.en`, "wording.en"].map((key) => leadingUnit(document, `${uidOf("b")}.${key}`));
  assert.deepEqual(leading, [`${uidOf("a")}.epsilon`, `${uidOf("a")}.${uidOf("x")}.text.en`, `${uidOf("b")}.wording.en`]);
  assert.equal(leadingUnit(document, "title.en"), "title.en");
});

test("a group takes no more room than there is, and a line has the scale of the one above and no texts of its own", () => {
  const document = draft([]);
  assert.equal(addGroup(document, { kind: "choice" }, 2).length, 2);
  assert.deepEqual(document.questions.map(({ options }) => options?.length), [5, 5]);
  Object.assign(document.questions[0] ?? {}, { epsilon: 2, wording: { en: "What?" } });
  addLine(document, String(document.questions[0]?.uid));
  assert.deepEqual(document.questions.map(({ id, epsilon, wording }) => [id, epsilon, wording])[1], ["q3", 2, undefined]);
});

test("a section has a name that no other has", () => {
  const document = draft([]);
  assert.deepEqual([addSection(document), addSection(document)].map(({ id }) => id), ["part_1", "part_2"]);
});

test("texts are told by their languages; a line has none that are those of its group", () => {
  const document = draft(["a@scale_1", "b@scale_1"]);
  for (const question of document.questions) Object.assign(question, { wording: { en: "What?" }, options: [{ uid: uidOf("x"), text: { ko: "예" } }] });
  Object.assign(document, { title: { en: "Rest", ko: "쉼" }, results: { step: 10 } });
  assert.deepEqual([...languagesOfTexts(document)].map(([text, codes]) => [text, ...codes]), [
    [`${uidOf("a")}.wording`, "en"], [`${uidOf("a")}.${uidOf("x")}.text`, "ko"], [`${uidOf("b")}.wording`, "en"], ["title", "en", "ko"]]);
});
