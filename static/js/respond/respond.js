/** The respondent's page: one screen after another, in one document that never navigates. */

import { drawWord } from "../chance/randomize.js";
import { actions, button, code, direction, forget, island, live, say, speak } from "../page/page.js";
import { askedQuestions, keepsLimit, loadDraw, loadKinds, read, refusal, sectionHead } from "./definition.js";
import { header } from "./header.js";
import { sayMissing } from "./missing.js";
import { againScreen, outcomeScreen, reviewScreen, sendingScreen, thanksScreen, wordsScreen } from "./screens.js";
import { everythingScreen, forgetMarked, putBy, questionScreen, result, takeUp, unmark } from "./question.js";
import { drawReceipt, enter, fill, here, note, send, Session, spoken, Tabs, writeBody } from "./session.js";
import { welcomeScreen } from "./welcome.js";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
/** @type {HTMLFormElement} */
const form = byId("reports");
const [main, status] = ["main", "status"].map(byId);
/** @type {Definition} */
const definition = read(island("definition"));
const { languages, quick_exit, title } = definition;
const columns = definition.questions.flatMap((question) => question.columns);
const fingerprint = document.body.dataset["fingerprint"] ?? "";
let body = "";
/** @type {DrawSet | null} */
let drawSet = null;
/** @type {Tabs} */
let tabs;

/** @type {Page} */
const page = {
  definition, form, draw: drawWord, kinds: new Map(), asked: [],
  session: /** @type {Session} */ ({}),
  go(above = lastResult()) {
    const [next, ...more] = left();
    if (next) {
      enter("question", quick_exit);
      return show("question", () => ask(next, more.length > 0), above);
    }
    page.guard(() => {
      // Seen before it is kept: only Send puts it into the session, and then it goes out.
      const { receipt = "", reports } = page.session.kept;
      body = writeBody(fingerprint, receipt, columns, reports, page.invited?.sent);
      show("review", () => reviewScreen(page, body), above);
    });
  },
  all() {
    enter("all", quick_exit);
    const { node, said } = takeUp();
    show("all", () => [node ?? everythingScreen(page, left())]);
    said.forEach(live);
  },
  back() {
    if (!quick_exit) return history.back();
    note(here() === "all" ? "question" : "welcome");
    visit();
  },
  guard(work) {
    try {
      work();
    } catch (error) {
      refuse(error instanceof DOMException ? "refuse.storage" : "refuse.browser");
    }
  },
  async lock(asked, draw) {
    const alone = await tabs.claim().catch(() => refuse("refuse.storage"));
    if (alone === false) elsewhere();
    // Left in a hurry meanwhile, or discarded in a copy: nothing is drawn any more.
    if (!alone || !main.firstChild || page.session.kept.discarded) return false;
    page.guard(() => page.session.lock(asked, draw));
    forgetMarked();
    tabs.tell();
    return asked.every(({ name }) => name in page.session.kept.reports);
  },
  announce(key) { status.textContent = say(key); },
  discard() {
    page.guard(() => {
      page.session.discard(true); // in the copies of this tab too; unless one has sent it
      tabs.tell();
      start();
    });
  },
};

/** @param {Question} question */
const isFixed = ({ columns: own }) => own.every(({ name }) => name in page.session.kept.reports);
const left = () => page.asked.filter((question) => !isFixed(question));
const lastResult = () => page.asked.filter(isFixed).slice(-1).map((question) => result(page, question));
const welcome = () => show("welcome", () => welcomeScreen(page));

/** Where the entry of the history leads. */
function visit() {
  if (shows("all")) putBy(main.firstElementChild, forget());
  if (here() === "all" && left().length) page.all();
  else if (here() === "welcome") welcome();
  else page.go();
}

// To a question that is not fixed, and to no other: what is fixed does not change.
addEventListener("popstate", () => shows("welcome", "question", "all") && visit());

/** What stays above is said again too when the language changes. @type {Show} */
function show(name, screen, above = []) {
  const first = !document.body.dataset["screen"];
  document.body.dataset["screen"] = name;
  if (!above.length) forget();
  live(() => {
    document.documentElement.lang = code();
    document.documentElement.dir = direction(code());
    // The same on all screens: titles stay in the browser's history, which should not tell the next person how far
    // somebody came. "Question 2 of 7" stands above the heading that has the focus.
    document.title = title[code()] ?? "";
    note();
    status.textContent = "";
  });
  header(definition, leave);
  main.replaceChildren(...above, ...screen());
  if (first) return;
  if (above[0]) above[0].scrollIntoView();
  else scrollTo(0, 0);
  main.querySelector(".recorded, h1")?.focus({ preventScroll: true });
}

/** @param {Question} question @param {boolean} more */
function ask(question, more) {
  const screen = (page.kinds.get(question)?.screen ?? questionScreen)(page, question, more);
  const head = sectionHead(page, question);
  if (head.length) screen.querySelector("h1")?.setAttribute("aria-describedby", "part");
  return [...head, screen];
}

/** @param {string[]} names */
const shows = (...names) => names.includes(document.body.dataset["screen"] ?? "");

/** @param {string} key */
const refuse = (key) => show("refused", () => wordsScreen(key));

function start() {
  forgetMarked();
  const reason = refusal(definition, page.kinds) ?? (keepsLimit(page) ? null : "refuse.weak");
  if (reason) return refuse(reason);
  page.guard(() => {
    page.session = new Session(sessionStorage, fingerprint, columns, () => drawReceipt(drawWord), location.pathname);
    const { session } = page;
    if (drawSet) session.ask(() => drawSet?.(drawWord) ?? []);
    page.asked = askedQuestions(definition, session.kept.set);
    const { discarded, final, sent } = session.kept;
    body = session.kept.body ?? "";
    if (final) return post();
    tabs.tell(true);
    if (discarded) return putAway();
    if (session.begun || body) return void resume().catch(() => refuse("refuse.storage"));
    tabs.release();
    const earlier = session.earlier();
    if (sent || earlier.length) show("again", () => againScreen(earlier, () => { note("welcome"); welcome(); }));
    else visit();
  });
}

