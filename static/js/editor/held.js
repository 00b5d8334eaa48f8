/** What is typed and not saved yet is held in this browser: words of the staff, and nothing of anybody's answers. */

const key = `candor:draft:${location.pathname}`;

/** @typedef {{ basis: string, typed: DraftState }} Held */

/** @param {Held} held @returns {boolean} whether there is room for it */
export function hold(held) {
  try {
    localStorage.setItem(key, JSON.stringify(held));
    return true;
  } catch {
    return false; // no room, or not allowed: the words at the top say that it is not saved
  }
}

export function letGo() {
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing was held
  }
}

/** @returns {Held | null} */
export function held() {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null");
    return Array.isArray(found?.typed?.questions) && Array.isArray(found.typed.sections) && typeof found.basis === "string" ? found : null;
  } catch {
    return null;
  }
}
