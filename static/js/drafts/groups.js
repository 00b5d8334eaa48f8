/** Questions that are asked as lines on one scale: what the first has holds for all. survey/draft/groups.py does the same. */

import { changesOf } from "./rebase.js";
import { isEmpty, isNode } from "./units.js";

/** What the lines of a group have alike. */
const SHARED = ["kind", "mechanism", "epsilon", "size", "utility", "wants", "skip", "ordered", "options", "matrix_wording"];

/** Whether a question is a line below the first of its group. @param {Draft} document @param {number} at */
export function isLine({ questions }, at) {
  const [question, above] = [questions[at], questions[at - 1]];
  return Boolean(question?.["matrix"]) && question?.["matrix"] === above?.["matrix"] && question?.section === above?.section;
}

/** Whether a unit of a question is one that the lines of a group have alike. @param {string} unit */
export function isOfScale(unit) {
  const [, key = ""] = unit.split(".");
  return SHARED.includes(key) || isNode(key);
}

/** Let a line have what another of its group has. @param {DraftQuestion} leader @param {DraftQuestion} line */
export function share(leader, line) {
  for (const key of SHARED) {
    if (isEmpty(leader[key])) delete line[key];
    else line[key] = structuredClone(leader[key]);
  }
}

/**
 * Let each group have the scale that somebody has changed, not that of a line that the other has put on top.
 *
 * @param {Draft} document put together of several versions
 * @param {Units} base what they began from
 * @param {...Units} versions
 * @returns {Draft}
 */
export function led(document, base, ...versions) {
  const changes = versions.flatMap((version) => changesOf(base, version));
  const changed = new Set(changes.filter(({ unit }) => isOfScale(unit)).map(({ unit }) => unit.split(".")[0] ?? ""));
  const { questions } = document;
  for (const [first, question] of questions.entries()) {
    if (!question["matrix"] || isLine(document, first)) continue;
    let end = first + 1;
    while (isLine(document, end)) end += 1;
    const known = questions.slice(first, end).filter(({ uid }) => uid in base);
    const leader = known.find(({ uid }) => changed.has(uid)) ?? known[0];
    if (leader && leader !== question) share(leader, question);
  }
  return document;
}
