/** Asks the server what the draft would mean as it stands, and shows it. Nothing is stored by asking. */

import { element } from "../page/page.js";
import { desk, draw, editor } from "./desk.js";
import { listFaults, tellProblems } from "./faults.js";
import { post } from "./request.js";
import { showView } from "./respondents_view.js";
import { nodeAt } from "./units.js";

/** After so many milliseconds without an answer the page says that it is working. */
const PATIENCE = 200;
/** After so many it gives up: a request that hangs would hold up every later one. */
const LONGEST = 30_000;
/** After so many without a change it asks about texts, and for the comparisons that take longer than a slider should wait. */
const CALM = 300;
/** Asks about every question, about the total alone, or about what is wrong with the draft as it is stored. */
const OF_ALL = ["all", "total", "problems"];

/**
 * One request at a time: what changes meanwhile is asked about next, so an older answer never covers a newer one.
 * While the draft is being saved nothing is asked: whoever presses "Save" waits for the server with nobody else.
 *
 * @param {{ value: string }} token
 * @param {() => { isWaiting: boolean, isStuck: boolean }} saving
 */
export function asker(token, saving) {
  /** Questions, or one of `OF_ALL`. @type {Set<string>} */
  const changed = new Set();
  /** The question that is open, while its comparison is still to come. */
  let partial = "";
  /** @type {{ controller: AbortController, about: string[] } | null} */
  let under = null;
  let hasFailed = false;
  let isPaused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let calm;

  /** @param {string[]} about @param {boolean} isFull whether the comparison is wanted that takes long */
  async function send(about, isFull) {
    clearTimeout(calm);
    const request = { controller: new AbortController(), about };
    under = request;
    const timers = [setTimeout(() => showWait(true), PATIENCE), setTimeout(() => request.controller.abort(), LONGEST)];
    const uids = about.filter((uid) => !OF_ALL.includes(uid));
    const answer = await post(editor.dataset["preview"] ?? "", JSON.stringify({
      document: desk.draft, open: nodeAt(desk.draft, desk.opened) ? desk.opened : null,
      changed: about.includes("all") ? "all" : uids, in_full: isFull, problems: about.includes("problems"),
    }), token, { signal: request.controller.signal });
    timers.forEach(clearTimeout);
    showWait(false);
    if (under !== request) return; // it was given up for a save
    under = null;
    partial = Object.keys(answer.shown ?? {}).find((uid) => answer.shown[uid].partial) ?? (uids.includes(partial) ? "" : partial);
    hasFailed = answer.status !== 200;
    if (hasFailed) {
      changed.add("all").add("problems"); // with the next change: nothing that stood there stands any more
      return showFailure(answer);
    }
    if (answer.faults && !saving().isWaiting) listFaults(answer);
    showFigures(answer);
    next();
  }

  function next() {
    clearTimeout(calm);
    if (under || isPaused) return;
    const about = [...changed];
    changed.clear();
    if (about.length) void send(about, false);
    else if (partial && (saving().isStuck || !saving().isWaiting)) calm = setTimeout(() => void send([partial], true), CALM);
  }

  /** @param {string} about @param {boolean} [isCalm] whether it can wait */
  function ask(about, isCalm = false) {
    changed.add(about);
    if (!isCalm) return next();
    clearTimeout(calm);
    if (!under && !isPaused) calm = setTimeout(next, CALM);
  }

  /** A save begins: it has the server to itself. */
  function pause() {
    isPaused = true;
    clearTimeout(calm);
    for (const uid of under?.about ?? []) changed.add(uid);
    under?.controller.abort();
    under = null;
  }

  function resume() {
    isPaused = false;
    next();
  }

  // The connection is back, or somebody who signed in elsewhere is.
  for (const event of ["online", "focus"]) addEventListener(event, () => hasFailed && ask("all"));
  return { ask, pause, resume };
}

const status = /** @type {HTMLElement} */ (document.querySelector(".busy"));

/** @param {boolean} isWaiting */
function showWait(isWaiting) {
  for (const place of editor.querySelectorAll("[data-live], .seen")) place.ariaBusy = String(isWaiting);
  status.textContent = isWaiting ? status.dataset["busy"] ?? "" : "";
}

/** What the server has written as nodes: no markup passes through a string. @param {Tree} tree @returns {(string | Element)[]} */
const drawn = (tree) => tree.map((node) => (typeof node === "string" ? node : element(/** @type {"p"} */ (node[0]), node[1], ...drawn(node[2]))));

const view = () => /** @type {HTMLElement | null} */ (editor.querySelector("details.seen"));

/** @param {any} answer */
function showFigures({ total, sum, plan, cards, problems, shown }) {
  const opened = shown[desk.opened];
  for (const [name, tree] of Object.entries({ total, sum, plan: [plan], meaning: opened?.meaning, wording: opened?.wording })) {
    if (tree) editor.querySelector(`[data-live=${name}]`)?.replaceChildren(...drawn(tree));
  }
  if (opened) void showView(view(), opened.entry);
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (editor.querySelectorAll("[data-people]"))) {
    place.textContent = opened?.people[place.dataset["people"] ?? ""] ?? "";
  }
  for (const [uid, card] of Object.entries(cards)) desk.figures.set(uid, card);
  tellProblems(problems);
  draw();
}

/** What stands there may be of other settings: better nothing than that. @param {{ state: string, status: number }} answer */
function showFailure({ state, status: code }) {
  for (const place of editor.querySelectorAll("[data-live]")) place.replaceChildren();
  void showView(view(), null);
  status.textContent = status.dataset[code === 409 ? "gone" : state] ?? status.dataset["failed"] ?? "";
}
