/** The screens that are words and little else: what goes on while bytes are under way, what ends, what can go wrong. */

import { actions, button, element, filler, ours, own, text, words } from "../page/page.js";
import { view } from "./definition.js";

/** What was drawn or sent, question by question. @type {RecordedValues} */
export const values = (page, reports) => element("dl.facts.recorded-values", ...page.asked.flatMap((question) => [
  element("dt", text(question.wording)), ...question.columns.map(({ name }, index) => (
    element("dd", (view(question) === "yes_no" ? ours : filler)(() => page.kinds.get(question)?.recorded(question, index, reports[name] ?? 0) ?? "")))),
]));

/**
 * Bytes are under way, or wait to go out again. `update` says what has come of them since.
 *
 * @type {SendingScreen}
 */
export function sendingScreen(page, hides) {
  const notice = element("div.notice", { hidden: true });
  const again = button("retry", "retry", () => page.happen({ name: "again" }));
  const stop = button("sending.stop", "stop", () => page.happen({ name: "stop" }), ".plain");
  const tools = element("div.toolbar", { hidden: true }, again, stop);
  again.hidden = true;
  const title = heading(words("sending.title"));
  return {
    nodes: [
      title,
      element("p.lede", words(hides ? "sending.unseen" : "sending.text")),
      notice, tools,
    ],
    update(state, said) {
      const first = notice.hidden;
      if (state.at !== "sending") title.replaceChildren(element("span", words("sending.waits")));
      notice.replaceChildren(element("p", state.at === "sending" ? words("sending.late") : part(said, "text", "p", "unknown")),
        element("p.quiet", words(state.at === "resting" ? "sending.rests" : "sending.repeats")));
      notice.hidden = tools.hidden = false;
      again.hidden = state.at !== "resting";
      if (first || state.at === "resting") page.announce(state.at === "resting" ? "sending.rests" : "sending.repeats");
    },
  };
}

/** The server's own words, in the language that is being read; the page's where none came. @param {HTMLElement[]} said @param {string} what @param {string} selector @param {string} otherwise */
const part = (said, what, selector, otherwise) => (said.length
  ? filler(() => said.find(({ lang }) => lang === own())?.querySelector(selector)?.textContent ?? "") : words(`${otherwise}.${what}`));

/** The server takes nothing: what was drawn is erased. After a reload the page says the same. @type {FinalScreen} */
export const finalScreen = (word, said) => [
  heading(part(said, "title", "h1", `outcome.${word}`), "about"),
  element("div.notice.problem", element("p", { id: "about" }, part(said, "text", "p", `outcome.${word}`))),
  ...(word === "refused" && said.length ? [element("p.quiet", part(said, "text", "[data-problem]", "outcome.refused"))] : []),
  ...(word === "stale" ? [actions(button("reload", "reload", () => location.reload()))] : []),
];

/** Where taking part is over for this browsing session. @type {EndedScreen} */
export const endedScreen = (doubt) => [
  heading(words("ended.title"), doubt ? "about" : undefined),
  ...(doubt ? [element("p.lede", { id: "about" }, words("ended.doubt"))] : []),
];

/** @type {WordsScreen} */
export const wordsScreen = (key, ...rest) => [
  heading(words(`${key}.title`), "about"), element("p.lede", { id: "about" }, words(`${key}.text`)), ...rest];

/** @type {SplitScreen} */
export const split = (first, aside, ...rest) => [
  element("section.split", element("header", ...first), element("div.aside", ...aside), element("div", ...rest))];

/** The focus goes to it, and brings its explanation along. @param {Child} child @param {string} [about] an id */
export const heading = (child, about) => element("h1", { tabindex: -1, "aria-describedby": about }, child);
