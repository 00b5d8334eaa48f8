/** Asks the server what the draft would mean as it stands. Nothing is stored by asking. */

import { ownerOf } from "./units.js";

/** After so many milliseconds without an answer the page says that it is working. */
const PATIENCE = 200;
/** After so many it gives up: a request that hangs would hold up every later one. */
const LONGEST = 30_000;
/** After so many without a change it asks about texts, and for the comparisons that take longer than a slider should wait. */
const CALM = 300;

/** Settings of the survey that figures depend on: the margins of all questions, or the total alone. @type {Record<string, string>} */
const OF_SURVEY = { "expected": "all", "asked": "all", "budget.waves": "total", "budget.limit": "total" };

/** Asks about every question, about the total alone, or about what is wrong with the draft as it is stored. */
const OF_ALL = ["all", "total", "problems"];

/** What a unit that was typed changes in the figures. Of texts there is only advice, which can wait. @param {string} unit @returns {{ about: string, calm: boolean }} */
export function affected(unit) {
  const owner = ownerOf(unit);
  const key = owner ? unit.slice(owner.length + 1) : unit;
  // Which questions are asked together decides how many people are asked each of them.
  const about = owner ? { section: "all", always: "all", id: "" }[key] ?? owner : OF_SURVEY[key] ?? "";
  return { about, calm: /^(wording|note|help|unit|matrix_wording|picture|n[0-9a-f]{12})\b/.test(key) };
}

/**
 * One request at a time: what changes meanwhile is asked about next, so an older answer never covers a newer one.
 * While the draft is being saved nothing is asked: whoever presses "Save" waits for the server with nobody else.
 *
 * @param {object} page
 * @param {(question: { changed: string[] | "all", in_full: boolean, problems: boolean }, signal: AbortSignal) => Promise<any>} page.post
 * @param {(answer: any) => void} page.show an answer with the status 200, or what is instead of it
 * @param {(isWaiting: boolean) => void} page.wait
 * @param {() => boolean} page.saves whether a save is about to be sent: what takes long waits for it
 */
export function asker({ post, show, wait, saves }) {
  /** Questions, or one of `OF_ALL`. @type {Set<string>} */
  const changed = new Set();
  /** Questions whose comparison is still to come. @type {Set<string>} */
  const partial = new Set();
  /** @type {{ controller: AbortController, about: string[] } | null} */
  let under = null;
  let hasFailed = false;
  let isPaused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let calm;

  /** @param {Set<string>} about @param {boolean} inFull */
  async function send(about, inFull) {
    clearTimeout(calm);
    const request = { controller: new AbortController(), about: [...about] };
    under = request;
    about.clear();
    const timers = [setTimeout(() => wait(true), PATIENCE), setTimeout(() => request.controller.abort(), LONGEST)];
    const wanted = request.about.includes("all") ? /** @type {const} */ ("all") : request.about.filter((uid) => !OF_ALL.includes(uid));
    const answer = await post({ changed: wanted, in_full: inFull, problems: request.about.includes("problems") }, request.controller.signal);
    timers.forEach(clearTimeout);
    wait(false);
    if (under !== request) return; // it was given up for a save
    under = null;
    hasFailed = answer.status !== 200;
    show(answer);
    if (hasFailed) {
      partial.clear();
      changed.add("all").add("problems"); // with the next change: nothing that stood there stands any more
      return;
    }
    for (const [uid, { partial: isPartial }] of Object.entries(answer.shown)) {
      if (isPartial) partial.add(uid);
      else partial.delete(uid);
    }
    next();
  }

  function next() {
    clearTimeout(calm);
    if (under || isPaused) return;
    if (changed.size) void send(changed, false);
    else if (partial.size && !saves()) calm = setTimeout(() => void send(partial, true), CALM);
  }

  /** @param {string} about @param {boolean} [calmly] */
  function ask(about, calmly = false) {
    changed.add(about);
    if (!calmly) return next();
    clearTimeout(calm);
    if (!under && !isPaused) calm = setTimeout(next, CALM);
  }

  /** A save begins: it has the server to itself. */
  function pause() {
    isPaused = true;
    clearTimeout(calm);
    if (!under) return;
    const { controller, about } = under;
    for (const uid of about) changed.add(uid);
    under = null;
    controller.abort();
  }

  function resume() {
    isPaused = false;
    next();
  }

  // The connection is back, or somebody who signed in elsewhere is.
  for (const event of ["online", "focus"]) addEventListener(event, () => hasFailed && ask("all"));
  return { ask, pause, resume };
}
