/** The first screen: who asks, what is promised, what others learn, and consent. */

import { actions, button, code, element, live, ours, own, paragraphs, text, words } from "../page/page.js";
import { sayDraw, total, view } from "./definition.js";
import { guessNotes, guessTable, isProtected } from "./guess.js";
import { linked } from "./header.js";
import { heading, split } from "./screens.js";

/** Who learns of answer, report and part taken. @param {string} guess of the answer, from the report @param {string} [part] */
const learners = (guess, part = "no") => ({
  researcher: [guess, "yes", part],
  operator: [guess, "yes", "yes"],
  thief: [guess, "yes", "no"],
  court: [guess, "yes", "perhaps"],
  network: location.protocol === "https:" ? ["no", "no", "yes"] : [guess, "yes", "yes"], // it reads what is sent in the open
  phone: ["while", "perhaps", "perhaps"],
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
  const sums = total(page);
  const { shown, folded } = guessNotes(sums);
  return split(
    [
      heading(text(definition.title)),
      ...whoAsks(definition),
      element("div", paragraphs(definition.information)),
      element("p.promise", words(isProtected(sums) ? `welcome.promise.${isOfAnswers(definition) ? "be" : "match"}` : "welcome.little")),
      element("p", words("welcome.chance")),
      ...sayDraw(page, "sections.drawn"),
      ...exceptions(definition),
      ...(page.invited ? [element("div.invited", ...page.invited.said())] : []),
    ],
    [element("h2", words("total.title")), guessTable(sums), ...shown,
      element("details.odds", { "data-total": sums.all }, element("summary", words("total.more")), element("p", words("total.odds")), ...folded),
      element("details.odds", element("summary", { id: "learners" }, words("label.title")),
        privacyLabel(isProtected(sums) ? "no" : "guess", page.invited?.part),
        element("p", words("label.not"), " ", element("span", words("label.cause"))),
        ...sayDraw(page, "sections.found"),
        ...(definition.results.reports_while_open ? [element("p", words("results.reports_while_open"))] : []))],
    element("div.field.consent", element("label.choice", box, element("span", text(definition.consent))), error),
    actions(button("welcome.begin", "begin", begin),
      element("span.quiet", words("welcome.questions", () => ({ n: page.asked.length })))),
  );
}

/** As templates/respond/introduction.html has it before the script comes. @param {Definition} definition */
function whoAsks({ organisation, contact, kept_until: day }) {
  const until = () => new Intl.DateTimeFormat(own(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(String(day)));
  /** @param {string} key @param {Filler} said */
  const line = (key, said) => element("div", element("dt", words(`welcome.${key}`)), element("dd", said));
  const lines = [
    ...(organisation ? [line("organisation", text(organisation))] : []),
    ...(contact ? [line("contact", (node) => live(() => node.replaceChildren(...linked(contact[code()] ?? ""))))] : []),
    ...(day ? [line("kept_until", ours(until))] : []),
  ];
  return lines.length ? [element("dl.who", ...lines)] : [];
}

/** Each result is an answer that somebody could have given: no set of cards or boxes, and no number drawn near. @param {Definition} definition */
const isOfAnswers = ({ questions }) => questions.every((question) => (
  ["yes_no", "choice"].includes(view(question)) && question.columns.every(({ form }) => form?.form !== "subsets")));

/** What chance has no part in. @param {Definition} definition */
function exceptions({ questions }) {
  const said = [...(questions.some(({ skip }) => skip === "apart") ? ["skip.apart.hint"] : []), ...(questions.some(({ by_hand }) => by_hand) ? ["hand.coin.seen"] : [])];
  return said.length ? [element("p.exceptions", ...said.flatMap((key) => [element("span", words(key)), " "]))] : [];
}

/** @param {string} guess @param {string} [part] */
function privacyLabel(guess, part) {
  return element("table.privacy", { "aria-labelledby": "learners" },
    element("thead", element("tr", element("td"),
      ...["answer", "report", "part"].map((subject) => element("th", { scope: "col" }, words(`label.${subject}`))))),
    element("tbody", ...Object.entries(learners(guess, part)).map(([who, learns]) => element("tr",
      element("th", { scope: "row" }, words(`label.${who}`)),
      ...learns.map((what) => element("td", { class: what }, words(`label.${what}`)))))));
}
