/** The screens around the questions, and what stands above all: welcome, review, thanks, what can go wrong. */

import { actions, button, choose, code, element, filler, live, own, paragraphs, say, text, words } from "../page/page.js";
import { dots, sayDraw, total, totalFigure } from "./definition.js";
import { LATE } from "./session.js";

/** Who learns of answer, report and part taken. */
const learners = (part = "no") => ({
  researcher: ["no", "yes", part],
  operator: ["no", "yes", "yes"],
  thief: ["no", "yes", "no"],
  court: ["no", "yes", "perhaps"],
  network: ["no", location.protocol === "https:" ? "no" : "yes", "yes"], // it reads what is sent in the open
  phone: ["no", "until", "perhaps"],
});

/** @param {Page} page */
export function welcomeScreen(page) {
  const { definition, go } = page;
  const box = element("input", { type: "checkbox", autocomplete: "off", "aria-describedby": "consent-error" });
  const error = element("p.error", { id: "consent-error", hidden: true }, words("welcome.missing"));
  const begin = () => {
    error.hidden = box.checked;
    box.setAttribute("aria-invalid", String(!box.checked));
    if (box.checked) go();
    else box.focus();
  };
  const { all } = total(page);
  return split(
    [
      element("p.eyebrow", words("welcome.eyebrow", () => ({ n: page.asked.length }))),
      heading(text(definition.title)),
      element("div", paragraphs(definition.information)),
      element("p.promise", words("welcome.truth")),
      element("p", words("welcome.record")),
      ...(page.invited?.said() ?? []),
      ...sayDraw(page, "sections.drawn"),
    ],
    // "At most 99 times in 100" would sound like protection.
    [element("figure.together", dots(all), element("figcaption.bound", words(all > 98 ? "welcome.little" : "welcome.total", () => ({ n: all })))),
      totalFigure(page),
      element("details.odds", element("summary", { id: "learners" }, words("label.title")),
        privacyLabel(page.invited?.part), element("p", words("label.not")),
        ...sayDraw(page, "sections.found"),
        ...(definition.results.reports_while_open ? [element("p", words("results.reports_while_open"))] : []))],
    element("div.field.consent", element("label.choice", box, element("span", text(definition.consent))), error),
    actions(button("welcome.begin", "begin", begin)),
  );
}

/** @param {string} [part] */
function privacyLabel(part) {
  return element("table.privacy", { "aria-labelledby": "learners" },
    element("thead", element("tr", element("td"),
      ...["answer", "report", "part"].map((subject) => element("th", { scope: "col" }, words(`label.${subject}`))))),
    element("tbody", ...Object.entries(learners(part)).map(([who, learns]) => element("tr",
      element("th", { scope: "row" }, words(`label.${who}`)),
      ...learns.map((what) => element("td", { class: what }, words(`label.${what}`)))))));
}

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
const split = (first, aside, ...rest) => [
  element("section.split", element("header", ...first), element("div.aside", ...aside), element("div", ...rest))];

/** The focus goes to it, and brings its explanation along. @param {Child} child @param {string} [about] an id */
const heading = (child, about) => element("h1", { tabindex: -1, "aria-describedby": about }, child);

/** @type {Submit} */
const submit = (key, action) => element(
  "button.button", { type: "submit", form: "reports", "data-action": action }, words(key));

/** In ASCII, so that a Korean particle may follow. A number to dial begins with + or 0 and is long, or is written `tel:112`. */
const CONTACT = new RegExp([
  String.raw`(https://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#](?:[\w./?#@!$&'*+,;=:%~-]*[\w/#=&~-])?)?)`,
  String.raw`(?:mailto:)?([\w.+%-]+@[\w-]+(?:\.[\w-]+)+)`,
  String.raw`tel:(\+?\d[\d ()-]*\d)`,
  String.raw`(?<![\w.,/-])((?:\+\d|\(?0\d)(?:[ ()-]{0,2}\d){5,13})(?![\w/])`,
].join("|"), "gu");

/** @type {Contacts} */
export function contacts(text) {
  /** @type {[string, string?][]} */
  const parts = [];
  let end = 0;
  for (const { 0: whole, 1: web, 2: mail, 3: short, 4: number = short ?? "", index } of text.matchAll(CONTACT)) {
    parts.push([text.slice(end, index)],
      web ? [web, web] : mail ? [mail, `mailto:${mail}`] : [number, `tel:${number.replace(/[^+\d]/g, "")}`]);
    end = index + whole.length;
  }
  return [...parts, /** @type {[string]} */ ([text.slice(end)])].filter(([shown]) => shown);
}

/** A web page opens elsewhere, and does not learn from where. @param {string} text @returns {(string | HTMLAnchorElement)[]} */
export const linked = (text) => contacts(text).map(([shown, href]) => (href
  ? element("a", { href, ...(href.startsWith("https:") && { target: "_blank", rel: "noopener noreferrer" }) }, shown) : shown));

/** @type {Header} */
export function header({ help, languages, quick_exit }, leave) {
  const [ways, switcher] = ["ways", "languages"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  ways?.replaceChildren(
    ...(quick_exit ? [button("quick.exit.button", "leave", leave, ".leave")] : []),
    element("a", { href: ways.dataset["learn"], target: "_blank", rel: "noopener noreferrer" }, words("header.learn")),
    ...(help ? [element("details", element("summary", words("header.help")), element("div.help", paragraphs(help, linked)))] : []));
  live(() => { if (switcher) switcher.ariaLabel = say("languages"); });
  switcher?.replaceChildren(...(languages.length < 2 ? [] : languages).map((lang) => {
    const press = element("button", { type: "button", lang, onclick: () => choose(lang) },
      new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang);
    live(() => { press.ariaPressed = String(lang === code); });
    return press;
  }));
}
