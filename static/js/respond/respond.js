/** The respondent's page: it reads the survey, and takes whoever opened it through the course. */

import { drawWord } from "../chance/randomize.js";
import { element, forget, island, say, speak, words } from "../page/page.js";
import * as after from "./answers_first.js";
import { hideCause } from "./cause.js";
import { conduct } from "./follow_course.js";
import { begin } from "./course.js";
import { askedQuestions, keepsLimit, loadDraw, loadKinds, read, refusal } from "./definition.js";
import { sayMissing } from "./missing_script.js";
import { enter, here, note, spoken } from "./history.js";
import { wordsScreen } from "./screens.js";
import { drawReceipt } from "./sending.js";
import { keyOf, Session } from "./session.js";
import { refuse, show, shows } from "./show_screen.js";
import { Tabs } from "./tabs.js";
import { welcomeScreen } from "./welcome.js";

/** Milliseconds after which a tab that waits for another looks again whether that one is gone. */
const LOOK = 2000;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {Definition} */
const definition = read(island("definition"));
const { languages, outcome = "after", quick_exit } = definition;
const columns = definition.questions.flatMap((question) => question.columns);
const fingerprint = document.body.dataset["fingerprint"] ?? "";
/** @type {DrawSet | null} */
let drawSet = null;
/** @type {Way} */
let way = after;
/** The screen of questions that is shown. */
let shown = -1;
let consented = false;

/** @type {Page} */
const page = {
  definition, columns, fingerprint, draw: drawWord, kinds: new Map(), asked: [],
  atOnce: outcome === "after",
  session: /** @type {Session} */ ({}),
  tabs: /** @type {Tabs} */ ({}),
  happen: (event) => course.happen(event),
  press: (draw) => course.press(draw),
  go() {
    consented = true;
    if (page.invited && !page.invited.token) return show(page, "uninvited", () => wordsScreen("invited.missing"));
    if (course.state().at === "reading") page.happen({ name: "begin" });
    return page.turn(0);
  },
  turn(place) {
    enter(String(place), quick_exit);
    ask(place);
  },
  back() {
    if (!quick_exit) return history.back();
    note(shown > 0 ? String(shown - 1) : "welcome");
    return visit();
  },
  screen(name) { document.body.dataset["screen"] = name; },
  announce(key) {
    const status = document.getElementById("status");
    if (status) status.textContent = say(key);
  },
  /** For whoever must not be seen here: this page is no step to go back to. */
  leave() {
    try {
      page.happen({ name: "leave" });
      clear();
    } finally {
      location.replace(quick_exit === true ? "about:blank" : String(quick_exit));
    }
  },
};
const course = conduct(page, /** @type {HTMLFormElement} */ (document.getElementById("reports")), start);

/** @param {number} place */
function ask(place) {
  leaveScreen();
  shown = place;
  show(page, "question", () => page.asking?.show(place) ?? [], page.asking?.holds?.());
}

function leaveScreen() {
  if (shown >= 0) page.asking?.leave(shown);
  shown = -1;
}

/** Where the entry of the history leads. @param {boolean} [loaded] the page was, again or for the first time */
function visit(loaded = false) {
  const place = here();
  const open = consented || !page.atOnce;
  if (place !== "welcome" && open) {
    if (course.state().at === "reading") page.happen({ name: "begin" });
    return ask(Math.min(Number(place), (page.asking?.length ?? 1) - 1));
  }
  note("welcome");
  leaveScreen();
  show(page, "welcome", () => welcomeScreen(page));
  /** @type {HTMLInputElement | null} */
  const box = main.querySelector(".consent input");
  if (box) box.checked = consented;
  // What was marked was in the page alone. Entries behind one where all was sent tell of nothing lost.
  if (loaded && place !== "welcome" && !quick_exit) main.prepend(element("div.notice", element("p", words("answers.lost"))));
  return undefined;
}

// To questions that nothing has fixed, and to no others: a reload there asks for no answer that was sent.
addEventListener("popstate", () => {
  if (!["reading", "answering"].includes(course.state().at)) return note("welcome");
  return shows("welcome", "question") && visit();
});

