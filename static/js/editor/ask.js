/** Asks the server what the form would mean as it stands. Nothing is stored by asking. */

/** After so many milliseconds without an answer the page says that it is working. */
const PATIENCE = 200;

/** After so many it gives up: a request that hangs would hold up every later one. */
const LONGEST = 30_000;

/** After so many without a change it asks about texts, and for the comparisons that take longer than a slider should wait. */
const CALM = 300;

/**
 * One request at a time: what changes meanwhile is asked about next, so an older answer never covers a newer one.
 * While the draft is being saved nothing is asked: whoever presses "Save" waits for the server with nobody else.
 *
 * @param {HTMLFormElement} form
 * @param {(answer: Document | null, reason: string) => void} show null where no answer could be read, and why
 * @param {(waiting: boolean) => void} wait
 * @param {() => boolean} saves whether a save is about to be sent: what takes long waits for it
 * @param {() => number} version of the order of the questions: an answer about another is of no use
 * @returns {{ ask: (what: string, calm?: boolean) => void, pause: () => void, resume: () => void }} ask again: about
 * one question by its place, the `total` alone, or `all`; at once, or when it is calm
 */
export function asker(form, show, wait, saves, version) {
  const preview = new URL(form.dataset["preview"] ?? "", location.href);
  /** @type {Set<string>} */
  const changed = new Set();
  /** Questions whose comparison is still to come. @type {Set<string>} */
  const partial = new Set();
  /** What is under way, and what it was asked about. @type {{ request: XMLHttpRequest, what: string[] } | null} */
  let under = null;
  let failed = false;
  let paused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let calm;

  /** @param {Set<string>} what @param {boolean} inFull */
  function send(what, inFull) {
    clearTimeout(calm);
    const asked = version();
    const data = new URLSearchParams(/** @type {any} */ (new FormData(form))); // the editor sends no files
    data.set("changed", what.has("all") ? "all" : [...what].join());
    if (inFull) data.set("in_full", "1");
    const request = new XMLHttpRequest();
    under = { request, what: [...what] };
    what.clear();
    const timer = setTimeout(() => wait(true), PATIENCE);
    request.open("POST", preview);
    request.timeout = LONGEST;
    // The browser reads the answer as a document without scripts: markup never passes through a string.
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      clearTimeout(timer);
      wait(false);
      if (under?.request !== request) return; // it was given up for a save
      under = null;
      const answer = request.status === 200 && request.responseURL === preview.href ? request.responseXML : null;
      if (answer && asked !== version()) return ask("all");
      failed = !answer;
      show(answer, failed ? reason(request, preview, form.dataset["factor"] ?? "") : "");
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
    next();
  }

  function next() {
    clearTimeout(calm);
    if (under || paused) return;
    if (changed.size) send(changed, false);
    else if (partial.size && !saves()) calm = setTimeout(() => send(partial, true), CALM);
  }

  /** @param {string} what @param {boolean} [calmly] */
  function ask(what, calmly = false) {
    changed.add(what);
    if (!calmly) return next();
    clearTimeout(calm);
    if (!under && !paused) calm = setTimeout(next, CALM);
  }

  /** A save begins: it has the server to itself. */
  function pause() {
    paused = true;
    clearTimeout(calm);
    if (!under) return;
    const { request, what } = under;
    for (const each of what) changed.add(each);
    under = null;
    request.abort();
  }

  function resume() {
    paused = false;
    next();
  }

  // The connection is back, or somebody who signed in elsewhere is.
  for (const event of ["online", "focus"]) addEventListener(event, () => failed && ask("all"));
  return { ask, pause, resume };
}

/** Why there is no answer, as the page has words for it. @param {XMLHttpRequest} request @param {URL} preview @param {string} factor where a second factor is set up */
function reason({ status, responseURL }, preview, factor) {
  if (!status) return "unreachable";
  if (responseURL === new URL(factor, preview).href) return "second_factor";
  if (responseURL !== preview.href) return "signed_out"; // sent on to the login page
  if (status === 400) return "expired";
  return [403, 404, 409].includes(status) ? "gone" : "failed";
}
