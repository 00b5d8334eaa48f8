/** What will be sent, where each result was seen first: the last screen on which nothing has been sent. */

import { actions, button, element, words } from "../page/page.js";
import { sayDraw, totalFigure } from "./definition.js";
import { heading, values } from "./screens.js";
import { writeBody } from "./sending.js";

/** @type {(page: Page) => Node[]} */
export function reviewScreen(page) {
  const { invited, session: { saved: { receipt = "", reports } } } = page;
  const body = writeBody(page.fingerprint, receipt, page.columns, reports, invited?.sent);
  return [
    heading(words("review.title"), "about"),
    element("p.lede", { id: "about" }, words("review.text"), ...(invited ? [" ", element("span", words("review.invited"))] : [])),
    values(page, reports),
    ...sayDraw(page, "sections.rest"),
    actions(button("review.send", "send", () => page.happen({ name: "send" }))),
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
      actions(button("discarded.discard", "discard", () => page.happen({ name: "discard" }), ".plain"))),
  ];
}
