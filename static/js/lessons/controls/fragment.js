/** The fragment of the page's address, in which settings are kept: a browser sends it to nobody. */

const PAUSE = 250; // milliseconds: a browser takes only so many changes of its address
/** @type {{fragment: string, timer: ReturnType<typeof setTimeout>} | undefined} */
let waiting;

/** Write a fragment soon, in the place of any that still waits. @param {string} fragment with its #, or empty */
export function write(fragment) {
  clearTimeout(waiting?.timer);
  waiting = { fragment, timer: setTimeout(settle, PAUSE) };
}

/** Write what waits now. */
export function settle() {
  if (!waiting) return;
  clearTimeout(waiting.timer);
  history.replaceState(history.state, "", location.pathname + location.search + waiting.fragment);
  waiting = undefined;
}
