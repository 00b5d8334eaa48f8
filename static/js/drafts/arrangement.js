/** Questions, options and sections in another order, more of them or fewer. A question names its section by uid, or stands alone. */

import { isLine, isOfScale, share } from "./groups.js";
import { replaced } from "./rebase.js";
import { fromUnits, newUid, ownerOf, units } from "./units.js";

/** @param {readonly { uid: string }[]} nodes @param {string | undefined} uid */
export const placeOf = (nodes, uid) => nodes.findIndex((node) => node.uid === uid);

/** @template T @param {T[]} list @param {number} from @param {number} to */
export function moveWithin(list, from, to) {
  list.splice(to, 0, ...list.splice(from, 1));
}

/** @param {readonly DraftNode[]} nodes @param {string} stem @param {number} [least] @returns {string} the first name, from a number on, that no node has */
function freeName(nodes, stem, least = nodes.length + 1) {
  const taken = new Set(nodes.map(({ id }) => id));
  let n = least;
  while (taken.has(`${stem}${n}`)) n += 1;
  return `${stem}${n}`;
}

/** Put a copy behind a question, with a short name that no other has. @param {Draft} document @param {string} uid @returns {DraftQuestion} */
export function copyQuestion({ questions }, uid) {
  const at = placeOf(questions, uid);
  const twin = { .../** @type {DraftQuestion} */ (structuredClone(questions[at])), uid: newUid() };
  for (const option of twin.options ?? []) option.uid = newUid();
  const stem = (twin.id ?? "").replace(/_\d{1,3}$/, "").slice(0, 36);
  if (stem) twin.id = /^q\d{1,4}$/.test(twin.id ?? "") ? freeName(questions, "q") : freeName(questions, `${stem}_`, 2);
  questions.splice(at + 1, 0, twin);
  return twin;
}

/**
 * Move a question to a place. It joins the section in the midst of which it comes to stand, and stays in its own next
 * to another question of it, or if it is the only one there.
 *
 * @param {Draft} document
 * @param {string} uid
 * @param {number} to
 */
export function placeQuestion({ questions }, uid, to) {
  const at = placeOf(questions, uid);
  const target = Math.max(0, Math.min(to, questions.length - 1));
  if (target === at) return;
  const [question] = /** @type {[DraftQuestion]} */ (questions.splice(at, 1));
  const [above, below] = [questions[target - 1]?.section, questions[target]?.section];
  const own = question.section;
  if (above && above === below) question.section = above;
  else if (own !== above && own !== below && questions.some(({ section }) => section === own)) delete question.section;
  questions.splice(target, 0, question);
}

/** Move a question by one within its section; at the end of the section, that past the neighbour's. @param {Draft} document @param {string} uid @param {-1 | 1} by */
export function passQuestion({ questions }, uid, by) {
  const at = placeOf(questions, uid);
  if (!questions[at + by]) return;
  const [own, neighbour] = [sectionAround(questions, at), sectionAround(questions, at + by)];
  if (own[0] === neighbour[0]) return moveWithin(questions, at, at + by);
  const moved = questions.splice(own[0], own[1] - own[0]);
  questions.splice(by < 0 ? neighbour[0] : neighbour[1] - moved.length, 0, ...moved);
}

/** The neighbouring questions of the same section. @param {DraftQuestion[]} questions @param {number} at @returns {[number, number]} the first, and one past the last */
function sectionAround(questions, at) {
  const own = questions[at]?.section;
  let [first, end] = [at, at + 1];
  while (own && first > 0 && questions[first - 1]?.section === own) first -= 1;
  while (own && end < questions.length && questions[end]?.section === own) end += 1;
  return [first, end];
}

/** Add a question at the end; with a section, `tidy` takes it to the end of that. @param {Draft} document @param {Record<string, any>} blank @param {string} [section] @returns {DraftQuestion} */
export function addQuestion({ questions }, blank, section) {
  const question = { ...structuredClone(blank), uid: newUid(), id: freeName(questions, "q"), ...(section && { section }) };
  questions.push(question);
  return question;
}

/** A question that was put into a section goes to the end of it, unless it stands beside another of it. @param {Draft} document @param {string} uid */
export function joinSection({ questions }, uid) {
  const at = placeOf(questions, uid);
  const isOf = (/** @type {DraftQuestion | undefined} */ question) => question?.section !== undefined && question.section === questions[at]?.section;
  if (questions.some((question, n) => n !== at && isOf(question)) && !isOf(questions[at - 1]) && !isOf(questions[at + 1])) moveWithin(questions, at, questions.length - 1);
}

