/** What was sent, shown once it has arrived: a list that is read at once, and beside it the devices turn. */

import { actions, button, element, paragraphs, pause, text, words } from "../page/page.js";
import { hideCause, showCause } from "./cause.js";
import { sayDraw } from "./definition.js";
import { linked } from "./header.js";
import { heading } from "./screens.js";

/**
 * With devices it grows from its top to its end, a question or a device in each task: all of them at once would keep a slow phone
 * busy for too long, and a device that came later would move what is being read.
 *
 * @type {SentScreen}
 */
export function sentScreen(page, body, causes = []) {
  const sent = new URLSearchParams(body);
  const list = element("ul.sent");
  const head = element("header", heading(words("sent.title"), "about"), element("p.lede", { id: "about" }, words("sent.text")));
  if (!causes.some(({ picture }) => picture)) {
    list.append(...page.asked.map((question) => line(page, question, sent)));
    return [head, list, ...rest(page, sent)];
  }
  const ways = spinning();
  void grow();
  return [head, ways.tools, list];

  async function grow() {
    const turning = [];
    for (const question of page.asked) {
      await pause();
      if (!list.isConnected) return; // the screen was left
      const node = line(page, question, sent);
      list.append(node);
      await pause();
      const cause = causes.find((came) => came.question === question);
      if (cause?.picture && !ways.hidden()) turning.push(turn(page, cause, node, ways));
    }
    await pause();
    if (list.isConnected) list.after(...rest(page, sent));
    await Promise.all(turning);
    ways.end();
  }
}

/** @param {Page} page @param {Question} question @param {URLSearchParams} sent */
function line(page, question, sent) {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const codes = question.columns.map(({ name }) => Number(sent.get(name)));
  const said = codes.map((report, column) => () => kind.recorded(question, column, report));
  const list = kind.list?.(question, codes, said);
  return element("li", { "data-report": codes.join(" "), "data-of": question.id }, element("div",
    element("p.eyebrow", text(question.wording)),
    list ? element("div.value", list) : element("p.value", words("result.was", () => ({ report: said[0]?.() ?? "" })))));
}

/** @param {Page} page @param {Came} cause @param {HTMLElement} node @param {ReturnType<typeof spinning>} ways */
async function turn(page, { question, picture, reports }, node, ways) {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const device = kind.device(question);
  const how = element("p.how.cause", { hidden: true }, kind.explain(question, picture, reports));
  const beside = element("div.turned.cause", device.node);
  node.firstElementChild?.append(how);
  node.append(beside);
  ways.parts.push(how, beside);
  const turned = device.show(picture);
  void ways.skipped.then(device.skip);
  await turned;
  how.hidden = false;
}

/** @param {Page} page @param {URLSearchParams} sent */
function rest(page, sent) {
  const { closing, help } = page.definition;
  return [
    ...sayDraw(page, "sections.rest"),
    element("section.receipt",
      element("h2", words("sent.receipt")),
      element("dl.facts",
        element("dt", words("sent.number")), element("dd.bytes", { "data-code": true },
          element("span", { "data-receipt": true }, sent.get("receipt") ?? ""), ...page.columns.map(({ name }) => `-${sent.get(name)}`)),
        element("dt", words("sent.fingerprint")), element("dd.bytes", sent.get("fingerprint") ?? "")),
      element("p", words("sent.shows")),
      element("p", words("sent.keep"), " ", element("span", words("sent.once"))),
      element("p", words("sent.list", () => ({ at: `${location.pathname}/counted` })))),
    ...(closing ? [element("div.closing", paragraphs(closing))] : []),
    ...(help ? [element("h2", words("sent.help")), element("div.help", paragraphs(help, linked))] : []),
    actions(button("sent.clear", "clear", () => page.happen({ name: "clear" }), ".plain")),
  ];
}

/** The ways to be done with devices that turn: to see at once how they end, and to see no more of them. */
function spinning() {
  const skip = button("question.skip", "skip", () => {}, ".plain.small");
  /** @type {Promise<void>} */
  const skipped = new Promise((resolve) => { skip.onclick = () => resolve(); });
  const hide = button("cause.hide", "hide", () => hideCause(), ".plain.small");
  const note = element("p.hint", words("cause.note"));
  const tools = element("div.cause-tools", note, element("div.toolbar", skip, hide));
  /** Words and pictures. @type {HTMLElement[]} */
  const parts = [];
  let hidden = false;
  showCause(() => {
    hidden = true;
    for (const part of [...parts, note, skip]) part.remove();
    // Where somebody is stays there.
    hide.ariaDisabled = "true";
    hide.onblur = () => tools.classList.add("gone"); // what moved up would not be where it is pressed
    if (document.activeElement !== hide) tools.remove();
  });
  return {
    tools, parts, skipped,
    hidden: () => hidden,
    end() {
      if (document.activeElement === skip) hide.focus();
      skip.remove();
    },
  };
}
