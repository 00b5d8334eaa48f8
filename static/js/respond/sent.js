/** What was sent, shown once it has arrived: a list that is read at once, and beside it the devices turn. */

import { actions, button, element, paragraphs, text, words } from "../page/page.js";
import { hideCause, showCause } from "./cause.js";
import { sayDraw } from "./definition.js";
import { linked } from "./header.js";
import { heading } from "./screens.js";

/** @type {SentScreen} */
export function sentScreen(page, body, causes) {
  const { closing, help } = page.definition;
  const sent = new URLSearchParams(body);
  const items = page.asked.map((question) => item(page, question, sent, causes.find((cause) => cause.question === question)));
  const turning = items.flatMap(({ turns }) => turns);
  const ways = turning.length ? spinning(turning) : null;
  return {
    nodes: [
      element("header", heading(words("sent.title"), "about"), element("p.lede", { id: "about" }, words("sent.text"))),
      ...(ways ? [ways.tools] : []),
      element("ul.sent", ...items.map(({ node }) => node)),
      ...sayDraw(page, "sections.rest"),
      element("section.receipt",
        element("h2", words("sent.receipt")),
        element("dl.facts",
          element("dt", words("sent.number")), element("dd.bytes", { "data-receipt": true }, sent.get("receipt") ?? ""),
          element("dt", words("sent.fingerprint")), element("dd.bytes", sent.get("fingerprint") ?? "")),
        element("p", words("sent.shows")),
        element("p", words("sent.keep"), " ", element("span", words("sent.once")))),
      ...(closing ? [element("div.closing", paragraphs(closing))] : []),
      ...(help ? [element("h2", words("sent.help")), element("div.help", paragraphs(help, linked))] : []),
      actions(button("sent.clear", "clear", () => page.happen({ name: "clear" }), ".plain")),
    ],
    turn: () => void ways?.turn(),
  };
}

/** @param {Page} page @param {Question} question @param {URLSearchParams} sent @param {Came} [cause] */
function item(page, question, sent, cause) {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const codes = question.columns.map(({ name }) => Number(sent.get(name)));
  const said = codes.map((report, column) => () => kind.recorded(question, column, report));
  const list = kind.list?.(question, codes, said);
  const line = element("div",
    element("p.eyebrow", text(question.wording)),
    list ? element("div.value", list) : element("p.value", words("result.was", () => ({ report: said[0]?.() ?? "" }))));
  const node = element("li", { "data-report": codes.join(" "), "data-of": question.id }, line);
  if (!cause?.picture) return { node, turns: [] };
  const device = kind.device(question);
  const how = element("p.how.cause", { hidden: true }, kind.explain(question, cause.picture, cause.reports));
  line.append(how);
  const beside = element("div.turned.cause", device.node);
  node.append(beside);
  return { node, turns: [{ device, parts: [how, beside], turn: async () => {
    await device.show(cause.picture);
    how.hidden = false;
  } }] };
}

/** The ways to be done with them: to see at once how they end, and to see no more of them. @param {Turning[]} turning */
function spinning(turning) {
  const skip = button("question.skip", "skip", () => turning.forEach(({ device }) => device.skip()), ".plain.small");
  const hide = button("cause.hide", "hide", () => hideCause(), ".plain.small");
  const note = element("p.hint", words("cause.note"));
  const tools = element("div.cause-tools", note, element("div.toolbar", skip, hide));
  showCause(() => {
    for (const part of [...turning.map((each) => each.parts).flat(), note, skip]) part.remove();
    // Where somebody is stays there.
    hide.ariaDisabled = "true";
    hide.onblur = () => tools.classList.add("gone"); // what moved up would not be where it is pressed
    if (document.activeElement !== hide) tools.remove();
  });
  return {
    tools,
    async turn() {
      await Promise.all(turning.map((each) => each.turn()));
      if (document.activeElement === skip) hide.focus();
      skip.remove();
    },
  };
}
