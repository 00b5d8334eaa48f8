/** Takes somebody through the course: does what it asks to be done, and shows what each state has to show. */

import { hideCause } from "./cause.js";
import { MEMORY, step } from "./course.js";
import { note } from "./history.js";
import { endedScreen, finalScreen, sendingScreen, wordsScreen } from "./screens.js";
import { fill, send, writeBody } from "./sending.js";
import { sentScreen } from "./sent_screen.js";
import { refuse, show } from "./show_screen.js";

/** Seconds until an answer is late. */
const LATE = 5;

/** @type {Conduct} */
export function conduct(page, form, restart) {
  /** @type {CourseState} */
  let state = { at: "reading" };
  /** What a press reads and draws, once it may. @type {{draw: () => Came[], done: (drawn: boolean) => void} | null} */
  let pressed = null;
  /** How the results came about, while they cannot be shown. @type {Came[]} */
  let causes = [];
  /** @type {ReturnType<typeof sendingScreen> | null} */
  let sending = null;
  /** The server's own words. @type {HTMLElement[]} */
  let said = [];

  /** @param {string} receipt @param {Record<string, number>} reports */
  const write = (receipt, reports) => writeBody(page.fingerprint, receipt, page.columns, reports, page.invited?.sent);

  /** What an event asks to be done. @type {Record<string, (event: CourseEvent) => void>} */
  const work = {
    claim() {
      page.tabs.claim().then((alone) => happen({ name: alone ? "alone" : "held" }), () => happen({ name: "failed" }));
    },
    draw() {
      const came = pressed?.draw() ?? [];
      page.session.lock(Object.assign(Object.create(null), ...came.map(({ reports }) => reports)), page.atOnce ? write : undefined);
      if (page.atOnce) causes = came;
      else page.tabs.tell();
      pressed?.done(true);
      pressed = null;
      setTimeout(() => happen({ name: "minute" }), 1000 * MEMORY);
    },
    post() {
      const { receipt = "", reports, body = write(receipt, reports) } = page.session.saved;
      if (!page.session.saved.body) page.session.keep({ body });
      page.tabs.tell();
      fill(form, body);
      void send(form).then(({ outcome, wait, said: words }) => {
        said = words;
        happen({ name: "answer", outcome, wait, now: performance.now() / 1000 });
      });
    },
    wait() {
      setTimeout(() => happen({ name: "due" }), 1000 * (state.wait ?? 0));
    },
    erase() {
      leaveOff(state.word === "ended" ? { reports: {}, ended: true } : null);
      page.session.end(state.word ?? "");
      page.invited?.drop(true);
    },
    finish() {
      const { receipt } = page.session.saved;
      note("welcome"); // where a reload leads
      leaveOff({ reports: {}, receipt, stored: true });
      page.session.forget();
      page.invited?.drop(false);
    },
    hide() {
      causes = [];
      hideCause();
    },
    adopt({ told }) {
      if (told) page.session.adopt(told, told.sends ? write : undefined);
    },
    forget: () => page.session.forget(),
    restart,
  };

  /** Nothing is under way any more. @param {Told | null} told to the other tabs */
  function leaveOff(told) {
    if (told) page.tabs.tell(false, told);
    page.tabs.release();
    form.replaceChildren();
    document.getElementById("sending")?.remove(); // what has not gone out does not go out any more
    causes = state.cause ? causes : [];
  }

  /** @param {CourseEvent} event */
  function happen(event) {
    const before = state;
    const [next, effects] = step(state, event);
    state = next;
    const { body = "" } = page.session.saved ?? {};
    try {
      for (const effect of effects) work[effect]?.(event);
    } catch (error) {
      // Once it has gone out, a storage that fails makes nothing of that undone.
      if (!before.tries) {
        state = { at: "refused" };
        return refuse(page, error);
      }
    }
    return state.at === before.at ? undefined : view(before, body);
  }

  /** @param {CourseState} before @param {string} body what has arrived, where it has */
  function view(before, body) {
    const { at, word = "" } = state;
    if (["sending", "waiting", "resting"].includes(at)) return viewSending(before.at === "resting");
    sending = null;
    if (["elsewhere", "over", "stored", "refused"].includes(at)) putAway();
    if (at === "refused") return refuse(page, "refuse.storage");
    if (at === "answering" && before.then === "go on") return page.go();
    if (at === "elsewhere" || at === "cleared") return show(page, at, () => wordsScreen(at));
    if (at === "stored") return viewStored(body);
    if (at !== "over") return undefined;
    if (word === "ended") return show(page, word, () => endedScreen(state.doubt));
    return show(page, word, () => (word === "arrived" ? wordsScreen(word) : finalScreen(word, said)));
  }

  /** No answer is left in a control, and no press waits. */
  function putAway() {
    pressed?.done(false);
    pressed = null;
    page.asking?.clear();
  }

  /** @param {boolean} anew after a press */
  function viewSending(anew) {
    if (sending && !anew) return state.at === "sending" ? undefined : sending.update(state, said);
    putAway();
    show(page, "sending", () => (sending = sendingScreen(page, page.atOnce && !page.session.saved.unseen)).nodes);
    const shown = sending;
    page.announce("sending.title");
    setTimeout(() => sending === shown && state.at === "sending" && shown?.update(state, []), 1000 * LATE);
    return undefined;
  }

  /** @param {string} body */
  function viewStored(body) {
    if (state.unseen) return show(page, "arrived", () => wordsScreen("arrived"));
    show(page, "sent", () => sentScreen(page, body, state.cause ? causes : []));
    causes = [];
    return page.announce("sent.announced");
  }

  return {
    happen,
    state: () => state,
    begin(first) {
      const before = state;
      state = first;
      if (state.at === "over") view(before, "");
    },
    press: (draw) => new Promise((done) => {
      pressed = { draw, done };
      happen({ name: "press", way: page.atOnce ? "after" : "before" });
    }),
  };
}
