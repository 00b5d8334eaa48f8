/**
 * What is typed and not saved yet is held in this browser: words of the staff, and nothing of anybody's answers.
 *
 * Every page holds an entry of its own. So what is typed now never takes the place of what an earlier page, or
 * another tab, has left.
 */

const KIND = "candor:draft:";
const stem = `${KIND}${location.pathname}`;
const own = `${stem}#${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
/** Where a page says that the next one has what it held: a page of the server that carries all of it. */
const HANDED = "candor:handed-over";

/**
 * @typedef {object} Held
 * @property {string} basis what the fields were filled from
 * @property {DraftState} typed
 * @property {string | null} sent the body that was sent last and had no answer: it may be stored
 */
/** @typedef {Held & { key: string, path: string, at: number }} Left */

/** @param {Held} held @returns {boolean} whether there is room for it */
export function hold(held) {
  try {
    localStorage.setItem(own, JSON.stringify({ ...held, at: Date.now() }));
    return true;
  } catch {
    return false; // no room, or not allowed: the words at the top say that it is not saved
  }
}

/** @param {string} [key] of what another page has left; without one, what this page holds */
export function letGo(key = own) {
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing was held
  }
}

/** @returns {Left[]} what other pages have left here, of this draft and of others, the latest first */
export function everything() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key !== own && key.startsWith(KIND));
    return keys.flatMap(read).sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

/** @returns {Left[]} what other pages of this draft have left */
export const left = () => everything().filter(({ path }) => path === location.pathname);

/** @param {string} key @returns {Left[]} nothing where it is not what a page has held */
function read(key) {
  try {
    const { basis, typed, sent, at } = JSON.parse(localStorage.getItem(key) ?? "null");
    const whole = Array.isArray(typed.questions) && Array.isArray(typed.sections) && typeof basis === "string";
    return whole ? [{ key, path: key.slice(KIND.length).split("#")[0] ?? "", basis, typed, sent: typeof sent === "string" ? sent : null, at: Number(at) || 0 }] : [];
  } catch {
    return [];
  }
}

/** Another window of this browser holds nothing of this draft any more: it has saved. @param {() => void} work */
export function whenSavedElsewhere(work) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.split("#")[0] === stem && newValue === null) work();
  });
}

/** The page is left with a form that carries all of it. @param {string} [key] */
export function handOver(key = own) {
  try {
    sessionStorage.setItem(HANDED, key);
  } catch {
    // it is offered once more
  }
}

/** @param {boolean} done whether what was handed over is saved by now */
export function handedOver(done) {
  try {
    const key = sessionStorage.getItem(HANDED);
    if (key && done) letGo(key);
    sessionStorage.removeItem(HANDED);
  } catch {
    // nothing was handed over
  }
}
