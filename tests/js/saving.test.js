import assert from "node:assert/strict";
import test from "node:test";

import { saver } from "../../static/js/editor/saving.js";

/** A page with a saver, whose timers and answers come when they are told to. */
function page() {
  /** @type {{ body: any, token: string, resolve: (answer: any) => void, reject: () => void }[]} */
  const sent = [];
  /** @type {Map<number, () => void>} */
  const timers = new Map();
  const seen = { told: /** @type {string[]} */ ([]), held: /** @type {any} */ (null), alone: false, fits: true, basis: "b0", typed: { questions: [], sections: [], title: "" } };
  const world = {
    fetch: /** @type {any} */ ((/** @type {string} */ _address, /** @type {any} */ { body, headers }) => new Promise((resolve, reject) => {
      sent.push({
        body: JSON.parse(body), token: headers["X-CSRFToken"], reject: () => reject(new TypeError("no connection")),
        resolve: (answer) => resolve({ ok: answer.state === "saved", status: answer.status ?? 200, headers: new Headers({ "Content-Type": "application/json" }), json: async () => answer }),
      });
    })),
    setTimeout: (/** @type {() => void} */ work) => { timers.set(timers.size + 1, work); return timers.size; },
    clearTimeout: (/** @type {number} */ timer) => { timers.delete(timer); },
  };
  const saving = saver({
    address: () => "/autosave",
    read: () => /** @type {any} */ ({ basis: seen.basis, typed: { ...seen.typed } }),
    saved: (answer) => {
      if (answer.joined && !seen.fits) return false;
      seen.basis = answer.basis;
      return true;
    },
    tell: (how) => { seen.told.push(how); },
    token: { value: "old" },
    hold: (what) => { seen.held = what; return true; },
    letGo: () => { seen.held = null; },
    begin: () => { seen.alone = true; },
    end: () => { seen.alone = false; },
  }, world);
  const type = (/** @type {string} */ title) => { seen.typed.title = title; saving.touch(); };
  const ring = () => { const due = [...timers.values()]; timers.clear(); for (const each of due) each(); };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const due = () => timers.size;
  return { sent, seen, saving, type, ring, due, settled };
}

test("what is typed is saved once it is calm, and held until then", async () => {
  const { sent, seen, type, ring, settled } = page();
  type("a");
  type("ab");
  assert.equal(sent.length, 0);
  assert.equal(seen.held.typed.title, "ab");
  ring();
  await settled();
  assert.deepEqual(sent.map(({ body }) => [body.basis, body.typed.title]), [["b0", "ab"]]);
  assert.equal(seen.alone, true);
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  assert.equal(seen.alone, false);
  assert.equal(seen.held, null);
  assert.equal(seen.told.at(-1), "saved");
});

