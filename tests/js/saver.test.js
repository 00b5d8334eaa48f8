import assert from "node:assert/strict";
import test from "node:test";

import { saver } from "../../static/js/drafts/saver.js";
import { unitHash } from "../../static/js/drafts/units.js";

const QUESTION = "n0123456789ab";

/** A draft with a title, and a question in which others write. @param {string} title @param {string} [wording] @returns {Draft} */
const draft = (title, wording) => ({ title: { en: title }, sections: [], questions: [{ uid: QUESTION, ...(wording && { wording: { en: wording } }) }] });

/** A page with a saver, whose timers and answers come when they are told to. */
function page() {
  /** @type {{ body: any, token: string, resolve: (answer: any) => void, reject: () => void }[]} */
  const sent = [];
  /** @type {Map<number, () => void>} */
  const timers = new Map();
  let draft_ = draft("");
  const seen = { told: /** @type {string[]} */ ([]), held: /** @type {any} */ (null), isAlone: false, joined: /** @type {any} */ (null), overruled: false };
  const world = {
    fetch: /** @type {any} */ ((/** @type {string} */ _address, /** @type {any} */ { body, headers }) => new Promise((resolve, reject) => {
      sent.push({
        body: JSON.parse(body), token: headers["X-CSRFToken"], reject: () => reject(new TypeError("no connection")),
        resolve: ({ status = 200, ...answer }) => resolve({ ok: status === 200, status, headers: new Headers({ "Content-Type": "application/json" }), json: async () => answer }),
      });
    })),
    setTimeout: (/** @type {() => void} */ work) => { timers.set(timers.size + 1, work); return timers.size; },
    clearTimeout: (/** @type {number} */ timer) => { timers.delete(timer); },
  };
  const saving = saver({
    address: () => "/draft",
    token: { value: "old" },
    read: () => draft_,
    put: (next) => { draft_ = next; },
    saved: (_, joined) => { seen.joined = joined; },
    overruled: () => { seen.overruled = true; },
    tell: (how) => { seen.told.push(how); },
    hold: (held) => { seen.held = structuredClone(held); return true; },
    letGo: () => { seen.held = null; },
    begin: () => { seen.isAlone = true; },
    end: () => { seen.isAlone = false; },
  }, { hash: "h0", document: draft("") }, world);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    sent, seen, saving, settled,
    due: () => timers.size,
    typed: () => draft_["title"]?.en,
    wording: () => draft_.questions[0]?.["wording"]?.en,
    type: (/** @type {string} */ title) => { draft_["title"] = { en: title }; saving.touch(); },
    ring: async () => { const due = [...timers.values()]; timers.clear(); for (const work of due) work(); await settled(); },
    answer: async (/** @type {number} */ n, /** @type {any} */ answer) => { sent[n]?.resolve(answer); await settled(); },
    lose: async (/** @type {number} */ n) => { sent[n]?.reject(); await settled(); },
    /** What each save names: its number, what it goes on from, and what the title was and is. */
    titles: () => sent.map(({ body }) => [body.number, body.seen, ...body.changes.filter((/** @type {UnitChange} */ { unit }) => unit === "title.en").flatMap((/** @type {UnitChange} */ { was, now }) => [was, now])]),
  };
}

test("what is typed is saved once it is calm, and held until then", async () => {
  const { sent, seen, type, ring, answer, titles } = page();
  type("a");
  type("ab");
  assert.equal(sent.length, 0);
  assert.equal(seen.held.document.title.en, "ab");
  await ring();
  assert.deepEqual(titles(), [[1, "h0", "", "ab"]]);
  assert.equal(seen.isAlone, true);
  await answer(0, { state: "saved", hash: "h1" });
  assert.deepEqual([seen.isAlone, seen.held, seen.told.at(-1)], [false, null, "saved"]);
});

test("what is typed and taken back is saved without a word to the server", async () => {
  const { sent, seen, type, ring } = page();
  type("a");
  type("");
  await ring();
  assert.deepEqual([sent.length, seen.held, seen.told.at(-1)], [0, null, "saved"]);
});

