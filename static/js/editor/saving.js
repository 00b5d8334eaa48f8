/** Saves a draft while it is written: one request at a time, about a second after the last keystroke. */

/** Milliseconds from the last keystroke to the save, and until the next try where there was no answer. */
const CALM = 1000;
const AGAIN = 10_000;
/** After so many the request is given up. */
const LONGEST = 30_000;
/** The most bytes that a browser sends on after its page is left. */
const MOST_BEHIND = 60_000;

/** @typedef {"saved" | "waiting" | "saving" | "unreachable" | "signed_out" | "second_factor" | "refused" | "changed" | "frozen" | "gone"} Standing */

/**
 * @typedef {object} Desk
 * @property {() => string} address
 * @property {() => { basis: string, typed: DraftState }} read
 * @property {(answer: any, sent: DraftState) => boolean} saved false where what was typed since does not go with it
 * @property {(standing: Standing, answer?: any) => void} tell
 * @property {{ value: string }} token
 * @property {(held: import("./held.js").Held) => boolean} hold
 * @property {() => void} letGo
 * @property {() => void} begin what else asks the server shall wait
 * @property {() => void} end
 */

/**
 * @param {Desk} desk
 * @param {{ fetch: typeof fetch, setTimeout: (work: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} [world]
 */
export function saver(desk, world = globalThis) {
  let dirty = false;
  /** Somebody has to act before another try makes sense. */
  let stuck = false;
  /** What was sent and is not answered. It may be stored: the same goes first again, so that it is nobody else's. @type {string | null} */
  let unanswered = null;
  /** @type {Promise<void> | null} */
  let under = null;
  /** The basis of a page that is being left: the next one may be made before what this one still saves. @type {string | null} */
  let leaving = null;
  /** @type {any} */
  let timer;
  /** @type {any} */
  let staying;

  /** @returns {boolean} whether this browser holds it */
  function touch() {
    dirty = true;
    leaving = null;
    const kept = hold();
    if (stuck) return kept;
    desk.tell("waiting");
    later(CALM);
    return kept;
  }

  /** The next page goes on from what a page that is being left was, or from what it has saved by now. @returns {boolean} */
  function hold() {
    const now = desk.read();
    if (leaving === null || leaving === now.basis) return desk.hold({ ...now, sent: unanswered });
    return desk.hold({ ...now, basis: leaving, sent: unanswered ?? JSON.stringify(now) });
  }

  /** Hold what is not saved as it stands, for the next page. @returns {boolean} whether this browser holds it */
  function keep() {
    leaving = desk.read().basis;
    world.clearTimeout(staying);
    staying = world.setTimeout(stay, AGAIN);
    return hold();
  }

  /** It was a file, or somebody has stopped it: this page has not been left. */
  function stay() {
    if (leaving !== null && !dirty && !under) desk.letGo();
    leaving = null;
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
    if (dirty) {
      desk.begin();
      await alone(send(false)).finally(desk.end);
    }
    return !dirty;
  }

  /** @param {Promise<void>} request @returns {Promise<void>} the same: the next one waits for it */
  function alone(request) {
    under = request.finally(() => { under = null; });
    return under;
  }

  /** @param {boolean} behind whether the page is being left @param {boolean} [again] with another token @returns {Promise<void>} */
  async function send(behind, again = false) {
    const newest = JSON.stringify(desk.read());
    const body = unanswered ?? newest;
    dirty = body !== newest;
    unanswered = body;
    if (!behind) desk.tell("saving");
    let response, answer;
    try {
      response = await world.fetch(desk.address(), {
        method: "POST", body, keepalive: behind && new Blob([body]).size < MOST_BEHIND, redirect: "error",
        headers: { "Content-Type": "application/json", "X-CSRFToken": desk.token.value }, signal: AbortSignal.timeout(LONGEST),
      });
      answer = response.headers.get("Content-Type")?.startsWith("application/json") ? await response.json() : {};
    } catch {
      return failed("unreachable");
    }
    unanswered = null;
    if (response.ok && answer.state === "saved") {
      const later = dirty && body !== newest;
      if (!done(answer, JSON.parse(body).typed) && !again) return send(behind, true);
      return later ? send(behind) : undefined;
    }
    if (answer.state === "expired" && answer.token && !again) {
      desk.token.value = answer.token;
      return send(behind, true);
    }
    if (["signed_out", "second_factor"].includes(answer.state)) return failed(answer.state);
    stuck = ["changed", "frozen", "gone", "refused"].includes(answer.state) || [403, 404].includes(response.status);
    failed(stuck ? (answer.state in { changed: 1, frozen: 1, refused: 1 } ? answer.state : "gone") : "unreachable", answer);
    if (answer.state === "refused") stuck = false; // what is typed next may be right
  }

  /** @param {any} answer @param {DraftState} sent @returns {boolean} whether it goes with what was typed since */
  function done(answer, sent) {
    stuck = false;
    const fits = desk.saved(answer, sent);
    dirty ||= !fits;
    if (dirty) {
      hold();
      later(CALM);
      return fits;
    }
    if (leaving === null) desk.letGo();
    desk.tell("saved", answer);
    return true;
  }

  /** @param {Standing} standing @param {any} [answer] */
  function failed(standing, answer) {
    dirty = true;
    hold();
    desk.tell(standing, answer);
    if (["unreachable", "signed_out", "second_factor"].includes(standing)) later(AGAIN);
  }

  return {
    touch,
    now,
    keep,
    /** Go on from what an earlier page has left. @param {string} sent what it may have sent @returns {boolean} whether this page holds it */
    takeUp(sent) {
      unanswered = sent || unanswered;
      return touch();
    },
    /** The page is being left, or not looked at any more: what is not saved goes out behind it. */
    leave() {
      if (dirty && !under && !stuck) void alone(send(true));
    },
    /** @returns {boolean} whether something is neither saved nor on its way */
    get waiting() { return dirty || under !== null; },
    /** @returns {boolean} whether something was typed since the last save began */
    get dirty() { return dirty; },
    get stuck() { return stuck; },
  };
}
