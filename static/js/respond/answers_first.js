/** All answers first, to be changed until the end; one press then draws everything and sends it. */

import { actions, button, element, fold, forget, live, words } from "../page/page.js";
import { sectionHead, totalFigure } from "./definition.js";
import { block, chanceFold, tryFold, unmark } from "./question.js";
import { writeForm } from "./sending.js";

/** Questions on a screen; a matrix counts as one. */
const MOST = 6;

/** @type {ScreensOf} */
export function screensOf(questions) {
  const firsts = questions.filter(({ matrix }, index) => matrix === undefined || questions[index - 1]?.matrix !== matrix);
  return Array.from({ length: Math.ceil(firsts.length / MOST) }, (_, screen) => firsts.slice(screen * MOST, (screen + 1) * MOST));
}

/** @type {Way["open"]} */
export function open(page) {
  const screens = screensOf(page.asked);
  /** What is shown or was, with its answers: in memory alone. @type {AnswersScreen[]} */
  const made = [];
  return {
    length: screens.length,
    show(index) {
      const screen = made[index] ??= make(index);
      screen.said.splice(0).forEach(live);
      return [screen.node];
    },
    leave(index) {
      made[index]?.said.push(...forget());
    },
    clear() {
      for (const { all, node } of made.splice(0)) {
        unmark(all.flatMap(({ inputs }) => inputs));
        node.replaceChildren();
      }
    },
  };

  /** @param {number} index @returns {AnswersScreen} */
  function make(index) {
    const firsts = screens[index] ?? [];
    const last = index === screens.length - 1;
    const blocks = firsts.map((question) => {
      const { node, all, whole = question } = block(page, question, `-${question.id}`);
      dress(node, all, whole, question === page.asked[0]);
      const head = sectionHead(page, question);
      for (const part of head) part.removeAttribute("id"); // one of several on this screen
      return { all, nodes: [...head, node] };
    });
    const all = blocks.flatMap(({ all }) => all);
    const press = last ? button("answers.press", "press", () => use(press)) : button("answers.next", "next", () => next(index));
    if (last) press.setAttribute("aria-describedby", "final");
    return {
      all,
      said: [],
      node: element("section.answers",
        element("header",
          ...(screens.length > 1 ? [element("p.eyebrow", words("answers.progress", () => ({ n: index + 1, total: screens.length })))] : []),
          element("h1", { tabindex: -1, "aria-describedby": "nothing-yet" }, words("answers.title")),
          element("p.lede", { id: "nothing-yet" }, words("answers.text"))),
        ...blocks.flatMap(({ nodes }) => nodes),
        element("div.press", actions(press), ...(last ? [element("p.hint", { id: "final" }, words("answers.final"))] : [])),
        element("div.others", button("question.back", "earlier", page.back, ".plain.small")),
        ...(last ? [exactForm(), totalFigure(page)] : [])),
    };
  }

  /** @param {HTMLElement} node @param {Asked[]} all @param {Question} question @param {boolean} first */
  function dress(node, all, question, first) {
    for (const { part, question } of node.matches(".matrix") ? [] : all) {
      part("legend").remove();
      part("wording").ariaLevel = "2";
      part("lock").remove();
      part("device").append(...(first ? [tryFold(page, question)] : []), chanceFold(page, question));
    }
    const [heading] = node.querySelectorAll("[data-part=wording]");
    if (heading) heading.ariaLevel = "2";
    if (node.matches(".matrix")) node.append(element("div.chance", ...(first ? [tryFold(page, question)] : []), chanceFold(page, question)));
  }

  /** Its places of the results and the receipt are empty. */
  function exactForm() {
    const form = writeForm(page.fingerprint, page.columns, page.invited?.sent);
    return fold("odds.exact", words("answers.form"), () => [
      element("p", words("answers.blank", () => ({ n: form.length }))),
      element("pre.bytes", { tabindex: 0, "data-form": true }, form),
    ]);
  }

  /** @param {number} index @returns {boolean} whether an answer is missing, which then has the focus */
  function lacks(index) {
    const [lacking] = (made[index]?.all ?? []).filter((asked) => asked.lacks());
    if (!lacking) return false;
    page.turn(index);
    lacking.controls.inputs[0]?.focus();
    return true;
  }

  /** @param {number} index */
  function next(index) {
    if (!lacks(index)) page.turn(index + 1);
  }

  /** @param {HTMLButtonElement} press */
  async function use(press) {
    for (const index of screens.keys()) {
      if (!made[index]) return page.turn(index);
      if (lacks(index)) return undefined;
    }
    const all = made.flatMap((screen) => screen.all);
    for (const input of [press, ...all.flatMap(({ inputs }) => inputs)]) input.disabled = true;
    return page.press(() => all.map(({ question, draw }) => ({ question, ...draw() })));
  }
}
