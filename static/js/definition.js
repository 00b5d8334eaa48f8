/** The published survey as the page holds it, and whether it keeps its word. */

/** @param {string} id of a JSON island @returns {any} */
export const island = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** A skip that is randomized makes yes/no a choice out of three. @param {Question} question */
export const view = ({ kind, skip }) => (kind === "yes_no" && skip === "randomized" ? "choice" : kind);

/** Load what the questions need, and count the codes of each column: reports, by hand, a skip. @param {Definition} definition */
export async function loadKinds({ questions }) {
  /** @type {Map<Question, Kind>} */
  const kinds = new Map();
  for (const question of questions) {
    const apart = question.skip === "apart";
    const kind = await import(`./${view(question)}.js`);
    kinds.set(question, apart ? (await import("./apart.js")).withSkip(kind) : kind);
    for (const column of question.columns) {
      column.codes = kind.reports(column) + (column.by_hand?.weights.length ?? 0) + Number(apart);
    }
  }
  return kinds;
}

/** @type {Refusal} */
export function refusal({ questions }, kinds) {
  if (!globalThis.BigInt || !globalThis.crypto?.getRandomValues) return "refuse.browser";
  return questions.every((question) => kinds.get(question)?.keepsWord(question)) ? null : "refuse.weak";
}
