/** The first screen: who asks, what is promised, what others learn, and consent. */

import { actions, button, element, paragraphs, text, words } from "../page/page.js";
import { dots, sayDraw, total, totalFigure } from "./definition.js";
import { heading, split } from "./screens.js";

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
