/** Everything first: all questions that are not fixed on one screen, one press, and all devices turn together. */

import { actions, button } from "../page/buttons.js";
import { element } from "../page/element.js";
import { text, words } from "../page/language.js";
import { ask, earlier, unmark } from "./question.js";
import { together } from "./result.js";
import { sectionHead } from "./sections.js";

/** What was marked, while somebody looks back: in its controls, and nowhere else. @type {PutBy} */
let marked = { said: [] };

/** @param {HTMLElement} node @param {(() => void)[]} said */
export function putBy(node, said) {
  marked = { node, said };
}

export function takeUp() {
  const kept = marked;
  marked = { said: [] };
  return kept;
}

export function forgetMarked() {
  unmark(takeUp().node?.querySelectorAll("input") ?? []);
}

/** @type {EverythingScreen} */
export function everythingScreen(page, questions) {
  const all = questions.map((question) => one(page, question));
  const press = button("all.lock", "lock", use);
  const node = element("section.everything",
    element("h1", { tabindex: -1 }, words("all.title")),
    element("p.lede", words("all.text")),
    ...all.flatMap(({ node: asked }, index) => [...head(questions[index]), asked]),
    actions(press), earlier(page));
  return node;

  async function use() {
    const lacking = all.filter((each) => each.lacks())[0];
    if (lacking) return lacking.controls.inputs[0]?.focus();
    for (const input of [press, ...all.flatMap(({ inputs }) => inputs)]) input.disabled = true;
    /** @type {unknown[]} */
    const pictures = [];
    const locked = await page.lock(questions.flatMap(({ columns }) => columns), () => (
      Object.assign(Object.create(null), ...all.map((each) => {
        const { reports, picture } = each.draw();
        pictures.push(picture);
        return reports;
      }))));
    if (locked && node.isConnected) await turn(pictures);
  }

  /** Named by no one question here. @param {Question | undefined} question */
  function head(question) {
    const nodes = question ? sectionHead(page, question) : [];
    for (const each of nodes) each.removeAttribute("id");
    return nodes;
  }

  /** @param {unknown[]} pictures none where another tab has drawn, and none of a skip */
  async function turn(pictures) {
    const devices = all.flatMap(({ device }, index) => (pictures[index] ? [{ device, picture: pictures[index] }] : []));
    const skip = button("question.skip", "skip", () => devices.forEach(({ device }) => device.skip()), ".plain");
    node.replaceChildren(
      element("p.locked", words("all.locked")), actions(skip),
      element("div.at-once", ...all.map(({ device }, index) => element("div", element("p", text(questions[index]?.wording ?? {})), device.node))));
    skip.focus({ preventScroll: true });
    scrollTo(0, 0);
    page.announce("question.spinning");
    await Promise.all(devices.map(({ device, picture }) => device.show(picture)));
    if (node.isConnected) page.go([together(devices.map(({ device }) => device))]);
  }
}

/** A question among others: its device is folded, and a skip is one more thing to mark. @type {One} */
function one(page, question) {
  const asked = ask(page, question, `-${question.id}`);
  const { node, part, controls, device, odds } = asked;
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  part("wording").ariaLevel = "2";
  part("device").replaceChildren(element("details.odds", element("summary", words("all.device")), device.node), odds);
  if (!kind.skip) {
    part("lock").remove();
    return { ...asked, inputs: controls.inputs };
  }
  const skips = element("input", { type: "checkbox", autocomplete: "off", "data-action": "pass", onchange() {
    for (const input of controls.inputs) input.disabled = skips.checked;
  } });
  part("lock").replaceWith(element("label.choice", skips, element("span", words("skip.apart.button"))), element("p.hint", words("skip.apart.hint")));
  return {
    ...asked,
    node,
    inputs: [...controls.inputs, skips],
    lacks: () => asked.lacks(skips.checked),
    draw: () => (skips.checked && kind.skip ? { reports: kind.skip(question), picture: null } : asked.draw()),
  };
}
