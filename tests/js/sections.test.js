import assert from "node:assert/strict";
import test from "node:test";

import { loadKinds } from "../../static/js/respond/definition.js";
import { drawReceipt, writeBody } from "../../static/js/respond/sending.js";
import { askedQuestions, drawnSections, loadDraw, progress, read } from "../../static/js/respond/definition.js";
import { Session } from "../../static/js/respond/session.js";

const FINGERPRINT = "ab".repeat(32);

/** @param {string[]} ids @returns {any} */
const questions = (...ids) => ids.map((id) => ({ id, columns: [{ name: id, codes: 12 }] }));

/** @param {object} more @returns {Definition} */
const published = (more) => /** @type {any} */ ({ slug: "work", languages: ["en"], ...more });

/** @param {number} asked */
const work = (asked) => read(published({ asked, sections: [
  { id: "about", always: true, questions: questions("old") },
  { id: "pay", questions: questions("late", "never") },
  { id: "hours", questions: questions("nights") },
  { id: "house", questions: questions("rent") },
] }));
const DEFINITION = work(2);
drawnSections(DEFINITION).forEach(({ questions: own }, part) => own.forEach(({ columns }) => columns.forEach((column) => { column.part = part; })));
const COLUMNS = DEFINITION.questions.flatMap(({ columns }) => columns);

/** A browser's storage, as far as a session needs it. @returns {Storage} */
const storage = () => /** @type {any} */ ({
  /** @param {string} key */ getItem(key) { return this[key] ?? null; },
  /** @param {string} key @param {string} value */ setItem(key, value) { this[key] = value; },
  /** @param {string} key */ removeItem(key) { delete this[key]; },
});

/** @param {Storage} tabStorage @param {number[]} set */
function begin(tabStorage, set) {
  const session = new Session(tabStorage, `candor ${FINGERPRINT}`, COLUMNS, () => drawReceipt(() => 7));
  session.ask(() => set);
  return session;
}

/** Answers all that is asked. @param {number[]} set */
function answered(set) {
  const session = begin(storage(), set);
  for (const { columns } of askedQuestions(DEFINITION, set)) session.lock({ [columns[0]?.name ?? ""]: 3 });
  return session;
}

test("questions that stand in no section are a section each, and nothing is drawn", async () => {
  const plain = read(published({ questions: questions("late", "old") }));
  assert.deepEqual(plain.sections?.map((section) => section.questions.map(({ id }) => id)), [["late"], ["old"]]);
  assert.deepEqual(askedQuestions(plain), plain.questions);
  assert.equal(await loadDraw(plain), null);
});

test("progress is told by parts where a part has several questions, and by questions elsewhere", () => {
  const asked = askedQuestions(DEFINITION, [0, 2]);
  const places = asked.map((question) => progress(/** @type {any} */ ({ definition: DEFINITION, asked }), question));
  assert.deepEqual(places, [
    { n: 1, total: 1, part: 1, parts: 3 }, { n: 1, total: 2, part: 2, parts: 3 }, { n: 2, total: 2, part: 2, parts: 3 },
    { n: 1, total: 1, part: 3, parts: 3 },
  ]);
  const plain = read(published({ questions: questions("late", "old") }));
  assert.deepEqual(plain.questions.map((question) => progress(/** @type {any} */ ({ definition: plain, asked: plain.questions }), question)),
    [{ n: 1, total: 2 }, { n: 2, total: 2 }]);
});

test("where everybody is asked all sections nothing is drawn", async () => {
  const all = work(3);
  assert.deepEqual([drawnSections(all), await loadDraw(all)], [[], null]);
  assert.deepEqual(askedQuestions(all), all.questions);
});

