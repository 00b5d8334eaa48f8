/** The published survey as the page holds it, and whether it keeps its word. */

import { drawnSections } from "./sections.js";

/** A skip that is randomized makes yes/no a choice out of three. @type {View} */
export const view = ({ kind, skip }) => (kind === "yes_no" && skip === "randomized" ? "choice" : kind);

/** @type {LoadKinds} */
export async function loadKinds(definition) {
  const kinds = new Map();
  drawnSections(definition).forEach(({ questions }, part) => {
    for (const column of questions.flatMap(({ columns }) => columns)) column.part = part;
  });
  for (const question of definition.questions) {
    const apart = question.skip === "apart";
    let kind = await import(`../kinds/${view(question)}.js`);
    if (question.by_hand) kind = (await import("../kinds/coins.js")).withCoins(kind);
    kinds.set(question, apart ? (await import("../kinds/apart.js")).withSkip(kind) : kind);
    for (const column of question.columns) {
      column.codes = kind.reports(column) + (column.by_hand?.weights.length ?? 0) + Number(apart) + Number(column.part !== undefined);
    }
  }
  return kinds;
}

/** @type {Refusal} */
export function refusal({ questions }, kinds) {
  if (!globalThis.BigInt || !globalThis.crypto?.getRandomValues) return "refuse.browser";
  try {
    if (questions.every((question) => kinds.get(question)?.keepsWord(question))) return null;
  } catch {
    // No channel at all, or none of the device.
  }
  return "refuse.weak";
}
