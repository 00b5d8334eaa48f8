/** What somebody else has changed comes into the draft, beside what was typed while it was being saved. */

/** @typedef {{ by: string | null, basis: string, theirs: Record<string, string>, mine: Record<string, string> }} Joined */

const ROWS = /** @type {const} */ (["sections", "questions"]);

/**
 * Put what is stored, theirs and mine, together with what was typed since mine was sent.
 *
 * @param {DraftState} now what is typed
 * @param {DraftState} sent what was sent of it
 * @param {DraftState} stored what the server has made of it
 * @param {Joined} joined
 * @returns {DraftState | null} null where something was typed since into what somebody else has changed
 */
export function joinedWith(now, sent, stored, joined) {
  const result = structuredClone(stored);
  for (const kind of ROWS) {
    // What was moved, added or removed in this moment is left to the next save, which asks.
    if (String(order(now, kind)) !== String(order(sent, kind))) return null;
    for (const [place, row] of now[kind].entries()) {
      if (same(row, sent[kind][place])) continue;
      const to = result[kind].findIndex(({ uid }) => uid === row.uid);
      if (row.uid in joined.theirs || to < 0) return null;
      const kept = structuredClone(row);
      if (kind === "questions" && row["section"] !== "") {
        const part = result.sections.findIndex(({ uid }) => uid === now.sections[Number(row["section"])]?.uid);
        if (part < 0) return null;
        kept["section"] = String(part);
      }
      result[kind][to] = kept;
    }
  }
  for (const name of Object.keys(now)) {
    if (name === "sections" || name === "questions" || same(now[name], sent[name])) continue;
    if (name in joined.theirs) return null;
    result[name] = structuredClone(now[name]);
  }
  return result;
}

/** @param {DraftState} state @param {"sections" | "questions"} kind */
const order = (state, kind) => state[kind].map(({ uid }) => uid);

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
