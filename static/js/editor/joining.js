/** What somebody else has changed comes into the draft, beside what was typed while it was being saved. */

/**
 * @typedef {object} Joined
 * @property {string | null} by
 * @property {string} basis
 * @property {Record<string, string>} theirs what only they have changed, in words
 * @property {Record<string, string>} mine
 * @property {boolean} own whether it was the same person, in another window
 * @property {Record<string, any>} over what both windows of one person have changed, as the other had it
 */

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

/**
 * Put back what another window of the same person had.
 *
 * @param {DraftState} now
 * @param {Record<string, any>} over
 * @returns {DraftState}
 */
export function putBack(now, over) {
  const result = structuredClone(now);
  for (const [name, was] of Object.entries(over)) {
    if (name in result) {
      result[name] = was;
      continue;
    }
    const kind = "wording" in was ? "questions" : "sections";
    const at = result[kind].findIndex(({ uid }) => uid === name);
    // A question stays in the part where it stands now; one that was removed here comes last.
    const row = kind === "questions" ? { ...was, section: result[kind][at]?.["section"] ?? "" } : was;
    result[kind].splice(at < 0 ? result[kind].length : at, at < 0 ? 0 : 1, row);
  }
  return result;
}

/** @param {DraftState} state @param {"sections" | "questions"} kind */
const order = (state, kind) => state[kind].map(({ uid }) => uid);

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
