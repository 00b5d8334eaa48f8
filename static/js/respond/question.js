/** One question as it is read: its wording, its answers, the ways around the device, and the odds, folded. */

import { button, element, fold, text, words } from "../page/page.js";
import { oddsFigure, progress, view } from "./definition.js";

/** Characters from which on a wording is read as a paragraph and not as a heading. */
const LONG = 240;

/** Mechanisms whose picture is a wheel. */
const WHEELS = ["spinner_coin", "spinner", "wheel", "per_box", "sampled_box", "one_bit"];

/** @type {Ask} */
export function ask(page, question, suffix = "") {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const controls = kind.controls(question);
  const entries = kind.entries?.(question) ?? [];
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(view(question)));
  const node = /** @type {any} */ (document.importNode(template.content, true).firstElementChild);
  node.dataset.question = question.id;
  const at = progress(page, question);
  words(!at.part ? "question.progress" : at.total > 1 ? "sections.progress" : "sections.part", () => at)(part("progress"));
  text(question.wording)(part("wording"));
  part("wording").classList.toggle("long", Object.values(question.wording).some((wording) => wording.length > LONG));
  if (question.note) text(question.note)(part("note"));
  part("controls").append(...controls.nodes);
  part("controls").closest("fieldset")?.after(...entries.map((entry) => entry.node));
  for (const name of ["id", "aria-labelledby", "aria-describedby"]) {
    for (const holder of node.querySelectorAll(`[${name}]`)) holder.setAttribute(name, holder.getAttribute(name).replace(/\S+/g, `$&${suffix}`));
  }
  kind.dress?.(question, part);
  // An answer or an entry, whichever came last.
  const ways = [{ inputs: controls.inputs, clear: () => clear(controls) }, ...entries.map(({ inputs }) => ({ inputs, clear: () => unmark(inputs) }))];
  for (const way of ways) {
    for (const input of way.inputs) {
      input.addEventListener("input", () => ways.forEach((other) => other === way || other.clear()));
    }
  }
  return {
    question, node, part, controls,
    inputs: ways.flatMap(({ inputs }) => inputs),
    entered: () => entries.some((entry) => entry.reports()),
    lacks() {
      const problem = entries.some((entry) => entry.reports()) ? undefined : controls.read().problem;
      const error = part("error");
      error.hidden = !problem;
      error.replaceChildren();
      for (const input of controls.inputs) input.ariaInvalid = String(Boolean(problem));
      problem?.(error);
      return Boolean(problem);
    },
    draw() {
      const entry = entries.find(({ reports }) => reports());
      const came = entry ? { reports: entry.reports() ?? {}, picture: null, said: entry.said } : kind.draw(question, controls.read().answer, page.draw);
      for (const way of ways) way.clear();
      return came;
    },
  };

  /** @param {string} id @returns {HTMLElement} */
  function part(id) {
    return node.querySelector(`[data-part=${id}]`);
  }
}

/** @type {Block} */
export function block(page, question, suffix = "") {
  const made = page.kinds.get(question)?.block?.(page, question);
  if (made) return made;
  const asked = ask(page, question, suffix);
  return { node: asked.node, all: [asked] };
}

/** The device at rest, and what its odds are. @type {Folded} */
export const chanceFold = (page, question) => fold("odds", words("answers.device"), () => {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  return [kind.device(question).node, oddsFigure(() => kind.odds(question, page.draw), true)];
});

/** The device turned for an answer that is nobody's: seeing chance at work is what makes it believed. @type {Folded} */
export const tryFold = (page, question) => fold("odds.trying", words(WHEELS.includes(question.mechanism) ? "answers.try" : "answers.try_other"), () => {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const device = kind.device(question);
  const { answer, said } = kind.invented(question);
  const came = element("div.came", { "aria-live": "polite" });
  const press = button("answers.spin", "try", async () => {
    press.disabled = true;
    came.replaceChildren();
    device.node.classList.remove("still", "kept", "chance");
    const { reports, picture } = kind.draw(question, answer, page.draw);
    await device.show(picture);
    const sent = question.columns.map(({ name }, index) => kind.recorded(question, index, reports[name] ?? 0));
    came.replaceChildren(element("p", words("answers.came", () => ({ report: sent.join(", ") }))),
      element("p.hint", words("answers.would")), element("blockquote", kind.explain(question, picture, reports)));
    press.disabled = false;
  }, ".plain.small");
  return [element("p.hint", words("answers.invented", () => ({ answer: said() }))), device.node, element("div.toolbar", press), came];
});

/** @param {Iterable<HTMLInputElement>} inputs */
export function unmark(inputs) {
  for (const input of inputs) {
    input.checked = input.defaultChecked;
    input.value = input.defaultValue;
  }
}

/** @param {Controls} controls */
function clear({ clear: own, inputs }) {
  unmark(inputs);
  own?.();
}
