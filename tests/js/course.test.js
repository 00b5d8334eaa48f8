import assert from "node:assert/strict";
import test from "node:test";

import { begin, step } from "../../static/js/respond/course.js";

const SAVED = /** @type {Saved} */ ({ reports: {} });
const FINAL = ["stale", "different", "closed", "refused", "used", "uninvited"];

/** All events, in every shape that changes what follows. @type {CourseEvent[]} */
const EVENTS = [
  { name: "begin" }, { name: "resume" }, { name: "resume", body: "b" }, { name: "resume", body: "b", unseen: true }, { name: "resume", begun: true },
  { name: "press", way: "after" }, { name: "press", way: "before" }, { name: "send" }, { name: "alone" }, { name: "alone", body: "b", unseen: true },
  { name: "held" }, { name: "failed" }, ...["stored", "busy", "unknown", "paused", ...FINAL].map((outcome) => /** @type {CourseEvent} */ ({ name: "answer", outcome, now: 0 })),
  { name: "answer", outcome: "busy", now: 10_000 }, { name: "due" }, { name: "again" }, { name: "stop" }, { name: "leave" }, { name: "discard" },
  { name: "hidden" }, { name: "minute" }, { name: "clear" }, { name: "told" }, { name: "told", adopts: true },
  { name: "told", stored: true }, { name: "told", ended: true },
];

/** @param {CourseEvent[]} events @param {CourseState} [state] */
function run(events, state = begin(SAVED)) {
  const done = [];
  for (const event of events) {
    const [next, effects] = step(state, event);
    state = next;
    done.push(...effects);
  }
  return { state, done };
}

/** @param {string[]} names @returns {CourseEvent[]} */
const named = (...names) => names.map((name) => /** @type {CourseEvent} */ ({ name, way: "after" }));
/** @param {string} outcome @param {number} [now] @param {number} [wait] @returns {CourseEvent} */
const answer = (outcome, now = 0, wait = 0) => ({ name: "answer", outcome, now, wait });
const PRESSED = named("begin", "press", "alone");

/** Every state that can be reached, with the way there. */
function everywhere() {
  const seen = new Map([[JSON.stringify(begin(SAVED)), { state: begin(SAVED), path: /** @type {CourseEvent[]} */ ([]), done: /** @type {string[]} */ ([]) }]]);
  const waiting = [...seen.values()];
  for (let here = waiting.shift(); here; here = waiting.shift()) {
    for (const event of EVENTS) {
      const [state, effects] = step(here.state, event);
      const key = JSON.stringify({ ...state, tries: Math.min(state.tries ?? 0, 6) });
      if (seen.has(key)) continue;
      const next = { state, path: [...here.path, event], done: [...here.done, ...effects] };
      seen.set(key, next);
      waiting.push(next);
    }
  }
  return [...seen.values()];
}
const ALL = everywhere();

test("one press draws, keeps and sends in one step, and ten presses are one", () => {
  assert.deepEqual(run(PRESSED).done, ["claim", "draw", "post"]);
  assert.deepEqual(run([...named("begin"), ...Array(10).fill({ name: "press", way: "after" }), ...named("alone", "alone", "press")]).done, ["claim", "draw", "post"]);
});

test("where each result is seen first nothing is sent before it is asked for", () => {
  const spin = /** @type {CourseEvent[]} */ ([{ name: "press", way: "before" }, { name: "alone" }]);
  assert.deepEqual(run([...named("begin"), ...spin, ...spin]).done, ["claim", "draw", "claim", "draw"]);
  assert.deepEqual(run([...named("begin"), ...spin, ...named("send", "alone")]).done, ["claim", "draw", "claim", "post"]);
});

test("wherever somebody is, every event leads to a state that can be reached, and nothing is drawn but after a claim", () => {
  assert.ok(ALL.length > 20);
  for (const { state } of ALL) {
    for (const event of EVENTS) {
      const [next, effects] = step(state, event);
      if (effects.includes("draw")) assert.deepEqual([state.at, event.name], ["asking", "alone"]);
      if (next.at === "stored") assert.deepEqual([state.at, state.at === "sending" ? event.outcome : "stored"], [state.at, "stored"]);
      if (effects.includes("post")) assert.equal(next.at, "sending");
    }
  }
});

test("what is over is over: no event draws or sends, but an answer that says it is stored is never missed", () => {
  for (const { state } of ALL.filter(({ state: { at } }) => ["over", "cleared", "stored", "refused"].includes(at))) {
    const { state: last, done } = run([...EVENTS, ...EVENTS], state);
    assert.deepEqual(done.filter((effect) => effect !== "hide"), []);
    assert.ok(state.at === "stored" ? ["stored", "cleared"].includes(last.at) : last.at === state.at);
  }
});

