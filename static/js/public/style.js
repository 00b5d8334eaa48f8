/** The development page: the same modules as on the respondent's page, in every state. */

import { island, speak } from "../page/page.js";
import { loadKinds, oddsFigure } from "../respond/definition.js";
import { reviewScreen } from "../respond/review.js";
import { endedScreen, finalScreen, sendingScreen, wordsScreen } from "../respond/screens.js";
import { writeBody } from "../respond/sending.js";
import { sentScreen } from "../respond/sent_screen.js";
import { welcomeScreen } from "../respond/welcome.js";
import { drawWord } from "../chance/randomize.js";

/** @type {Definition} */
const definition = island("definition");
speak(island("messages"), definition.languages, [document.documentElement.lang]);
const columns = definition.questions.flatMap((question) => question.columns);
const fingerprint = document.body.dataset["fingerprint"] ?? "";
const page = /** @type {Page} */ (/** @type {unknown} */ ({
  definition, columns, fingerprint, asked: definition.questions, kinds: new Map(), session: { saved: { reports: {} } }, draw: drawWord,
  go() {}, happen() {}, announce() {},
}));
let body = "";

/** @type {Record<string, (what: string) => Node[]>} */
const screens = {
  welcome: () => welcomeScreen(page),
  review: () => reviewScreen(page),
  sending: () => sendingScreen(page, true).nodes,
  sent: () => sentScreen(page, body),
  final: (word) => finalScreen(word, []),
  ended: () => endedScreen(true),
  words: (key) => wordsScreen(key),
  odds: (index) => [oddsFigure(() => kind(Number(index)).odds(question(Number(index)), drawWord), true)],
  controls: (index) => kind(Number(index)).controls(question(Number(index))).nodes,
  device: (index) => [shown(Number(index)).node],
  drawn: (index) => [drawn(Number(index))],
  bright: (index) => [came(Number(index), { bright: true, side: null, place: 0.3 })],
  dark: (index) => [came(Number(index), { bright: false, side: null, place: 0.3 })],
  yes: (index) => [came(Number(index), { bright: false, side: 1, place: 0.6 })],
  no: (index) => [came(Number(index), { bright: false, side: 0, place: 0.6 })],
};

/** @param {number} index */
const question = (index) => /** @type {Question} */ (definition.questions[index]);

/** @param {number} index */
const kind = (index) => /** @type {Kind} */ (page.kinds.get(question(index)));

/** @param {number} index */
const shown = (index) => kind(index).device(question(index));

/** As it comes out for the first answer. @param {number} index */
function drawn(index) {
  const asked = question(index);
  const answer = asked.kind === "boxes" ? asked.columns.map((_, box) => box % 2) : 0;
  return came(index, kind(index).draw(asked, answer, drawWord).picture);
}

/** The end of a spin at once; pressing the wheel shows the spin itself. @param {number} index @param {any} picture */
function came(index, picture) {
  const wheel = shown(index);
  void wheel.show(picture);
  wheel.skip();
  wheel.node.addEventListener("click", () => {
    wheel.node.classList.remove("still", "kept", "chance");
    void wheel.show(picture);
  });
  return wheel.node;
}

loadKinds(definition).then((loaded) => {
  page.kinds = loaded;
  const reports = Object.fromEntries(columns.map(({ name }, index) => [name, index % 2]));
  page.session.saved = { reports, receipt: "0123456789abcdef".repeat(2) };
  body = writeBody(fingerprint, "0123456789abcdef".repeat(2), columns, reports);
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show]"))) {
    const [screen = "", what = ""] = (place.dataset["show"] ?? "").split(" ");
    place.append(...(screens[screen]?.(what) ?? []));
  }
});