/** @param {Draft} document @returns {DraftNode} a new section */
export function addSection({ sections }) {
  const section = { uid: newUid(), id: freeName(sections, "part_") };
  sections.push(section);
  return section;
}

/** Take away a question, a section, whose questions stand alone then, or an option of a question. @param {Draft} document @param {string} unit @returns {number} the place that it had */
export function remove({ questions, sections }, unit) {
  const [owner = "", option] = unit.split(".");
  const question = questions[placeOf(questions, owner)];
  const list = option ? question?.options ?? [] : question ? questions : sections;
  const at = placeOf(list, option ?? owner);
  list.splice(at, 1);
  for (const inside of questions) if (inside.section === unit) delete inside.section;
  return at;
}

/**
 * Put back what was removed into the draft as it is by now: others may have changed it meanwhile.
 *
 * @param {Draft} document
 * @param {Units} before what there was
 * @param {string} unit
 * @returns {Draft | null} null where there is no place for it any more
 */
export function putBack(document, before, unit) {
  const now = units(document);
  const owner = ownerOf(unit);
  if (owner !== unit && !(owner in now)) return null;
  const inside = Object.keys(before).filter((key) => key.endsWith(".section") && before[key] === unit && ownerOf(key) in now && !(key in now));
  const whole = fromUnits(replaced(now, before, [unit, ...inside]));
  const question = whole.questions[placeOf(whole.questions, unit)];
  if (question && document.questions.some(({ id }) => id === question.id)) question.id = freeName(document.questions, "q");
  joinSection(whole, unit);
  return whole;
}

/** Kinds of question that can be lines of a group. */
const GROUPED = ["yes_no", "choice"];

/** The unit from which a line of a group has what a unit of it holds: that of the first line. @param {Draft} document @param {string} unit @returns {string} */
export function leadingUnit(document, unit) {
  const [owner = ""] = unit.split(".");
  let at = placeOf(document.questions, owner);
  while (isOfScale(unit) && isLine(document, at)) at -= 1;
  return at < 0 ? unit : document.questions[at]?.uid + unit.slice(owner.length);
}

/**
 * Let the questions of a section stand together, sections in the order of their first questions, and lines of a group alike.
 *
 * A line that was moved away from its group is a question by itself.
 *
 * @param {Draft} document
 */
export function tidy(document) {
  const { questions, sections } = document;
  /** @type {Map<string, number>} */
  const first = new Map();
  for (const [n, { uid, section = uid }] of questions.entries()) if (!first.has(section)) first.set(section, n);
  const placed = (/** @type {string} */ name) => first.get(name) ?? questions.length;
  questions.sort((question, other) => placed(question.section ?? question.uid) - placed(other.section ?? other.uid));
  sections.sort(({ uid }, other) => placed(uid) - placed(other.uid));
  const taken = new Set();
  for (const [n, question] of questions.entries()) {
    const name = question["matrix"];
    if (isLine(document, n)) share(/** @type {DraftQuestion} */ (questions[n - 1]), question);
    else if (name && (taken.has(name) || !GROUPED.includes(question["kind"] ?? "yes_no"))) delete question["matrix"];
    taken.add(name);
  }
}

/** Of a group that was just added: questions, and options of their scale. */
const [LINES, STEPS] = [3, 5];

/** Add empty questions on one scale at the end, as many as there is room for. @param {Draft} document @param {Record<string, any>} blank @param {number} room @returns {DraftQuestion[]} */
export function addGroup(document, blank, room) {
  const taken = new Set(document.questions.map((question) => question["matrix"]));
  let n = 1;
  while (taken.has(`scale_${n}`)) n += 1;
  const options = Array.from({ length: STEPS }, () => ({ uid: newUid() }));
  return Array.from({ length: Math.min(LINES, room) }, () => addQuestion(document, { ...blank, matrix: `scale_${n}`, options }));
}

/** Add an empty question to a group, behind another of it. @param {Draft} document @param {string} uid @returns {DraftQuestion} */
export function addLine({ questions }, uid) {
  const at = placeOf(questions, uid);
  const { wording: _, note: __, ...shared } = /** @type {DraftQuestion} */ (questions[at]);
  const line = { ...structuredClone(shared), uid: newUid(), id: freeName(questions, "q") };
  questions.splice(at + 1, 0, line);
  return line;
}

/** What the template of a question is called: a line of a group has fewer fields. @param {Draft} document @param {number} at */
export function templateOf(document, at) {
  const { kind = "yes_no", matrix } = /** @type {DraftQuestion} */ (document.questions[at]);
  return matrix ? `${kind}-${isLine(document, at) ? "line" : "first"}` : kind;
}
