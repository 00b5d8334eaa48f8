/** The respondent's page: one screen after another, in one document that never navigates. */

import { drawWord } from "../chance/word.js";
import { actions, button } from "../page/buttons.js";
import { element } from "../page/element.js";
import { island } from "../page/island.js";
import { choose, code, forget, live, say, speak } from "../page/language.js";
import { loadKinds, refusal } from "./definition.js";
import { questionScreen } from "./question.js";
import { outcomeScreen, reviewScreen, thanksScreen, welcomeScreen, wordsScreen } from "./screens.js";
import { drawReceipt, fill, send, writeBody } from "./sending.js";
import { Session } from "./session.js";
import { keepsLimit } from "./total.js";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
/** @type {HTMLFormElement} */
const form = byId("reports");
const [main, status, switcher] = ["main", "status", "languages"].map(byId);
/** @type {Definition} */
const definition = island("definition");
const { languages, questions, title } = definition;
const columns = questions.flatMap((question) => question.columns);
const fingerprint = document.body.dataset["fingerprint"] ?? "";
let body = "";

/** @type {Page} */
const page = {
  definition, form, draw: drawWord, kinds: new Map(),
  session: /** @type {Session} */ ({}),
  go(screen) {
    if (screen !== "review") return show("question", () => [questionScreen(page, screen)]);
    page.guard(() => {
      // Seen before it is kept: only Send puts it into the session, and then it goes out.
      const { receipt = "", reports } = page.session.kept;
      body = writeBody(fingerprint, receipt, columns, reports);
      show("review", () => reviewScreen(page, body));
    });
  },
  guard(work) {
    try {
      work();
    } catch (error) {
      refuse(error instanceof DOMException ? "refuse.storage" : "refuse.browser");
    }
  },
  announce(key) { status.textContent = say(key); },
  discard() {
    page.session.forget();
    body = "";
    show("discarded", () => wordsScreen("discarded", actions(button("discarded.again", "restart", start))));
  },
};

/** @type {Show} */
function show(name, screen) {
  const first = !document.body.dataset["screen"];
  document.body.dataset["screen"] = name;
  forget();
  header();
  main.replaceChildren(...screen());
  if (first) return;
  scrollTo(0, 0);
  main.querySelector("h1")?.focus({ preventScroll: true });
}

function header() {
  live(() => {
    document.documentElement.lang = code;
    document.title = title[code] ?? "";
    switcher.ariaLabel = say("languages");
    status.textContent = "";
  });
  switcher.hidden = languages.length < 2;
  switcher.replaceChildren(...languages.map((lang) => {
    const press = element("button", { type: "button", lang, onclick: () => choose(lang) },
      new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang);
    live(() => { press.ariaPressed = String(lang === code); });
    return press;
  }));
}

/** @param {string} key */
const refuse = (key) => show("refused", () => wordsScreen(key));

function start() {
  const reason = refusal(definition, page.kinds) ?? (keepsLimit(page) ? null : "refuse.weak");
  if (reason) return refuse(reason);
  page.guard(() => {
    page.session = new Session(sessionStorage, fingerprint, columns, () => drawReceipt(drawWord));
    const { kept } = page.session;
    const locked = questions.filter((question) => question.columns.every(({ name }) => name in kept.reports)).length;
    if (kept.body) outcome("unknown", [], kept.body);
    else if (locked) page.go(locked - 1);
    else show("welcome", () => welcomeScreen(page));
  });
}

/** Only what is certain ends the matter: anything else keeps the bytes, so that trying again sends the same ones. @type {Outcome} */
function outcome(name, said, sent) {
  body = sent;
  if (!["unknown", "busy"].includes(name)) page.session.forget();
  if (name !== "stored") return show(name, () => outcomeScreen(name, said));
  form.replaceChildren();
  show("thanks", () => thanksScreen(page, sent));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  page.guard(() => {
    page.session.keep({ body });
    fill(form, body);
    show("sending", () => wordsScreen("sending"));
    void send(form).then((answer) => outcome(answer.outcome, answer.said, body));
  });
});

// Back must not find an answer: the browser would put the document away as it stands.
addEventListener("pagehide", () => {
  for (const control of document.querySelectorAll("input")) {
    control.checked = control.defaultChecked;
    control.value = control.defaultValue;
  }
  main.replaceChildren();
  forget();
  body = "";
});
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

/** Every key travels once, with its message in each language. @type {[string[], Record<string, string[]>]} */
const [codes, messages] = island("messages");
speak(Object.fromEntries(codes.map((lang, index) => [
  lang, Object.fromEntries(Object.entries(messages).map(([key, said]) => [key, said[index] ?? ""]))])), languages, navigator.languages);
loadKinds(definition).then((kinds) => {
  page.kinds = kinds;
  start();
}, () => refuse("refuse.browser"));
