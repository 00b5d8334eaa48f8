/** The screens after the questions: review, thanks, what can go wrong. */

import { actions, button, element, filler, own, paragraphs, text, words } from "../page/page.js";
import { sayDraw, totalFigure } from "./definition.js";
import { linked } from "./header.js";
import { LATE } from "./session.js";

/** @type {BodyScreen} */
export function reviewScreen(page, body) {
  const sent = new URLSearchParams(body);
  return [
    heading(words("review.title"), "about"),
    element("p.lede", { id: "about" }, words("review.text")),
    records(page, sent),
    ...sayDraw(page, "sections.rest"),
    actions(submit("review.send", "send")),
    totalFigure(page),
    element("details.odds",
      element("summary", words("review.bytes")),
      element("p", words("review.exact", () => ({ n: body.length }))),
      element("pre.bytes", { tabindex: 0, "data-body": true }, body),
      element("dl.facts", ...["fingerprint", "receipt"].flatMap((name) => [
        element("dt", element("code", name)), element("dd", words(`review.${name}`))]))),
    // Apart from Send: it opens on a question, and only its button discards.
    element("details.apart",
      element("summary", words("discarded.ask")),
      element("p", words("discarded.means")),
      actions(button("discarded.discard", "discard", page.discard, ".plain"))),
  ];
}

/** What is recorded, question by question. @param {Page} page @param {URLSearchParams} sent */
const records = (page, sent) => element("dl.facts.recorded-values", ...page.asked.flatMap((question) => [
  element("dt", text(question.wording)), ...question.columns.map(({ name }, index) => (
    element("dd", filler(() => recorded(page, question, index, Number(sent.get(name))))))),
]));

/** @type {BodyScreen} */
export function thanksScreen(page, body) {
  const { closing, help } = page.definition;
  const sent = new URLSearchParams(body);
  return split([
    heading(words("thanks.title"), "about"),
    element("p.lede", { id: "about" }, words("thanks.text")),
    ...(closing ? [element("div", paragraphs(closing))] : []),
    ...(help ? [element("h2", words("thanks.help")), element("div.help", paragraphs(help, linked))] : []),
  ], [
    element("h2", words("thanks.recorded")),
    records(page, sent),
    ...sayDraw(page, "sections.rest"),
    element("h2", words("thanks.receipt")),
    element("p.quiet", words("thanks.keep")),
    element("dl.facts",
      element("dt", words("thanks.number")), element("dd.bytes", { "data-receipt": true }, sent.get("receipt") ?? ""),
      element("dt", words("thanks.fingerprint")), element("dd.bytes", sent.get("fingerprint") ?? "")),
  ]);
}

/** @type {Recorded} */
const recorded = ({ kinds }, question, index, report) => kinds.get(question)?.recorded(question, index, report) ?? "";

/** @type {AgainScreen} */
export const againScreen = (earlier, go) => wordsScreen("again",
  ...earlier.flatMap(({ body }) => (body ? [element("h2", words("thanks.recorded")), element("pre.bytes", { tabindex: 0 }, body)] : [])),
  actions(button("welcome.begin", "again", go)));

/** Where the answer is late it says what may be going on, and offers to try again. @param {Page} page */
export function sendingScreen({ announce }) {
  const late = element("div.notice", { hidden: true }, element("p", words("sending.late")), actions(submit("retry", "retry")));
  setTimeout(() => {
    if (!late.isConnected) return;
    late.hidden = false;
    announce("sending.late");
  }, LATE);
  return wordsScreen("sending", late);
}

/** @type {OutcomeScreen} */
export function outcomeScreen(outcome, said) {
  const again = ["unknown", "busy", "refused"].includes(outcome);
  /** @param {string} what @param {string} selector */
  const part = (what, selector) => (said.length
    ? filler(() => said.find(({ lang }) => lang === own())?.querySelector(selector)?.textContent ?? "") : words(`unknown.${what}`));
  return [
    heading(part("title", "h1"), "about"),
    element(again && outcome !== "refused" ? "div.notice" : "div.notice.problem", element("p", { id: "about" }, part("text", "p"))),
    ...(outcome === "refused" ? [element("p.quiet", part("problem", "[data-problem]"))] : []),
    ...(again ? [actions(submit("retry", "retry"))] : []),
    ...(outcome === "stale" ? [actions(button("reload", "reload", () => location.reload()))] : []),
  ];
}

/** @type {WordsScreen} */
export const wordsScreen = (key, ...rest) => [
  heading(words(`${key}.title`), "about"), element("p.lede", { id: "about" }, words(`${key}.text`)), ...rest];

/** @type {Split} */
export const split = (first, aside, ...rest) => [
  element("section.split", element("header", ...first), element("div.aside", ...aside), element("div", ...rest))];

/** The focus goes to it, and brings its explanation along. @param {Child} child @param {string} [about] an id */
export const heading = (child, about) => element("h1", { tabindex: -1, "aria-describedby": about }, child);

/** @type {Submit} */
const submit = (key, action) => element(
  "button.button", { type: "submit", form: "reports", "data-action": action }, words(key));
