/** What came of a question: it stays above the one that follows. */

import { element } from "../page/element.js";
import { text, words } from "../page/language.js";

/** @type {Result} */
export function result(page, question, how = words("result.resumed"), device = undefined) {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const codes = question.columns.map(({ name }) => page.session.kept.reports[name] ?? 0);
  const said = codes.map((report, column) => () => kind.recorded(question, column, report));
  const list = kind.list?.(question, codes, said);
  return element("section.result", { "data-report": codes.join(" "), "data-of": question.id },
    ...(device ? [element("div.stopped", device.node)] : []),
    element("header",
      element("p.eyebrow", text(question.wording)),
      heading("result.recorded", () => ({ report: list ? "" : said[0]?.() ?? "" }))),
    ...(list ? [list] : []),
    element("p.how", { id: "how" }, how));
}

/** The same words whatever came out, as soon as the device has stopped. @type {Drawn} */
export function drawn(page, question, picture, device) {
  const how = /** @type {Kind} */ (page.kinds.get(question)).explain(question, picture, page.session.kept.reports);
  return result(page, question, intended(how), device);
}

/** Of everything at once: what is recorded stands below, in the list of what is sent. @type {Together} */
export const together = (devices) => element("section.result",
  element("header", heading("all.recorded")),
  element("div.devices", ...devices.map(({ node }) => element("div.stopped", node))),
  element("p.how", { id: "how" }, intended(words("all.how"))));

/** @type {Intended} */
const intended = (how) => (node) => node.append(element("span", how), " ", element("span.quiet", words("result.intended")));

/** Whoever is led there hears the explanation too. @type {Heading} */
export const heading = (key, values) => element("h2.recorded", { tabindex: -1, "aria-describedby": "how" }, words(key, values));