test("one request at a time: what is typed meanwhile goes next, on the basis of the answer", async () => {
  const { sent, seen, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  type("ab");
  ring();
  await settled();
  assert.equal(sent.length, 1);
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  ring();
  await settled();
  assert.deepEqual(sent.map(({ body }) => [body.basis, body.typed.title]), [["b0", "a"], ["b1", "ab"]]);
  assert.equal(seen.held.typed.title, "ab");
});

test("without a connection it is said, held, and tried again", async () => {
  const { sent, seen, saving, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  sent[0]?.reject();
  await settled();
  assert.equal(seen.told.at(-1), "unreachable");
  assert.ok(saving.waiting && seen.held);
  ring();
  await settled();
  sent[1]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  assert.ok(!saving.waiting);
});

test("what had no answer goes first again as it was: it may be stored, and is nobody else's", async () => {
  const { sent, seen, saving, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  sent[0]?.reject();
  await settled();
  type("ab");
  ring();
  await settled();
  sent[1]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  sent[2]?.resolve({ state: "saved", basis: "b2" });
  await settled();
  assert.deepEqual(sent.map(({ body }) => [body.basis, body.typed.title]), [["b0", "a"], ["b0", "a"], ["b1", "ab"]]);
  assert.ok(!saving.waiting);
  assert.equal(seen.told.at(-1), "saved");
});

test("who has signed in again gets another token, and nothing has to be typed twice", async () => {
  const { sent, seen, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  sent[0]?.resolve({ state: "expired", status: 400, token: "new" });
  await settled();
  assert.deepEqual(sent.map(({ token }) => token), ["old", "new"]);
  sent[1]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  assert.equal(seen.told.at(-1), "saved");
});

for (const [state, status] of /** @type {[string, number][]} */ ([["changed", 409], ["frozen", 409], ["gone", 404]])) {
  test(`where the draft is ${state}, nothing is sent over it, and what is typed is held`, async () => {
    const { sent, seen, type, ring, settled } = page();
    type("a");
    ring();
    await settled();
    sent[0]?.resolve({ state, status });
    await settled();
    type("ab");
    ring();
    await settled();
    assert.equal(sent.length, 1);
    assert.equal(seen.told.at(-1), state);
    assert.equal(seen.held.typed.title, "ab");
  });
}

test("what an earlier page may have sent goes first, as it was, and is held until then", async () => {
  const { sent, seen, saving, type, ring, settled } = page();
  seen.typed.title = "ab";
  const earlier = JSON.stringify({ basis: "b0", typed: { ...seen.typed, title: "a" } });
  assert.ok(saving.takeUp(earlier));
  assert.equal(seen.held.sent, earlier);
  type("abc");
  ring();
  await settled();
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  sent[1]?.resolve({ state: "saved", basis: "b2" });
  await settled();
  assert.deepEqual(sent.map(({ body }) => [body.basis, body.typed.title]), [["b0", "a"], ["b1", "abc"]]);
  assert.equal(seen.held, null);
});

test("what is typed while a save is under way is held with what is under way", async () => {
  const { sent, seen, saving, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  type("ab");
  saving.leave();
  await settled();
  assert.equal(sent.length, 1);
  assert.equal(seen.held.typed.title, "ab");
  assert.equal(JSON.parse(seen.held.sent).typed.title, "a");
});

test("who looks at another tab and comes back goes on from what was sent behind", async () => {
  const { sent, saving, type, ring, settled } = page();
  type("a");
  saving.leave();
  type("ab");
  ring();
  await settled();
  assert.equal(sent.length, 1);
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  ring();
  await settled();
  assert.deepEqual(sent.map(({ body }) => [body.basis, body.typed.title]), [["b0", "a"], ["b1", "ab"]]);
});

test("what a page holds when it is being left stays as it is: the next page may be older than what is saved now", async () => {
  const { sent, seen, saving, type, settled } = page();
  type("a");
  void saving.now();
  await settled();
  type("ab");
  assert.ok(saving.keep());
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  void saving.now();
  await settled();
  sent[1]?.resolve({ state: "saved", basis: "b2" });
  await settled();
  assert.ok(!saving.waiting);
  const last = JSON.parse(seen.held.sent);
  assert.deepEqual([seen.held.basis, seen.held.typed.title, last.basis, last.typed.title], ["b0", "ab", "b1", "ab"]);
});

test("what cannot be sent any more while a page is being left goes on from what the next page may show", async () => {
  const { sent, seen, saving, type, settled } = page();
  type("a");
  void saving.now();
  await settled();
  type("ab");
  saving.keep();
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  saving.leave();
  await settled();
  sent[1]?.reject(); // some browsers end it with the page
  await settled();
  const last = JSON.parse(seen.held.sent);
  assert.deepEqual([seen.held.basis, seen.held.typed.title, last.basis, last.typed.title], ["b0", "ab", "b1", "ab"]);
});

test("a page that is left soon after a file was fetched from it holds as long as any other", async () => {
  const { sent, seen, saving, type, due, settled } = page();
  type("a");
  void saving.now();
  await settled();
  saving.keep();
  saving.keep();
  assert.equal(due(), 1);
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  assert.ok(seen.held);
});

test("a page that is not left after all lets go of what it has saved", async () => {
  const { sent, seen, saving, type, ring, settled } = page();
  type("a");
  void saving.now();
  await settled();
  saving.keep();
  sent[0]?.resolve({ state: "saved", basis: "b1" });
  await settled();
  assert.ok(seen.held);
  ring();
  assert.equal(seen.held, null);
});

test("leaving sends what is not saved, and only that", async () => {
  const { sent, saving, type, settled } = page();
  saving.leave();
  assert.equal(sent.length, 0);
  type("a");
  saving.leave();
  await settled();
  assert.equal(sent[0]?.body.typed.title, "a");
});

test("what somebody else has changed is taken over, and where that does not go with what is typed the next save asks", async () => {
  const { sent, seen, type, ring, settled } = page();
  type("a");
  ring();
  await settled();
  type("ab");
  seen.fits = false;
  sent[0]?.resolve({ state: "saved", basis: "b1", joined: { by: "eve" } });
  await settled();
  assert.deepEqual([sent[1]?.body.basis, sent[1]?.body.typed.title], ["b0", "ab"]);
  sent[1]?.resolve({ state: "changed", status: 409 });
  await settled();
  assert.equal(seen.told.at(-1), "changed");
  assert.equal(seen.held.typed.title, "ab");
});
