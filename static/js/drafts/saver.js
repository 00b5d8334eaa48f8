/** Saves a draft while it is written: one request at a time, about a second after the last keystroke. */

import { led } from "./groups.js";
import { changesOf, rebase } from "./rebase.js";
import { post } from "./request.js";
import { fromUnits, units } from "./units.js";

/** Milliseconds from the last keystroke to the save, and until the next try where there was no answer. */
const CALM = 1000;
const AGAIN = 10_000;
/** The most bytes that a browser sends on after its page is left. */
const MOST_BEHIND = 60_000;

/**
 * @param {SavedPage} desk
 * @param {{ hash: string, document: Draft }} stored
 * @param {{ fetch?: typeof fetch, setTimeout: (work: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} [world]
 */
export function saver(desk, stored, world = globalThis) {
  /** What is known to be stored. */
  let base = units(stored.document);
  /** Hashes of the drafts that this page went on from: one, until the page is being left. */
  let seen = [stored.hash];
  const page = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let number = 0;
  /** What was sent and has no answer. It may be stored: the same goes first again. @type {Sent | null} */
  let unanswered = null;
  /** What was sent last. @type {Sent | null} */
  let last = null;
  /** What somebody else has stored, while somebody chooses. @type {{ theirs: Units, hash: string } | null} */
  let met = null;
  /** Whether somebody has to act before another try makes sense. */
  let isStuck = false;
  let isLeaving = false;
  /** @type {Promise<void> | null} */
  let under = null;
  /** @type {any} */
  let timer;
  /** @type {any} */
  let staying;

  const isDirty = () => unanswered !== null || changesOf(base, units(desk.read())).length > 0;
  /** A page that is being left may be loaded again as it was before what it still saves: that is held too. */
  const hold = () => desk.hold({ base, document: desk.read(), seen, sent: unanswered ?? (isLeaving ? last : null) });
  const know = (/** @type {string} */ hash) => { seen = isLeaving ? [...seen, hash] : [hash]; };

  /** Something was typed. @returns {boolean} whether this browser holds it */
  function touch() {
    isLeaving = false;
    const isHeld = hold();
    if (isStuck) return isHeld;
    desk.tell("waiting");
    later(CALM);
    return isHeld;
  }

  /** @param {number} ms */
  function later(ms) {
    world.clearTimeout(timer);
    timer = world.setTimeout(() => void now(), ms);
  }

  /** Save what is not saved yet. @returns {Promise<boolean>} whether everything is */
  async function now() {
    world.clearTimeout(timer);
    while (under) await under;
    if (isStuck) return false;
    if (!isDirty()) {
      settle();
      return true;
    }
    desk.begin();
    await alone(send(false)).finally(desk.end);
    return !isDirty();
  }

  /** Everything is saved. */
  function settle() {
    if (isLeaving) hold();
    else desk.letGo();
    desk.tell("saved");
  }

  /** @param {Promise<void>} request @returns {Promise<void>} the same: the next one waits for it */
  function alone(request) {
    under = request.finally(() => { under = null; });
    return under;
  }

  /** @param {boolean} isBehind whether nobody looks at the page any more @returns {Promise<void>} */
  async function send(isBehind) {
    const isAgain = unanswered !== null;
    const sent = unanswered ?? write(units(desk.read()));
    const isNothing = !changesOf(base, sent.units).length;
    last = unanswered = sent;
    if (!isNothing) hold(); // a page that is loaded before there is an answer knows what was sent
    if (!isBehind) desk.tell("saving");
    const answer = await post(desk.address(), sent.body, desk.token, { ...(world.fetch && { fetch: world.fetch }), keepalive: isBehind && new Blob([sent.body]).size < MOST_BEHIND });
    const isAnswered = !["unreachable", "failed", "done"].includes(answer.state) || [403, 404].includes(answer.status);
    if (isAnswered || isNothing) unanswered = null;
    if (answer.state === "saved") return take(answer, sent, isAgain, isBehind);
    if (isNothing) return;
    if (answer.state === "late" && isAgain) return send(isBehind); // a later one of that page is stored
    if (answer.state === "changed") {
      const theirs = units(answer.document);
      met = { theirs, hash: answer.hash };
      if (answer.own) { // nobody chooses between two windows of their own: what was typed last stands
        adopt(Object.fromEntries(answer.conflicts.map((/** @type {Conflict} */ { unit }) => [unit, "mine"])));
        if (isDirty()) await send(isBehind);
        else settle();
        return desk.overruled(answer, theirs);
      }
    }
    fail(isAnswered ? answer.state : "unreachable", answer);
  }

  /** @param {Units} typed @returns {Sent} */
  function write(typed) {
    number += 1;
    return { body: JSON.stringify({ page, number, seen: seen.at(-1), changes: changesOf(base, typed) }), units: typed };
  }

  /** It is stored. @param {any} answer @param {Sent} sent @param {boolean} isAgain whether something was typed since @param {boolean} isBehind @returns {Promise<void> | void} */
  function take(answer, sent, isAgain, isBehind) {
    const theirs = answer.document ? units(answer.document) : sent.units;
    const joined = { mine: JSON.parse(sent.body).changes, theirs: changesOf(sent.units, theirs), versions: [theirs, sent.units, base] };
    base = sent.units;
    know(answer.hash);
    if (answer.document) putOn(theirs);
    desk.saved(answer, joined);
    if (!isDirty()) return settle();
    hold();
    if (isAgain) return send(isBehind);
    later(CALM);
  }

  /** What is typed goes on from what is stored. @param {Units} stored @param {Choices} [choices] @param {Units} [typed] @param {Units} [from] what it began from */
  function putOn(stored, choices, typed = units(desk.read()), from = base) {
    const rebased = rebase(typed, from, stored, choices);
    base = rebased.base;
    desk.put(led(fromUnits(rebased.now), from, typed, stored));
  }

  /** @param {Choices} choices between what is typed and what was met */
  function adopt(choices) {
    if (!met) return;
    know(met.hash);
    putOn(met.theirs, choices);
    met = null;
    isStuck = false;
    hold();
  }

  /** @param {string} state @param {any} answer */
  function fail(state, answer) {
    const isWaiting = ["unreachable", "signed_out", "second_factor"].includes(state);
    isStuck = !isWaiting && state !== "refused"; // what is typed next may be right
    hold();
    desk.tell(/** @type {Standing} */ (isWaiting || ["refused", "changed", "frozen"].includes(state) ? state : "gone"), answer);
    if (isWaiting) later(AGAIN);
  }

  /** @param {boolean} isChanged whether there is something to save; to save nothing tells what others have saved */
  const sendBehind = (isChanged) => { if (!under && !isStuck && isDirty() === isChanged) void alone(send(true)); };

  return {
    touch,
    now,
    /** The page is being left, or not looked at any more. */
    leave: () => sendBehind(true),
    /** The page is looked at again. */
    look: () => sendBehind(false),
    /** Hold what is not saved as it stands, for the next page. @returns {boolean} whether this browser holds it */
    keep() {
      isLeaving = true;
      world.clearTimeout(staying);
      // It may be a file, or somebody stops it: then this page has not been left.
      staying = world.setTimeout(() => {
        isLeaving = false;
        if (!isDirty() && !under) desk.letGo();
      }, AGAIN);
      return hold();
    },
    /** Go on with what another page has left. @param {Draft} draft @param {Units} from what it began from @param {Sent | null} sent what it may have sent @returns {boolean} whether this page holds it */
    goOn(draft, from, sent) {
      unanswered = sent ?? unanswered;
      putOn(base, {}, units(draft), from);
      return touch();
    },
    /** Somebody has chosen. @param {Choices} choices @returns {Promise<boolean>} */
    choose(choices) {
      adopt(choices);
      return now();
    },
    /** @returns {Units} what is known to be stored */
    get base() { return base; },
    /** @returns {string} the hash of it */
    get hash() { return String(seen.at(-1)); },
    /** @returns {boolean} whether something is neither saved nor on its way */
    get isWaiting() { return isDirty() || under !== null; },
    get isStuck() { return isStuck; },
  };
}