function start() {
  const reason = refusal(definition, page.kinds) ?? (keepsLimit(page) ? null : "refuse.weak");
  if (reason) return refuse(page, reason);
  try {
    page.asking?.clear();
    page.session = new Session(sessionStorage, keyOf(fingerprint, page.invited?.mark), columns, () => drawReceipt(drawWord));
    const { session } = page;
    course.begin(begin(session.saved));
    if (session.saved.word) return undefined;
    if (drawSet) session.ask(() => drawSet?.(drawWord) ?? []);
    page.asked = askedQuestions(definition, session.saved.set);
    page.asking = way.open(page);
    page.tabs.tell(true);
    const { body, unseen } = session.saved;
    page.happen({ name: "resume", body, unseen, begun: session.begun });
    return course.state().at === "reading" ? visit(true) : undefined;
  } catch (error) {
    return refuse(page, error);
  }
}

// Where the tab that draws is gone, one that waits goes on.
setInterval(async () => {
  if (course.state().at !== "elsewhere" || !await page.tabs.claim().catch(() => false)) return;
  const { body, unseen } = page.session.saved;
  page.happen({ name: "alone", body, unseen });
}, LOOK);

/** @returns {Told} */
function told() {
  const { body, receipt, reports, set, word } = page.session.saved;
  return { reports, receipt, set, sends: Boolean(body), ended: word === "ended" };
}

/** @type {Heard} */
function heard(other) {
  const { ended, receipt, reports, sends, stored } = other;
  const same = receipt !== undefined && receipt === page.session.saved.receipt;
  if (ended || (stored ? same : Object.keys(reports).length > 0)) {
    page.happen({ name: "told", told: other, stored, ended, adopts: Boolean(sends) || same });
  }
}

function clear() {
  page.asking?.clear();
  main.replaceChildren();
  forget();
}

// Back must not find an answer: the browser would put the document away as it stands.
addEventListener("pagehide", () => {
  clear();
  page.tabs.release?.();
});
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
// Nobody else sees in passing what is marked, or how a result came about.
document.addEventListener("visibilitychange", () => {
  document.body.classList.toggle("covered", document.hidden && shows("question"));
  if (!document.hidden) return;
  page.happen({ name: "hidden" });
  hideCause();
});
/** A press, or the choice of the next answer; after sending neither, but for what opens another tab. @param {Event} event */
function goesOn({ target, type }) {
  const node = /** @type {Element} */ (target);
  const next = course.state().at === "answering" && (type === "input" || node.closest("[data-action]:not([data-action=skip])"));
  if (next || node.closest("a[target=_blank]")) hideCause();
}
for (const type of ["click", "auxclick", "input"]) document.addEventListener(type, goesOn, true);

/** Every key travels once, then the messages of each language. @type {[string[], string[], string[][]]} */
const [codes, keys, messages] = island("messages");
speak(Object.fromEntries(codes.map((lang, index) => [
  lang, Object.fromEntries(keys.map((key, at) => [key, messages[index]?.[at] ?? ""]))])), languages,
  [spoken(), document.body.dataset["language"] ?? "", ...navigator.languages]);
// Each begins to load what it needs at once.
Promise.all([
  loadKinds(definition),
  loadDraw(definition),
  definition.invitations && import("./invitation.js"),
  page.atOnce ? null : import("./results_first.js"),
  navigator.locks ? null : import("./tabs_without_locks.js"),
  document.body.dataset["pictures"] && import("../pictures/loading.js"),
]).then(([kinds, draw, invited, before, asking]) => {
  page.kinds = kinds;
  drawSet = draw;
  if (before) way = before;
  if (invited) page.invited = invited.invitation(definition, fingerprint);
  page.tabs = new (asking ? asking.AskingTabs : Tabs)(keyOf(fingerprint, page.invited?.mark), told, heard);
  start();
}).catch((error) => (error.name === "NetworkError" ? sayMissing() : refuse(page, error)));
