/** One question: answer, lock, spin, result. The true answer is read once, when it is locked, and kept nowhere. */

import { view } from "./definition.js";
import { actions, button } from "../page/buttons.js";
import { element } from "../page/element.js";
import { text, words } from "../page/language.js";
import { oddsFigure } from "./odds.js";
import { totalFigure } from "./total.js";

/** @type {QuestionScreen} */
export function questionScreen(page, index) {
  const { questions } = page.definition;
  const question = /** @type {Question} */ (questions[index]);
  const { columns } = question;
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const device = kind.device(question);
  const explained = oddsFigure(kind.odds(question, page.draw), alike(questions[index - 1]) !== alike(question));
  const controls = kind.controls(question);
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(view(question)));
  const screen = /** @type {any} */ (document.importNode(template.content, true).firstElementChild);
  const answer = part("answer");

  words("question.progress", () => ({ n: index + 1, total: questions.length }))(part("progress"));
  text(question.wording)(part("wording"));
  if (question.note) text(question.note)(part("note"));
  part("device").append(device.node, explained, totalFigure(page));
  words("question.legend")(part("legend"));
  part("controls").append(...controls.nodes);
  const press = button("question.lock", "lock", lock);
  part("lock").append(press);
  part("lock").after(kind.offer?.(page, question, showResult) ?? "");
  if (columns.every(({ name }) => name in page.session.kept.reports)) showResult(null);
  return screen;

  /** @param {string} id @returns {HTMLElement} */
  function part(id) {
    return screen.querySelector(`[data-part=${id}]`);
  }

  async function lock() {
    const { problem } = controls.read();
    const error = part("error");
    error.hidden = !problem;
    error.replaceChildren();
    for (const input of controls.inputs) input.ariaInvalid = String(Boolean(problem));
    if (problem) {
      problem(error);
      return controls.inputs[0]?.focus();
    }
    /** @type {unknown} */
    let shown = null;
    press.disabled = true;
    for (const input of controls.inputs) input.disabled = true;
    const locked = await page.lock(columns, () => {
      const { reports, picture } = kind.draw(question, controls.read().answer, page.draw);
      shown = picture;
      return reports;
    });
    if (locked && answer.isConnected) showSpin(shown);
  }

  /** @param {unknown} shown */
  function showSpin(shown) {
    explained.open = false;
    const turn = button("question.spin", "spin", async () => {
      if (turn.dataset["action"] === "skip") return device.skip();
      turn.dataset["action"] = "skip";
      turn.classList.add("plain");
      turn.replaceChildren();
      words("question.skip")(turn);
      page.announce("question.spinning");
      if (shown) await device.show(shown);
      if (turn.isConnected) showResult(shown ? kind.explain(question, shown, page.session.kept.reports) : null);
    });
    answer.replaceChildren(element("p.locked", words("question.locked")), controls.echo ?? "", actions(turn));
    turn.focus();
    device.node.scrollIntoView({ block: "nearest" });
  }

  /** @param {Filler | null} how null after a reload */
  function showResult(how) {
    const codes = columns.map(({ name }) => page.session.kept.reports[name] ?? 0);
    const said = codes.map((report, column) => () => kind.recorded(question, column, report));
    const list = kind.list?.(question, codes, said);
    const last = index === questions.length - 1;
    const heading = element("h2.recorded", { tabindex: -1 },
      words("result.recorded", () => ({ report: list ? "" : said[0]?.() ?? "" })));
    explained.open = false;
    controls.echo?.replaceChildren();
    answer.replaceChildren(element("div.result", { "data-report": codes.join(" ") },
      heading,
      list ?? "",
      element("p", how ?? words("result.resumed")),
      actions(button(last ? "result.review" : "result.next", "next", () => page.go(last ? "review" : index + 1)))));
    heading.focus();
  }
}

/** The odds need no second look then. @type {Alike} */
function alike(question) {
  const column = question?.columns[0];
  return JSON.stringify([question?.mechanism, column?.form ?? column?.weights]);
}
