import assert from "node:assert/strict";
import test from "node:test";

import { tidy } from "../../static/js/drafts/arrangement.js";
import { led } from "../../static/js/drafts/groups.js";
import { rebase } from "../../static/js/drafts/rebase.js";
import { fromUnits, units } from "../../static/js/drafts/units.js";

const [FIRST, SECOND, ON_TOP, NEVER] = ["n00000000000a", "n00000000000b", "n00000000000c", "n0000000000b1"];
const line = (/** @type {string} */ uid) => ({ uid, kind: "choice", matrix: "scale_1", epsilon: 1, options: [{ uid: NEVER, text: { en: "Never" } }] });
const base = units(/** @type {any} */ ({ sections: [], questions: [line(FIRST), line(SECOND)] }));
const withLineOnTop = units(/** @type {any} */ ({ sections: [], questions: [line(ON_TOP), line(FIRST), line(SECOND)] }));
const rescaled = { ...base, [`${FIRST}.epsilon`]: 2, [`${FIRST}.${NEVER}.text.en`]: "Not once" };

/** @param {Units} mine @param {Units} theirs @returns {any[]} the lines, as they stand after a save was answered */
function together(mine, theirs) {
  const draft = led(fromUnits(rebase(mine, base, theirs).now), base, mine, theirs);
  tidy(draft);
  return draft.questions;
}

for (const [who, mine, theirs] of /** @type {const} */ ([["I have", rescaled, withLineOnTop], ["a colleague has", withLineOnTop, rescaled]])) {
  test(`the scale that ${who} changed stands, not that of the line that the other put on top`, () => {
    const lines = together(mine, theirs);
    assert.deepEqual(lines.map(({ uid }) => uid), [ON_TOP, FIRST, SECOND]);
    for (const { epsilon, options } of lines) assert.deepEqual([epsilon, options[0].text.en], [2, "Not once"]);
  });
}
