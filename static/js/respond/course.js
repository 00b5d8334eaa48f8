/**
 * How taking part goes, from the first screen to the acknowledgement, whichever way a survey asks. Nothing here knows
 * a document, a storage or a clock: an event comes in, and out come the next state and what is to be done, in order.
 */

/** Seconds until the same bytes go out again, by how often they have gone out; then every minute. */
const WAITS = [5, 10, 20, 40];
const LONGEST_WAIT = 60;
/** Seconds in which the page sends again by itself. */
const PATIENCE = 600;
/** Seconds for which it is remembered how a result came about, while what was sent cannot be shown yet. */
export const MEMORY = 60;

/** Outcomes by which the server takes nothing, now or later. */
const FINAL = ["stale", "different", "closed", "refused", "used", "uninvited"];

/** @type {CourseState} */
const FIRST = { at: "reading" };

/** @type {Transition} What was drawn goes, unseen where it was not shown. */
const erase = (word, doubt = false) => [{ at: "over", word, doubt }, ["erase"]];

/** @type {Go} The page ends here: it says why by itself. */
const fail = () => [{ at: "refused" }, []];

/** @type {Go} */
const elsewhere = (_, { adopts = false }) => [{ at: "elsewhere" }, adopts ? ["adopt"] : []];

/** @type {Go} */
const stop = () => erase("ended", true);

/** @type {Go} From the last whole answer on: bytes that have gone out before are still the same. */
const post = (state) => [{ ...state, at: "sending", tries: (state.tries ?? 0) + 1 }, ["post"]];

/** @type {Go} */
function answered(state, { outcome = "unknown", wait = 0, now = 0 }) {
  if (outcome === "stored") return [{ at: "stored", cause: state.cause, unseen: state.unseen }, ["finish"]];
  if (FINAL.includes(outcome)) return erase(outcome);
  const least = Math.max(wait, WAITS[(state.tries ?? 1) - 1] ?? LONGEST_WAIT);
  const until = state.until ?? now + PATIENCE;
  return now + least > until ? [{ ...state, at: "resting", until, outcome }, []]
    : [{ ...state, at: "waiting", until, wait: least, outcome }, ["wait"]];
}

/** @type {Go} Another tab has drawn, sends, has sent or has ended it. */
function told(state, event) {
  if (event.ended) return erase("ended");
  if (event.stored) return state.at === "elsewhere" ? [{ at: "over", word: "arrived" }, ["finish"]] : [state, []];
  return elsewhere(state, event);
}

/** @type {Go} No word and no picture is remembered any longer. */
const forget = (state) => (state.cause ? [{ ...state, cause: false }, ["hide"]] : [state, []]);

/** @type {Record<string, Go>} */
const onTheWay = { stop, leave: stop, hidden: forget, minute: forget, failed: fail };

/** State -> event -> what follows. An event that a state does not name changes nothing. @type {Record<string, Record<string, Go>>} */
const COURSE = {
  reading: {
    begin: () => [{ at: "answering" }, []],
    resume: ({ at }, { body, unseen, begun }) => (body ? [{ at: "asking", then: "post", unseen }, ["claim"]]
      : begun ? [{ at: "asking", then: "go on" }, ["claim"]] : [{ at }, []]),
    leave: () => erase("ended"),
    told, failed: fail,
  },
  answering: {
    press: (_, { way }) => [{ at: "asking", then: way === "before" ? "draw" : "draw and post" }, ["claim"]],
    send: () => [{ at: "asking", then: "post" }, ["claim"]],
    discard: () => erase("ended"),
    leave: () => erase("ended"),
    told, failed: fail,
  },
  asking: {
    alone: (state, event) => (state.then === "draw" ? [{ at: "answering" }, ["draw"]]
      : state.then === "go on" ? [{ at: "answering" }, []]
        : state.then === "draw and post" ? [{ at: "sending", tries: 1, cause: !state.hidden }, ["draw", "post"]]
          : post({ at: "asking", unseen: state.unseen }, event)),
    held: (state) => elsewhere(state, {}),
    leave: (state) => erase("ended", state.then === "post"),
    hidden: (state) => [{ ...state, hidden: true }, []],
    told, failed: fail,
  },
  sending: { ...onTheWay, answer: answered },
  waiting: { ...onTheWay, due: post },
  resting: { ...onTheWay, again: post },
  stored: { hidden: forget, clear: () => [{ at: "cleared" }, ["hide"]] },
  elsewhere: {
    // The other tab is gone: what it told goes on here, and nothing else is left of it.
    alone: (_, { body, unseen }) => (body ? post({ at: "elsewhere", unseen }, {}) : [FIRST, ["restart"]]),
    leave: () => erase("ended"),
    told, failed: fail,
  },
};

/** @type {Begin} */
export const begin = (saved) => (saved.word ? { at: "over", word: saved.word } : FIRST);

/** @type {Step} */
export function step(state, event) {
  const go = COURSE[state.at]?.[event.name];
  return go ? go(state, event) : [state, []];
}