test("one word draws the set; what is always asked comes with it, in the survey's order", async () => {
  const draw = await loadDraw(DEFINITION);
  const sets = [0, 2 ** 31, 2 ** 32 - 1].map((word) => draw?.(() => word));
  assert.deepEqual(sets, [[0, 1], [0, 2], [1, 2]]);
  assert.deepEqual(sets.map((set) => askedQuestions(DEFINITION, set).map(({ id }) => id)),
    [["old", "late", "never", "nights"], ["old", "late", "never", "rent"], ["old", "nights", "rent"]]);
});

test("the set is drawn once: a reload, whoever leaves the first screen, and what has arrived keep it", () => {
  const tabStorage = storage();
  const session = begin(tabStorage, [0, 2]);
  session.forget();
  assert.deepEqual(begin(tabStorage, [1, 2]).saved.set, [0, 2]);
  session.lock({ old: 1 });
  assert.deepEqual(begin(tabStorage, [1, 2]).saved.set, [0, 2]);
  session.forget();
  assert.deepEqual(begin(tabStorage, [1, 2]).saved.set, [0, 2]);
  assert.deepEqual(begin(storage(), [1, 2]).saved.set, [1, 2]);
});

test("a session holds what was asked, and nothing else", () => {
  const session = answered([0, 2]);
  assert.equal(session.begun, true);
  assert.deepEqual({ ...session.saved.reports }, { old: 3, late: 3, never: 3, rent: 3 });
  assert.deepEqual({ ...session.possible({ old: 1, nights: 1 }) }, { old: 1 });
  assert.equal(begin(storage(), [0, 2]).begun, false);
});

test("a tab that takes over from another takes over what was asked there", () => {
  const other = answered([1, 2]);
  const session = begin(storage(), [0, 1]);
  session.adopt(/** @type {any} */ (other.saved));
  assert.deepEqual(session.saved.set, [1, 2]);
  assert.deepEqual({ ...session.saved.reports }, { old: 3, nights: 3, rent: 3 });
});

test("what was not asked is sent as the last code: the same fields and the same length for every set", () => {
  const bodies = [[0, 1], [0, 2], [1, 2]].map((set) => writeBody(FINGERPRINT, "0".repeat(32), COLUMNS, answered(set).saved.reports));
  assert.deepEqual(bodies.map((body) => body.slice(body.indexOf("old="))), [
    "old=03&late=03&never=03&nights=03&rent=11", "old=03&late=03&never=03&nights=11&rent=03", "old=03&late=11&never=11&nights=03&rent=03"]);
  assert.equal(new Set(bodies.map(({ length }) => length)).size, 1);
});

test("a report that is missing is not sent as one that was not asked", () => {
  const body = writeBody(FINGERPRINT, "0".repeat(32), COLUMNS, { late: 1, never: 1, nights: 1 });
  assert.match(body, /old=undefined&/); // which no server takes
});

test("the codes of a column are its reports, then a skip, then \"not asked\": no two are the same", async () => {
  const coin = () => [{ name: "old", weights: [[3, 1], [1, 3]].map((row) => row.map((part) => part * 2 ** 30)), loss: [3, 1], epsilon: Math.log(3) }];
  const asks = (/** @type {object} */ more) => ({ questions: [{ id: "old", kind: "yes_no", mechanism: "coin", columns: coin(), ...more }] });
  const definition = read(published({ asked: 1, sections: [
    { always: true, ...asks({ skip: "apart" }) }, asks({}), asks({ skip: "apart" }), asks({ kind: "boxes", columns: [] })] }));
  const kinds = await loadKinds(definition);
  const [always, plain, skipped] = /** @type {Question[]} */ (definition.questions);
  assert.deepEqual([always, plain, skipped].map((question) => question?.columns[0]?.codes), [3, 3, 4]);
  assert.deepEqual([always, plain, skipped].map((question) => question?.columns[0]?.part), [undefined, 0, 1]);
  // A message without a catalogue is its key.
  const said = [2, 3].map((code) => kinds.get(/** @type {Question} */ (skipped))?.recorded(/** @type {Question} */ (skipped), 0, code));
  assert.deepEqual(said, ["skip.apart.recorded", "answer.3"]);
});
