/** A form that was sent is not sent again by another press while its answer is on the way. */

/** Milliseconds after which it may be: the answer may have been a file, or somebody has given up waiting. */
export const AGAIN = 10_000;

/**
 * Make what hears of every form that is sent, after everybody else on the page.
 * @param {() => number} now milliseconds
 * @returns {(event: Pick<Event, "target" | "defaultPrevented" | "preventDefault">) => void}
 */
export function once(now) {
  /** @type {WeakMap<object, number>} form -> when it was sent */
  const sent = new WeakMap();
  return (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (now() < (sent.get(form) ?? -AGAIN) + AGAIN) event.preventDefault();
    else sent.set(form, now());
  };
}

if (typeof document !== "undefined") {
  const now = () => performance.now();
  let hear = once(now);
  addEventListener("submit", (event) => hear(event));
  addEventListener("pageshow", () => { hear = once(now); }); // somebody has come back to the page
}
