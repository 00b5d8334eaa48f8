/** What this browser kept of a draft when its page was left: taken up again, let go because it is stored, or offered. */

import { element, say } from "../page/page.js";
import { desk, replaceAll } from "./desk.js";
import { left, letGo } from "./held.js";
import { forgetUndo, offerUndo } from "./undoing.js";

/**
 * @typedef {object} Page
 * @property {HTMLInputElement} basis
 * @property {HTMLElement} before where an offer stands
 * @property {{ now: () => Promise<boolean>, takeUp: (sent: string) => boolean }} saving
 * @property {() => void} ask for the figures of everything
 */

/** @param {Page} page */
export function comeBack(page) {
  const others = [];
  let taken = false;
  for (const each of left()) {
    const basis = same(each.typed, desk.state) ? "stored" : taken ? null : basisOf(each, page.basis.value);
    if (basis === "stored") letGo(each.key);
    else if (basis === null) others.push(each);
    else {
      taken = true;
      goOn(page, each, basis);
    }
  }
  for (const each of others) void offerUnlessStored(page, each);
}

/**
 * What was kept goes on from what this page shows: nobody has saved anything else since.
 *
 * @param {import("./held.js").Left} kept
 * @param {string} shown the basis of this page
 * @returns {string | null} the basis that it goes on from, or null where somebody has changed the draft
 */
function basisOf({ basis, sent }, shown) {
  if (basis === shown) return basis;
  const last = sent === null ? null : JSON.parse(sent);
  return last && (last.basis === shown || same(last.typed, desk.state)) ? shown : null;
}

/** Put it into the fields and save it. @param {Page} page @param {import("./held.js").Left} kept @param {string} basis */
function goOn(page, kept, basis) {
  const before = structuredClone(desk.state);
  take(page, kept, basis);
  const back = () => {
    replaceAll(before);
    page.saving.takeUp("");
    page.ask();
  };
  const notice = offerUndo({ said: say("outline.held.taken"), words: say("outline.held.leave"), undo: back, brief: true });
  // What is typed or done from now on would go with it; to open a card does nothing.
  const over = () => void (notice.isConnected && forgetUndo());
  desk.form.addEventListener("input", over, { once: true });
  desk.form.addEventListener("click", ({ target }) => {
    if (/** @type {Element} */ (target).closest("[name=action]:not([value^=show])")) over();
  });
}

/** @param {Page} page @param {import("./held.js").Left} kept @param {string} basis */
function take(page, { key, basis: before, typed, sent }, basis) {
  page.basis.value = basis;
  replaceAll(typed);
  // It may have been sent behind the page that was left. The same goes first, so that it is nobody else's; but not
  // what is stored by now, which would take the place of what came after it.
  const last = basis === before ? sent : null;
  if (page.saving.takeUp(last ?? JSON.stringify({ basis, typed }))) letGo(key);
  page.ask();
}

/** @param {Page} page @param {import("./held.js").Left} kept */
async function offerUnlessStored(page, kept) {
  if ((await compared(kept))?.state === "stored") return letGo(kept.key);
  const leave = () => {
    place.remove();
    letGo(kept.key);
  };
  const place = element("div.notice.held", { role: "status" },
    element("strong", say("outline.held.title")), element("p", say("outline.held.text")),
    element("p.toolbar",
      element("button.button.small", { type: "button", onclick: () => void accept() }, say("outline.held.take")), " ",
      element("button.button.plain.small", { type: "button", onclick: leave }, say("outline.held.leave"))));
  page.before.before(place);

  async function accept() {
    if (!await page.saving.now()) return; // what was typed here meanwhile comes first: nothing takes its place unsaved
    place.remove();
    take(page, kept, kept.basis);
  }
}

/**
 * What was saved elsewhere meanwhile comes into a window in which nothing waits.
 *
 * @param {{ basis: HTMLInputElement, saving: { waiting: boolean, stuck: boolean, touch: () => boolean, now: () => Promise<boolean> } }} page
 */
export async function lookAgain({ basis, saving }) {
  const idle = () => !saving.waiting && !saving.stuck;
  if (!idle() || (await compared({ basis: basis.value, typed: desk.state }))?.newest !== false || !idle()) return;
  saving.touch(); // a save joins what is stored with what stands here: nothing else
  void saving.now();
}

/** Ask how what was typed compares to what is stored. @param {{ basis: string, typed: DraftState }} some @returns {Promise<{ state: string, newest?: boolean } | null>} */
async function compared({ basis, typed }) {
  const token = /** @type {HTMLInputElement} */ (desk.form.elements.namedItem("csrf_token")).value;
  try {
    const answer = await fetch(desk.form.dataset["kept"] ?? "", {
      method: "POST", body: JSON.stringify({ basis, typed }), redirect: "error", headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** What is drawn for another number of respondents is the same draft. @param {DraftState} one @param {DraftState} other */
const same = (one, other) => JSON.stringify({ ...one, respondents: "" }) === JSON.stringify({ ...other, respondents: "" });