test("one request at a time: what is typed meanwhile goes next, on top of what was saved", async () => {
  const { seen, type, ring, answer, titles } = page();
  type("a");
  await ring();
  type("ab");
  await ring();
  assert.equal(titles().length, 1);
  assert.equal(JSON.parse(seen.held.sent.body).number, 1, "held with what is under way");
  await answer(0, { state: "saved", hash: "h1" });
  await ring();
  assert.deepEqual(titles(), [[1, "h0", "", "a"], [2, "h1", unitHash("a"), "ab"]]);
  assert.equal(seen.held.document.title.en, "ab");
});

test("what had no answer goes first again as it was: it may be stored, and is nobody else's", async () => {
  const { seen, saving, type, ring, lose, answer, titles } = page();
  type("a");
  await ring();
  await lose(0);
  assert.equal(seen.told.at(-1), "unreachable");
  assert.ok(saving.isWaiting && seen.held);
  type("ab");
  await ring();
  await answer(1, { state: "saved", hash: "h1", document: draft("a") });
  await answer(2, { state: "saved", hash: "h2" });
  assert.deepEqual(titles(), [[1, "h0", "", "a"], [1, "h0", "", "a"], [2, "h1", unitHash("a"), "ab"]]);
  assert.deepEqual([saving.isWaiting, seen.told.at(-1)], [false, "saved"]);
});

test("what an earlier page has left goes on here, and what it may have sent goes first", async () => {
  const { seen, saving, ring, answer, titles } = page();
  const left = { body: JSON.stringify({ page: "other", number: 7, seen: "h0", changes: [{ unit: "title.en", was: "", now: "a" }] }), units: { "title.en": "a", questions: [QUESTION], [QUESTION]: "questions" } };
  assert.ok(saving.goOn(draft("ab"), saving.base, left));
  assert.deepEqual(seen.held.sent, left);
  await ring();
  await answer(0, { state: "saved", hash: "h1" });
  await answer(1, { state: "saved", hash: "h2" });
  assert.deepEqual(titles(), [[7, "h0", "", "a"], [1, "h1", unitHash("a"), "ab"]]);
  assert.equal(seen.held, null);
});

test("who has signed in again gets another token, and nothing has to be typed twice", async () => {
  const { sent, seen, type, ring, answer } = page();
  type("a");
  await ring();
  await answer(0, { state: "expired", status: 400, token: "new" });
  assert.deepEqual(sent.map(({ token }) => token), ["old", "new"]);
  await answer(1, { state: "saved", hash: "h1" });
  assert.equal(seen.told.at(-1), "saved");
});

for (const [state, status, told] of /** @type {[string, number, string][]} */ ([["frozen", 409, "frozen"], ["gone", 404, "gone"], ["failed", 403, "gone"]])) {
  test(`where the answer is ${state} with ${status}, nothing more is sent, and what is typed is held`, async () => {
    const { sent, seen, type, ring, answer } = page();
    type("a");
    await ring();
    await answer(0, { state, status });
    type("ab");
    await ring();
    assert.deepEqual([sent.length, seen.told.at(-1), seen.held.document.title.en], [1, told, "ab"]);
  });
}

test("what is refused is sent no more, and what is typed next may be right", async () => {
  const { seen, type, ring, answer, titles } = page();
  type("a\0");
  await ring();
  await answer(0, { state: "refused", status: 422 });
  assert.equal(seen.told.at(-1), "refused");
  type("a");
  await ring();
  assert.deepEqual(titles().at(-1), [2, "h0", "", "a"]);
});

test("what somebody else has changed comes in beside what is typed, and is told with it", async () => {
  const { seen, saving, type, ring, answer, wording, typed } = page();
  type("a");
  await ring();
  type("ab");
  await answer(0, { state: "saved", hash: "h2", by: "eve", document: draft("a", "Tired?") });
  assert.deepEqual([typed(), wording()], ["ab", "Tired?"]);
  assert.deepEqual(seen.joined.theirs.map((/** @type {UnitChange} */ { unit }) => unit), [`${QUESTION}.wording.en`]);
  assert.deepEqual(seen.joined.mine.map((/** @type {UnitChange} */ { unit }) => unit), ["title.en"]);
  assert.ok(saving.isWaiting, "what was typed since is still to be saved");
});

