/** One question: its answers, and one press that fixes the answer and turns the device. The true answer is read once, and kept nowhere. */

import { view } from "./definition.js";
import { actions, button } from "../page/buttons.js";
import { element } from "../page/element.js";
import { text, words } from "../page/language.js";
import { oddsFigure } from "./odds.js";
import { drawn, result } from "./result.js";
import { progress } from "./sections.js";
import { totalFigure } from "./total.js";

/** Characters from which on a wording is read as a paragraph and not as a heading. */
const LONG = 240;
/** The first question with this kind of device: the odds of those that follow need no second look. @type {{name: string, question?: Question}} */
let first = { name: "" };

/** @type {Ask} */
export function ask(page, question, suffix = "") {
  const { draw } = page;
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const [device, controls] = [kind.device(question), kind.controls(question)];
  const odds = oddsFigure(kind.odds(question, draw), false);
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(view(question)));
  const node = /** @type {any} */ (document.importNode(template.content, true).firstElementChild);
  node.dataset.question = question.id;
  const at = progress(page, question);
  words(!at.part ? "question.progress" : at.total > 1 ? "sections.progress" : "sections.part", () => at)(part("progress"));
  text(question.wording)(part("wording"));
  part("wording").classList.toggle("long", Object.values(question.wording).some((wording) => wording.length > LONG));
  if (question.note) text(question.note)(part("note"));
  words("question.legend")(part("legend"));
  part("controls").append(...controls.nodes);
  for (const name of ["id", "aria-labelledby", "aria-describedby"]) {
    for (const each of node.querySelectorAll(`[${name}]`)) each.setAttribute(name, each.getAttribute(name).replace(/\S+/g, `$&${suffix}`));
  }
  part("device").append(device.node, odds);
  return {
    node, part, device, controls, odds,
    lacks(skips = false) {
      const problem = skips ? null : controls.read().problem;
      const error = part("error");
      error.hidden = !problem;
      error.replaceChildren();
      for (const input of controls.inputs) input.ariaInvalid = String(Boolean(problem));
      problem?.(error);
      return Boolean(problem);
    },
    draw() {
      const came = kind.draw(question, controls.read().answer, draw);
      unmark(controls.inputs);
      return came;
    },
  };

  /** @param {string} id @returns {HTMLElement} */
  function part(id) {
    return node.querySelector(`[data-part=${id}]`);
  }
}

/** @type {QuestionScreen} */
export function questionScreen(page, question, more) {
  const { columns } = question;
  const { node, part, device, controls, odds, lacks, draw } = ask(page, question);
  const press = button("question.lock", "lock", use);
  const name = device.node.firstElementChild?.className ?? "";
  if (name !== first.name) first = { name, question };
  odds.open = first.question === question;
  part("device").append(totalFigure(page));
  part("lock").append(press);
  part("lock").after(page.kinds.get(question)?.offer?.(page, question, (how) => page.go([result(page, question, how)])) ?? "",
    earlier(page, ...(more ? [button("all.begin", "all", page.all, ".plain.small")] : [])));
  return node;

  async function use() {
    if (lacks()) return controls.inputs[0]?.focus();
    /** @type {unknown} */
    let picture = null;
    for (const input of [press, ...controls.inputs]) input.disabled = true;
    const locked = await page.lock(columns, () => {
      const came = draw();
      picture = came.picture;
      return came.reports;
    });
    if (locked && node.isConnected) await turn(picture);
  }

  /** @param {unknown} picture null where another tab has drawn */
  async function turn(picture) {
    const skip = button("question.skip", "skip", device.skip, ".plain");
    odds.open = false;
    node.parentElement?.replaceChildren(node);
    part("answer").replaceChildren(element("p.locked", words("question.locked")), controls.echo ?? "", actions(skip));
    skip.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
    page.announce("question.spinning");
    if (picture) await device.show(picture);
    controls.echo?.replaceChildren();
    if (node.isConnected) page.go([picture ? drawn(page, question, picture, device) : result(page, question)]);
  }
}

/** The way back, and others. @param {Page} page @param {Node[]} ways */
export const earlier = ({ back }, ...ways) => element("div.others", ...ways, button("question.back", "earlier", back, ".plain.small"));

/** @param {Iterable<HTMLInputElement>} inputs */
export function unmark(inputs) {
  for (const input of inputs) {
    input.checked = input.defaultChecked;
    input.value = input.defaultValue;
  }
}
