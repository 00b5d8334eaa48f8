/** One question, or all at once. The true answer is read once, when one press fixes it, and kept nowhere. */

import { actions, button, element, text, words } from "../page/page.js";
import { oddsFigure, progress, sectionHead, totalFigure, view } from "./definition.js";

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
  kind.dress?.(question, part);
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

/** @type {Drawn} */
export function drawn(page, question, picture, device) {
  const how = /** @type {Kind} */ (page.kinds.get(question)).explain(question, picture, page.session.kept.reports);
  return result(page, question, intended(how), device);
}

/** @type {Together} */
export const together = (devices) => element("section.result",
  element("header", heading("all.recorded")),
  element("div.devices", ...devices.map(({ node }) => element("div.stopped", node))),
  element("p.how", { id: "how" }, intended(words("all.how"))));

/** @type {Intended} */
const intended = (how) => (node) => node.append(element("span", how), " ", element("span.quiet", words("result.intended")));

/** @type {Heading} */
export const heading = (key, values) => element("h2.recorded", { tabindex: -1, "aria-describedby": "how" }, words(key, values));

/** @type {PutBy} */
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
  /** Named by no one question here. @param {Question | undefined} question */
  const head = (question) => {
    const nodes = question ? sectionHead(page, question) : [];
    for (const each of nodes) each.removeAttribute("id");
    return nodes;
  };
  return atOnce(page, questions, all, element("section.everything",
    element("h1", { tabindex: -1 }, words("all.title")),
    element("p.lede", words("all.text")),
    ...all.flatMap(({ node: asked }, index) => [...head(questions[index]), asked])), together);
}

/** @type {AtOnce} */
export function atOnce(page, questions, all, node, after) {
  const press = button("all.lock", "lock", use);
  node.append(actions(press), earlier(page));
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
    if (node.isConnected) page.go([after(devices.map(({ device }) => device))]);
  }
}

/** @type {One} */
export function one(page, question) {
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