test("where both have changed the same somebody chooses, and nothing is saved until then", async () => {
  for (const choice of /** @type {const} */ (["mine", "theirs"])) {
    const { sent, seen, saving, type, ring, answer, typed, titles } = page();
    type("a");
    await ring();
    await answer(0, { state: "changed", status: 409, hash: "h1", by: "eve", own: false, document: draft("b"), conflicts: [{ unit: "title.en" }] });
    assert.equal(seen.told.at(-1), "changed");
    type("ab");
    await ring();
    assert.equal(sent.length, 1);
    void saving.choose({ "title.en": choice });
    await ring();
    assert.equal(typed(), choice === "mine" ? "ab" : "b");
    if (choice === "mine") assert.deepEqual(titles()[1], [2, "h1", unitHash("b"), "ab"]);
    else assert.equal(seen.told.at(-1), "saved");
  }
});

test("nobody chooses between two windows of their own: what was typed last stands", async () => {
  const { seen, saving, type, ring, answer, titles } = page();
  type("a");
  await ring();
  await answer(0, { state: "changed", status: 409, hash: "h1", by: null, own: true, document: draft("b"), conflicts: [{ unit: "title.en" }] });
  assert.deepEqual(titles(), [[1, "h0", "", "a"], [2, "h1", unitHash("b"), "a"]]);
  await answer(1, { state: "saved", hash: "h2" });
  assert.deepEqual([seen.overruled, saving.isWaiting], [true, false]);
});

test("leaving sends what is not saved, and only that; looking again sends nothing that was typed", async () => {
  const { sent, seen, saving, type, settled, answer, typed } = page();
  saving.leave();
  assert.equal(sent.length, 0);
  saving.look();
  await settled();
  assert.deepEqual(sent[0]?.body.changes, []);
  await answer(0, { state: "saved", hash: "h1", by: null, own: true, document: draft("from another window") });
  assert.deepEqual([typed(), seen.told.at(-1)], ["from another window", "saved"]);
  type("a");
  saving.look();
  saving.leave();
  await settled();
  assert.deepEqual(sent.slice(1).map(({ body }) => body.changes[0].now), ["a"]);
});

test("what is sent behind a page that is left is held as it was sent, for the next page to send it first", async () => {
  const { sent, seen, saving, type, settled } = page();
  type("a");
  saving.keep();
  saving.leave();
  await settled();
  assert.deepEqual(JSON.parse(seen.held.sent.body), sent[0]?.body);
});

test("looking again says nothing where there is no answer", async () => {
  const { seen, saving, settled, lose } = page();
  saving.look();
  await settled();
  await lose(0);
  assert.deepEqual([seen.told, saving.isWaiting], [[], false]);
});

test("what a page holds when it is being left serves a next page that is older than what is saved now", async () => {
  const { seen, saving, type, settled, answer } = page();
  type("a");
  void saving.now();
  await settled();
  type("ab");
  assert.ok(saving.keep());
  await answer(0, { state: "saved", hash: "h1" });
  void saving.now();
  await settled();
  await answer(1, { state: "saved", hash: "h2" });
  assert.ok(!saving.isWaiting);
  const { seen: hashes, document, sent } = seen.held;
  assert.deepEqual([hashes, document.title.en, JSON.parse(sent.body).number], [["h0", "h1", "h2"], "ab", 2]);
});

test("a page that is not left after all lets go of what it has saved, however often somebody tried", async () => {
  const { seen, saving, type, ring, due, settled, answer } = page();
  type("a");
  void saving.now();
  await settled();
  saving.keep();
  saving.keep();
  assert.equal(due(), 1);
  await answer(0, { state: "saved", hash: "h1" });
  assert.ok(seen.held);
  await ring();
  assert.equal(seen.held, null);
});
