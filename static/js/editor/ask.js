/** Asks the server what the form would mean as it stands. Nothing is stored by asking. */

/** After so many milliseconds without an answer the page says that it is working. */
const PATIENCE = 200;

/** After so many it gives up: a request that hangs would hold up every later one. */
const LONGEST = 30_000;

/** After so many without a change it asks for the comparisons that take longer than a slider should wait. */
const CALM = 300;

/**
 * One request at a time: what changes meanwhile is asked about next, so an older answer never covers a newer one.
 *
 * @param {HTMLFormElement} form
 * @param {(answer: Document | null, reason: string) => void} show null where no answer could be read, and why
 * @param {(waiting: boolean) => void} wait
 * @param {() => number} version of the order of the questions: an answer about another is of no use
 * @returns {(what: string) => void} ask again: about one question by its place, the `total` alone, or `all`
 */
export function asker(form, show, wait, version) {
  const preview = new URL(form.dataset["preview"] ?? "", location.href);
  /** @type {Set<string>} */
  const changed = new Set();
  /** Questions whose comparison is still to come. @type {Set<string>} */
  const partial = new Set();
  let under = false;
  let failed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let calm;

  /** @param {Set<string>} what @param {boolean} inFull */
  function send(what, inFull) {
    clearTimeout(calm);
    under = true;
    const asked = version();
    const data = new URLSearchParams(/** @type {any} */ (new FormData(form))); // the editor sends no files
    data.set("changed", what.has("all") ? "all" : [...what].join());
    if (inFull) data.set("in_full", "1");
    what.clear();
    const timer = setTimeout(() => wait(true), PATIENCE);
    const request = new XMLHttpRequest();
    request.open("POST", preview);
    request.timeout = LONGEST;
    // The browser reads the answer as a document without scripts: markup never passes through a string.
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      clearTimeout(timer);
      under = false;
      wait(false);
      const answer = request.status === 200 && request.responseURL === preview.href ? request.responseXML : null;
      if (answer && asked !== version()) {
        changed.add("all");
        return send(changed, false);
      }
      failed = !answer;
      show(answer, failed ? reason(request, preview) : "");
      if (answer) return follow(answer);
      partial.clear();
      changed.add("all"); // with the next change: nothing that stood there stands any more
    });
    request.send(data);
  }

  /** @param {Document} answer */
  function follow(answer) {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (answer.querySelectorAll("[data-live]"))) {
      const name = part.dataset["live"] ?? "";
      if ("partial" in part.dataset) partial.add(name);
      else partial.delete(name);
    }
    if (changed.size) send(changed, false);
    else if (partial.size) calm = setTimeout(() => send(partial, true), CALM);
  }

  /** @param {string} what */
  function ask(what) {
    changed.add(what);
    if (!under) send(changed, false);
  }

  // The connection is back, or somebody who signed in elsewhere is.
  for (const event of ["online", "focus"]) addEventListener(event, () => failed && ask("all"));
  return ask;
}

/** Why there is no answer, as the page has words for it. @param {XMLHttpRequest} request @param {URL} preview */
function reason({ status, responseURL }, preview) {
  if (!status) return "unreachable";
  if (responseURL !== preview.href) return "signed_out"; // sent on to the login page
  if (status === 400) return "expired";
  return [403, 404, 409].includes(status) ? "gone" : "failed";
}