for (const outcome of FINAL) {
  test(`${outcome} erases the draw, and a reload says the same`, () => {
    const { state, done } = run([...PRESSED, answer(outcome)]);
    assert.deepEqual([state.at, state.word, done.at(-1)], ["over", outcome, "erase"]);
    assert.deepEqual(begin({ ...SAVED, word: outcome }), { at: "over", word: outcome });
  });
}

test("the same bytes go out again after 5, 10, 20, 40 and then every 60 seconds, for ten minutes", () => {
  let { state } = run(PRESSED);
  const waits = [];
  for (let now = 3; state.at === "sending"; now += state.wait ?? 0) {
    [state] = step(state, answer(waits.length % 2 ? "busy" : "unknown", now));
    if (state.at !== "waiting") break;
    waits.push(state.wait);
    [state] = step(state, { name: "due" });
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 60, 60, 60, 60, 60, 60, 60, 60]);
  assert.equal(state.at, "resting");
  const again = run(named("again"), state);
  assert.deepEqual([again.state.at, again.done], ["sending", ["post"]]);
  assert.equal(run([answer("busy", 700)], again.state).state.at, "resting");
  assert.equal(run([answer("stored", 700)], again.state).state.at, "stored");
});

test("a longer wait that the server names is obeyed, a shorter one is not needed", () => {
  assert.equal(run([...PRESSED, answer("paused", 0, 60)]).state.wait, 60);
  assert.equal(run([...PRESSED, answer("busy", 0, 1)]).state.wait, 5);
  assert.equal(run([...PRESSED, answer("paused", 0, 3600)]).state.at, "resting");
});

for (const name of ["stop", "leave"]) {
  test(`to ${name} while bytes are under way erases the draw and says that it may have arrived`, () => {
    for (const last of [[], [answer("busy")], [answer("busy", 0, 3600)]]) {
      const { state, done } = run([...PRESSED, ...last, ...named(name)]);
      assert.deepEqual([state, done.at(-1)], [{ at: "over", word: "ended", doubt: true }, "erase"]);
    }
  });
}

test("to leave, from any screen, or to discard ends taking part", () => {
  for (const names of [["leave"], ["begin", "leave"], ["begin", "discard"]]) {
    assert.deepEqual(run(named(...names)), { state: { at: "over", word: "ended", doubt: false }, done: ["erase"] });
  }
});

test("the picture is remembered until it arrives, but not once the tab was hidden or a minute has gone", () => {
  assert.equal(run([...PRESSED, answer("stored")]).state.cause, true);
  assert.equal(run([...PRESSED, answer("busy"), ...named("due"), answer("stored")]).state.cause, true);
  for (const name of ["hidden", "minute"]) {
    for (const waiting of [[], [answer("busy")]]) {
      const { state, done } = run([...PRESSED, ...waiting, ...named(name, "due"), answer("stored")]);
      assert.equal(state.cause, false);
      assert.ok(done.includes("hide"));
    }
  }
  assert.equal(run([...named("begin", "press", "hidden", "alone"), answer("stored")]).state.cause, false, "hidden before it was drawn");
  const shown = run([...PRESSED, answer("stored"), ...named("minute")]);
  assert.equal(shown.state.cause, true, "once it is shown there is no limit of time");
});

test("a reload while bytes are under way sends the same, draws nothing and remembers no picture", () => {
  const { state, done } = run([{ name: "resume", body: "b" }, { name: "alone" }, answer("stored")]);
  assert.deepEqual(done, ["claim", "post", "finish"]);
  assert.deepEqual([state.at, state.cause, state.unseen], ["stored", undefined, undefined]);
});

test("another tab's draw is sent when that tab is gone, and never shown", () => {
  for (const before of [[], named("begin"), named("begin", "press")]) {
    const told = run([...before, { name: "told", adopts: true }]);
    assert.deepEqual([told.state.at, told.done.at(-1)], ["elsewhere", "adopt"]);
    const sent = run([{ name: "alone", body: "b", unseen: true }, answer("stored")], told.state);
    assert.deepEqual([sent.state.at, sent.state.unseen, sent.done], ["stored", true, ["post", "finish"]]);
    assert.equal(run([{ name: "told", stored: true }], told.state).state.word, "arrived");
  }
});

test("a tab that may not draw waits, and begins anew where nothing was sent", () => {
  const held = run(named("begin", "press", "held"));
  assert.deepEqual([held.state.at, held.done], ["elsewhere", ["claim"]]);
  assert.deepEqual(run(named("alone"), held.state), { state: { at: "reading" }, done: ["restart"] });
});

test("a tab that hears that taking part has ended ends too, unless its bytes are under way", () => {
  for (const { state } of ALL) {
    const [next] = step(state, { name: "told", ended: true });
    const ends = ["reading", "answering", "asking", "elsewhere"].includes(state.at);
    assert.equal(next.at, ends ? "over" : state.at);
  }
});