/** One tab draws what is left; a copy that is alone asks which way to go. */
async function resume() {
  const { kept: { open }, complete } = page.session;
  const goOn = () => (body ? outcome("unknown", [], body) : page.go(complete ? [] : lastResult()));
  const known = !open || body;
  if (known) goOn();
  const alone = await tabs.claim();
  if (alone) page.session.open(true); // not before: who reloads until then is no copy
  if (!alone && !complete) elsewhere();
  else if (!known && !alone) goOn();
  else if (!known) {
    show("copied", () => wordsScreen("copied", actions(
      button("copied.resume", "resume", goOn), button("discarded.discard", "discard", page.discard, ".plain"))));
  }
}

/** Taking part ends for this browsing session; what was drawn can only be taken back. */
function putAway() {
  tabs.release();
  const takeBack = async () => {
    if (!await tabs.claim()) return elsewhere();
    page.guard(() => {
      page.session.discard(false);
      tabs.tell();
      start();
    });
  };
  if (!page.session.begun) show("left", () => wordsScreen("quick.exit"));
  else show("discarded", () => wordsScreen("discarded", actions(
    button("discarded.back", "back", () => void takeBack().catch(() => refuse("refuse.storage")), ".plain"))));
}

const elsewhere = () => show("elsewhere", () => wordsScreen("elsewhere"));
// A copy that could send takes over from an original that is gone, so that no other tab draws meanwhile.
setInterval(async () => (shows("elsewhere") || page.session.complete && !page.session.kept.discarded && !tabs.owner)
  && await tabs.claim() && (shows("elsewhere") ? start() : page.session.open(true)), 2000);

/** @type {Heard} */
function heard(other) {
  const { session } = page;
  const { kept } = session;
  const begun = Object.keys(other.reports).length > 0; // perhaps after it has sent
  if (!session.begun && !kept.body) {
    if (other.discarded && (begun || !kept.discarded)) {
      session.adopt(other); // as if this tab were a copy: no other draw is made here either
      start();
    } else if (other.sent && !begun && !kept.sent) {
      session.finish();
      start();
    } else if (begun && shows("welcome", "again", "question", "all")) elsewhere();
  } else if (tabs.owner && other.receipt === kept.receipt) {
    if (kept.body || !other.body && !other.discarded) return;
    session.adopt(other); // a copy has sent it, or discarded it
    start();
  } else if (other.receipt === kept.receipt) {
    if (!other.sent || begun) {
      const turned = Boolean(other.discarded) !== Boolean(kept.discarded);
      session.adopt(other);
      if (!turned) return;
    } else if (session.complete && !shows("elsewhere")) return; // its bytes are the same
    else session.finish();
    start();
  }
}

/** Only what is stored is forgotten: trying again sends the same bytes. @type {Outcome} */
function outcome(name, said, sent) {
  body = sent;
  if (["different", "closed"].includes(name)) page.session.keep({ final: true });
  if (name !== "stored") return show(name, () => outcomeScreen(name, said));
  const { receipt } = page.session.kept;
  page.session.finish();
  tabs.tell(false, { ...page.session.kept, receipt });
  tabs.release();
  form.replaceChildren();
  show("thanks", () => thanksScreen(page, sent));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  page.guard(() => {
    page.session.keep({ body });
    tabs.tell();
    post();
  });
});

function post() {
  fill(form, body);
  show("sending", () => sendingScreen(page));
  void send(form).then((answer) => outcome(answer.outcome, answer.said, body));
}

/** For whoever must not be seen here: this page is no step to go back to. */
function leave() {
  try {
    const { receipt } = page.session.kept;
    page.session.leave();
    if (page.session.kept.discarded) tabs.tell(false, { ...page.session.kept, receipt });
    clear();
  } finally {
    location.replace(quick_exit === true ? "about:blank" : String(quick_exit));
  }
}

function clear() {
  unmark(document.querySelectorAll("input"));
  forgetMarked();
  main.replaceChildren();
  forget();
  body = "";
}

// Back must not find an answer: the browser would put the document away as it stands.
addEventListener("pagehide", () => {
  clear();
  if (tabs?.owner) page.session.open(false);
  tabs?.release();
});
// A phone may end a tab that is out of sight: that makes no copy.
document.addEventListener("visibilitychange", () => tabs?.owner && page.session.open(!document.hidden));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

/** Every key travels once, then the messages of each language. @type {[string[], string[], string[][]]} */
const [codes, keys, messages] = island("messages");
speak(Object.fromEntries(codes.map((lang, index) => [
  lang, Object.fromEntries(keys.map((key, at) => [key, messages[index]?.[at] ?? ""]))])), languages,
  [spoken(), document.body.dataset["language"] ?? "", ...navigator.languages]);
// Each begins to load what it needs at once.
Promise.all([
  loadKinds(definition),
  definition.invitations && import("./invited.js").then(({ invite }) => invite(page, show)),
  document.body.dataset["pictures"] && import("./pictures.js"),
]).then(async ([kinds]) => {
  page.kinds = kinds;
  drawSet = await loadDraw(definition);
  const Kind = navigator.locks ? Tabs : (await import("./asking.js")).AskingTabs;
  tabs = new Kind(`candor ${fingerprint}`, () => page.session.kept, heard);
  start();
}).catch((error) => (error.name === "NetworkError" ? sayMissing() : refuse("refuse.browser")));
