/**
 * What is typed and not saved yet is held in this browser: words of the staff, and nothing of anybody's answers.
 *
 * Every page holds an entry of its own. So what is typed now never takes the place of what an earlier page, or
 * another tab, has left.
 */

const KIND = "candor:draft:";
const page = crypto.getRandomValues(new Uint32Array(2)).join("-");
/** Where a page says that the next one has what it held: a new draft that was made of it. */
const HANDED = "candor:handed-over";

const stem = () => `${KIND}${location.pathname}`;
const own = () => `${stem()}#${page}`;

/** @typedef {Held & { key: string, path: string, at: number }} Left */

/** @template T @param {() => T} work @param {T} otherwise where there is no room, or storage is not allowed @returns {T} */
function tried(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** @param {Held} held @returns {boolean} whether there is room for it */
export const hold = (held) => tried(() => {
  localStorage.setItem(own(), JSON.stringify({ ...held, at: Date.now() }));
  return true;
}, false);

/** @param {string} [key] of what another page has left; without one, what this page holds */
export const letGo = (key = own()) => tried(() => localStorage.removeItem(key), undefined);

/** @returns {Left[]} what other pages have left here, of this draft and of others, the latest first */
export const everything = () => tried(() => (
  Object.keys(localStorage).filter((key) => key !== own() && key.startsWith(KIND)).flatMap(read).sort((left, other) => other.at - left.at)
), []);

/** @returns {Left[]} what other pages of this draft have left */
export const left = () => everything().filter(({ path }) => path === location.pathname);

/** @param {string} key @returns {Left[]} nothing where it is not what a page has held */
const read = (key) => tried(() => {
  const { base, document, seen, sent, at } = JSON.parse(localStorage.getItem(key) ?? "null");
  const isWhole = Array.isArray(document.questions) && Array.isArray(document.sections) && Array.isArray(seen) && typeof base === "object";
  return isWhole ? [{ key, path: key.slice(KIND.length).split("#")[0] ?? "", base, document, seen, sent, at: Number(at) || 0 }] : [];
}, /** @type {Left[]} */ ([]));

/** Another window of this browser holds nothing of this draft any more: it has saved. @param {() => void} work */
export function whenSavedElsewhere(work) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.split("#")[0] === stem() && newValue === null) work();
  });
}

/** A new draft is made of what is held. @param {string} [key] */
export const handOver = (key = own()) => tried(() => sessionStorage.setItem(HANDED, key), undefined);

/** What was handed over is let go where the draft of this page has it. @param {(held: Left) => boolean} has */
export const handedOver = (has) => tried(() => {
  const key = sessionStorage.getItem(HANDED) ?? "";
  sessionStorage.removeItem(HANDED);
  if (read(key).some(has)) letGo(key);
}, undefined);
