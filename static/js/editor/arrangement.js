/** Questions, options and parts in another order, more of them or fewer: as server/forms/arrangement.py does by loads. */

/** What a question says that is a part by itself; the others say the place of their part. */
const ALONE = "";

/** A name that no question has and nobody can guess to have. @returns {string} */
export const newUid = () => `n${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** A short name for one more question or part, as server/forms/names.py has it. @param {DraftRow[]} rows @param {"q" | "part_"} [stem] @returns {string} */
const proposed = (rows, stem = "q") => free(rows, stem, rows.length + 1);

/** @param {DraftRow[]} rows @param {string} stem @param {number} least @returns {string} the first name, from a number on, that no row has */
function free(rows, stem, least) {
  const taken = new Set(rows.map((each) => each["id"]));
  let n = least;
  while (taken.has(`${stem}${n}`)) n += 1;
  return `${stem}${n}`;
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} from
 * @param {number} to
 */
export function moveWithin(list, from, to) {
  const [entry] = list.splice(from, 1);
  list.splice(to, 0, /** @type {T} */ (entry));
}

/** Put a copy behind a question, with a short name that no other has. @param {DraftState} state @param {number} index @returns {number} its place */
export function copyQuestion({ questions }, index) {
  const twin = /** @type {DraftRow} */ (structuredClone(questions[index]));
  twin.uid = newUid();
  const stem = (twin["id"] ?? "").replace(/_\d{1,3}$/, "").slice(0, 36);
  if (stem) twin["id"] = /^q\d{1,4}$/.test(twin["id"]) ? proposed(questions) : free(questions, `${stem}_`, 2);
  questions.splice(index + 1, 0, twin);
  return index + 1;
}

/**
 * Move a question to a place. It joins the part in the midst of which it comes to stand, and stays in its own next
 * to another question of it, or if it is the only one there.
 *
 * @param {DraftState} state
 * @param {number} index
 * @param {number} to
 * @returns {number} its place
 */
export function placeQuestion({ questions }, index, to) {
  const target = Math.max(0, Math.min(to, questions.length - 1));
  const [question] = questions.splice(index, 1);
  if (!question) return index;
  if (target !== index) {
    const [before, after] = [questions[target - 1]?.["section"], questions[target]?.["section"]];
    const own = question["section"];
    if (before && before === after) question["section"] = before;
    else if (own !== before && own !== after && questions.some((each) => each["section"] === own)) question["section"] = ALONE;
  }
  questions.splice(target, 0, question);
  return target;
}

/**
 * Move a question by one within its part; at the end of the part, the part past the neighbour's.
 *
 * @param {DraftState} state
 * @param {number} index
 * @param {-1 | 1} by
 * @returns {number} its place
 */
export function passQuestion({ questions }, index, by) {
  const other = index + by;
  if (other < 0 || other >= questions.length) return index;
  const [own, neighbour] = [block(questions, index), block(questions, other)];
  if (own[0] === neighbour[0]) {
    moveWithin(questions, index, other);
    return other;
  }
  const moved = questions.splice(own[0], own[1] - own[0]);
  questions.splice(by < 0 ? neighbour[0] : neighbour[1] - moved.length, 0, ...moved);
  return index + by * (neighbour[1] - neighbour[0]);
}

/** The neighbouring questions of the same part. @param {DraftRow[]} questions @param {number} index @returns {[number, number]} the first, and one past the last */
function block(questions, index) {
  const place = questions[index]?.["section"];
  let [first, end] = [index, index + 1];
  while (place !== ALONE && first > 0 && questions[first - 1]?.["section"] === place) first -= 1;
  while (place !== ALONE && end < questions.length && questions[end]?.["section"] === place) end += 1;
  return [first, end];
}

/**
 * Add a question at the end of a part, behind all others if it has none; or behind all others as a part by itself.
 *
 * @param {DraftState} state
 * @param {Record<string, any>} blank
 * @param {number} [part]
 * @returns {number} its place
 */
export function addQuestion({ questions }, blank, part) {
  const section = part === undefined ? ALONE : String(part);
  const last = part === undefined ? -1 : questions.findLastIndex((each) => each["section"] === section);
  const place = last < 0 ? questions.length : last + 1;
  questions.splice(place, 0, { ...structuredClone(blank), section, uid: newUid(), id: proposed(questions) });
  return place;
}

/** A question that was put into a part goes to the end of it. @param {DraftState} state @param {number} index @returns {number} its place */
export function joinPart({ questions }, index) {
  const place = questions[index]?.["section"];
  const others = questions.flatMap((each, n) => (n !== index && each["section"] === place && place !== ALONE ? [n] : []));
  const last = others.at(-1);
  if (last === undefined || others.includes(index - 1) || others.includes(index + 1)) return index;
  const target = last < index ? last + 1 : last;
  moveWithin(questions, index, target);
  return target;
}

/** @param {DraftState} state @param {string[]} codes @returns {number} the place of a new part */
export function addPart({ sections }, codes) {
  sections.push({ uid: newUid(), id: proposed(sections, "part_"), always: false, title: empty(codes), introduction: empty(codes) });
  return sections.length - 1;
}

/**
 * Take away a question, an option or a part, whose questions become parts by themselves.
 *
 * @param {DraftState} state
 * @param {"question" | "option" | "part"} what
 * @param {number} at
 * @param {number} [of] the question of an option
 * @returns {(now: DraftState) => number} puts it back into the draft as it is by then, and gives its place; -1 where it has none
 */
export function removeRow(state, what, at, of = 0) {
  if (what === "part") return removePart(state, at);
  if (what === "question") return removeQuestion(state, at);
  const owner = state.questions[of];
  const [option] = owner?.["options"].splice(at, 1) ?? [];
  return ({ questions }) => {
    const rows = questions.find(({ uid }) => uid === owner?.uid)?.["options"];
    const place = rows ? Math.min(at, rows.length) : -1;
    rows?.splice(place, 0, option);
    return place;
  };
}

/** @param {DraftState} state @param {number} at @returns {(now: DraftState) => number} */
function removeQuestion({ questions, sections }, at) {
  const [row] = /** @type {[DraftRow]} */ (questions.splice(at, 1));
  const part = sections[Number(row["section"] || -1)]?.uid;
  return (now) => {
    const own = now.sections.findIndex(({ uid }) => uid === part);
    const section = own < 0 ? ALONE : String(own);
    let place = Math.min(at, now.questions.length);
    // Others may have moved: it does not come between two questions of another part.
    while (place > 0 && within(now.questions, place) && now.questions[place]?.["section"] !== section) place += 1;
    const id = now.questions.some((each) => each["id"] === row["id"]) ? proposed(now.questions) : row["id"];
    now.questions.splice(place, 0, { ...row, id, section });
    return joinPart(now, place);
  };
}

/** Whether a place lies between two questions of one part. @param {DraftRow[]} questions @param {number} place */
const within = (questions, place) => ![ALONE, undefined].includes(questions[place]?.["section"]) && questions[place - 1]?.["section"] === questions[place]?.["section"];

/** @param {DraftState} state @param {number} at @returns {(now: DraftState) => number} */
function removePart({ questions, sections }, at) {
  const inside = questions.filter((each) => each["section"] === String(at)).map(({ uid }) => uid);
  const [row] = /** @type {[DraftRow]} */ (sections.splice(at, 1));
  shift(questions, (place) => (place === at ? null : place > at ? place - 1 : place));
  return (now) => {
    const place = Math.min(at, now.sections.length);
    shift(now.questions, (each) => (each >= place ? each + 1 : each));
    for (const each of now.questions) if (inside.includes(each.uid) && each["section"] === ALONE) each["section"] = String(place);
    now.sections.splice(place, 0, row);
    return place;
  };
}

/** @param {DraftRow[]} questions @param {(place: number) => number | null} to the new place of a part, or that it is gone */
function shift(questions, to) {
  for (const each of questions) {
    if (each["section"] === ALONE) continue;
    const place = to(Number(each["section"]));
    each["section"] = place === null ? ALONE : String(place);
  }
}

/** Fields that the questions of a group have alike. */
const SHARED = ["kind", "mechanism", "epsilon", "size", "utility", "skip", "ordered", "options", "matrix_wording"];

/**
 * Make the lines of each group alike: its scale is that of the first. One that was moved out is a question by itself.
 *
 * @param {DraftState} state
 */
export function regroup({ questions }) {
  const taken = new Set();
  questions.forEach((each, n) => {
    const before = questions[n - 1];
    if (!each["matrix"]) return;
    if (before && before["matrix"] === each["matrix"] && before["section"] === each["section"]) {
      for (const key of SHARED) each[key] = structuredClone(before[key]);
    } else if (taken.has(each["matrix"])) each["matrix"] = "";
    taken.add(each["matrix"]);
  });
}

/** Of a group that was just added: questions, and options of their scale; as server/forms/grouping.py has it. */
const [LINES, STEPS] = [3, 5];

/**
 * Add empty questions on one scale at the end, as many as there is room for.
 *
 * @param {DraftState} state
 * @param {Record<string, any>} blank an empty question of one choice
 * @param {readonly string[]} codes
 * @param {number} room
 * @returns {number} the place of the first
 */
export function addGroup({ questions }, blank, codes, room) {
  const place = questions.length;
  const taken = new Set(questions.map((each) => each["matrix"]));
  let n = 1;
  while (taken.has(`scale_${n}`)) n += 1;
  for (let line = 0; line < Math.min(LINES, room); line += 1) {
    const options = Array.from({ length: STEPS }, () => empty(codes));
    questions.push({ ...structuredClone(blank), uid: newUid(), id: proposed(questions), matrix: `scale_${n}`, options });
  }
  return Math.max(0, Math.min(place, questions.length - 1));
}

/**
 * Add an empty question to a group, behind another of it.
 *
 * @param {DraftState} state
 * @param {number} index
 * @param {readonly string[]} codes
 * @returns {number} its place
 */
export function addLine({ questions }, index, codes) {
  const above = questions[index];
  if (!above?.["matrix"]) return index;
  questions.splice(index + 1, 0, { ...structuredClone(above), uid: newUid(), id: proposed(questions), wording: empty(codes), note: empty(codes) });
  return index + 1;
}

/** @param {readonly string[]} codes @returns {Record<string, string>} a text that nobody has written yet */
const empty = (codes) => Object.fromEntries(codes.map((code) => [code, ""]));

/** What the template of a question is called: a line of a group has fewer fields. @param {DraftState} state @param {number} index @returns {string} */
export function templateOf({ questions }, index) {
  const [question, before] = [questions[index], questions[index - 1]];
  if (!question?.["matrix"]) return question?.["kind"];
  return `${question["kind"]}-${before?.["matrix"] === question["matrix"] ? "line" : "first"}`;
}
