import assert from "node:assert/strict";
import test from "node:test";

import { changesOf, rebase, replaced, woven } from "../../static/js/drafts/rebase.js";
import { fromUnits, unitHash, units } from "../../static/js/drafts/units.js";

const [A, B, C, HOME] = ["n00000000000a", "n00000000000b", "n00000000000c", "n000000000001"];
const [NEVER, DAILY] = ["n0000000000b1", "n0000000000b2"];
const BASE = {
  title: { en: "Rest" },
  sections: [{ uid: HOME, id: "home", title: { en: "At home" } }],
  questions: [
    { uid: A, id: "tired", epsilon: 1, wording: { en: "Tired?" } },
    { uid: B, id: "often", section: HOME, options: [{ uid: NEVER, text: { en: "Never" } }, { uid: DAILY, text: { en: "Daily" } }] },
    { uid: C, id: "rent", section: HOME },
  ],
};

/** @param {(draft: any) => void} [edit] @returns {Units} */
function edited(edit = () => undefined) {
  const draft = structuredClone(BASE);
  edit(draft);
  return units(/** @type {any} */ (draft));
}
const base = edited();
const without = (/** @type {number} */ at) => edited(({ questions }) => questions.splice(at, 1));
const withEpsilon = (/** @type {number} */ epsilon) => edited(({ questions }) => { questions[0].epsilon = epsilon; });
const order = (/** @type {Units} */ whole) => whole["questions"];

test("a change names what its unit was, and a new node what stands before it", () => {
  const now = edited((draft) => {
    draft.title.en = "Sleep";
    draft.questions.splice(1, 0, { uid: "n00000000000d", id: "q4" });
    draft.questions[2].options.pop();
  });
  assert.deepEqual(changesOf(base, now), [
    { unit: "title.en", was: unitHash("Rest"), now: "Sleep" },
    { unit: "n00000000000d", was: "", now: "questions", after: A },
    { unit: "n00000000000d.id", was: "", now: "q4" },
    { unit: `${B}.${DAILY}`, was: unitHash("options"), now: null },
    { unit: `${B}.${DAILY}.text.en`, was: unitHash("Daily"), now: null },
  ]);
});

test("an order is a change only where nodes of both versions stand in another", () => {
  assert.deepEqual(changesOf(base, without(1)).filter(({ unit }) => unit === "questions"), []);
  const [change] = changesOf(base, edited(({ questions }) => questions.reverse()));
  assert.deepEqual([change?.unit, change?.now], ["questions", [C, B, A]]);
});

test("what only one of the two has changed stands", () => {
  const now = edited((draft) => { draft.questions[0].wording.en = "Worn out?"; });
  const theirs = edited((draft) => {
    draft.title.en = "Sleep";
    draft.questions[0].epsilon = 2;
  });
  const rebased = rebase(now, base, theirs);
  assert.deepEqual([rebased.now["title.en"], rebased.now[`${A}.epsilon`], rebased.now[`${A}.wording.en`]], ["Sleep", 2, "Worn out?"]);
  assert.deepEqual(changesOf(rebased.base, rebased.now).map(({ unit }) => unit), [`${A}.wording.en`]);
});

test("of what both have changed mine stays, and the next save says what it was, until somebody chooses", () => {
  const [now, theirs] = [withEpsilon(2), withEpsilon(3)];
  const open = rebase(now, base, theirs);
  assert.deepEqual(changesOf(open.base, open.now), [{ unit: `${A}.epsilon`, was: unitHash(1), now: 2 }]);
  const mine = rebase(now, base, theirs, { [`${A}.epsilon`]: "mine" });
  assert.deepEqual(changesOf(mine.base, mine.now), [{ unit: `${A}.epsilon`, was: unitHash(3), now: 2 }]);
  assert.deepEqual(rebase(now, base, theirs, { [`${A}.epsilon`]: "theirs" }).now, theirs);
  assert.deepEqual(changesOf(theirs, rebase(theirs, base, theirs).now), [], "the same twice is no change");
});

for (const removedByMe of [true, false]) {
  const name = removedByMe ? "I have removed and they have changed" : "they have removed and I have changed";
  const [now, theirs] = removedByMe ? [without(0), withEpsilon(2)] : [withEpsilon(2), without(0)];

  test(`a question that ${name} is as I left it, and the next save asks`, () => {
    const open = rebase(now, base, theirs);
    assert.equal(A in open.now, !removedByMe);
    assert.equal(changesOf(open.base, open.now).find(({ unit }) => unit === `${A}.epsilon`)?.was, unitHash(1));
  });

  test(`a question that ${name} is as somebody chooses`, () => {
    const kept = rebase(now, base, theirs, { [A]: "mine" });
    assert.equal(A in kept.now, !removedByMe);
    assert.equal(changesOf(kept.base, kept.now).find(({ unit }) => unit === `${A}.epsilon`)?.was, unitHash(removedByMe ? 2 : undefined));
    assert.deepEqual(rebase(now, base, theirs, { [A]: "theirs" }).now, theirs);
  });
}

test("a question that one has removed goes where the other has not touched it", () => {
  assert.equal(A in rebase(base, base, without(0)).now, false);
  const rebased = rebase(without(0), base, edited((draft) => { draft.title.en = "Sleep"; }));
  assert.equal(A in rebased.now, false);
  assert.ok(changesOf(rebased.base, rebased.now).some(({ unit, now }) => unit === A && now === null));
});

test("a question whose section is not there any more has none", () => {
  const moved = edited(({ questions }) => { questions[0].section = HOME; });
  const gone = edited((draft) => {
    draft.sections = [];
    for (const question of draft.questions) delete question.section;
  });
  assert.deepEqual(Object.keys(rebase(moved, base, gone).now).filter((unit) => unit.endsWith(".section")), []);
});

test("an order is mine where I have moved something, and theirs otherwise; what is new comes behind what it followed", () => {
  const added = edited(({ questions }) => questions.splice(1, 0, { uid: "n00000000000d" }));
  const turned = edited(({ questions }) => questions.reverse());
  assert.deepEqual(order(rebase(turned, base, added).now), [C, B, A, "n00000000000d"]);
  assert.deepEqual(order(rebase(added, base, turned).now), [C, B, A, "n00000000000d"]);
  const rebased = rebase(turned, base, added);
  assert.deepEqual(changesOf(rebased.base, rebased.now).map(({ unit }) => unit), ["questions"]);
  assert.deepEqual(woven(["b", "a"], ["x", "a", "y", "b"]), ["x", "b", "a", "y"]);
});

test("some units of another version, or its nodes, take the place of what stands there", () => {
  const theirs = edited((draft) => {
    draft.title.en = "Sleep";
    draft.questions[0].epsilon = 3;
  });
  const now = edited((draft) => {
    draft.title.en = "Work";
    draft.questions.splice(0, 1);
    draft.questions[1].id = "mine";
  });
  assert.deepEqual(replaced(now, theirs, [A])[`${A}.epsilon`], 3);
  assert.deepEqual(order(replaced(now, theirs, [A])), [A, B, C]);
  assert.equal(replaced(now, theirs, [A])["title.en"], "Work");
  assert.equal(fromUnits(replaced(now, theirs, ["title.en"])).questions.length, 2);
  assert.equal(replaced(base, now, [A])[A], undefined);
});
