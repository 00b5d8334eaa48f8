/** How a result came about, in words and as a picture: in the page until it is hidden, and seen once. */

import { say } from "../page/page.js";

/** @type {(() => void) | null} */
let end = null;

/** @param {() => void} hide takes all of it out of the document */
export function showCause(hide) {
  end = hide;
}

/** At the next press, as the tab is hidden, or by its own button. @param {boolean} [aloud] */
export function hideCause(aloud = true) {
  if (!end) return;
  end();
  end = null;
  const status = document.getElementById("status");
  if (status && aloud) status.textContent = say("cause.hidden");
}
