/** Asks the server what the form would mean as it stands. Nothing is stored by asking. */

/** After so many milliseconds without an answer the page says that it is working. */
const PATIENCE = 200;

/**
 * One request at a time: what changes meanwhile is asked about next, so an older answer never covers a newer one.
 *
 * @param {HTMLFormElement} form
 * @param {(answer: Document | null) => void} show null where no answer could be read
 * @param {(waiting: boolean) => void} wait
 * @returns {(what: string) => void} ask again, about one question or `all`
 */
export function asker(form, show, wait) {
  /** @type {Set<string>} */
  const changed = new Set();
  let under = false;

  /** @param {string} what */
  return function ask(what) {
    if (what) changed.add(what);
    if (under || !changed.size) return;
    under = true;
    const data = new URLSearchParams(/** @type {any} */ (new FormData(form))); // the editor sends no files
    data.set("changed", changed.has("all") ? "all" : [...changed].join());
    changed.clear();
    const timer = setTimeout(() => wait(true), PATIENCE);
    const request = new XMLHttpRequest();
    request.open("POST", form.dataset["preview"] ?? "");
    // The browser reads the answer as a document without scripts: markup never passes through a string.
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      clearTimeout(timer);
      under = false;
      const answer = request.status === 200 ? request.responseXML : null;
      wait(false);
      show(answer?.querySelector("[data-live]") ? answer : null);
      ask("");
    });
    request.send(data);
  };
}
