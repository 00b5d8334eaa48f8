/** One question after the other: each result is seen before it is sent. */

import { actions, button, element, pause, text, words } from "../page/page.js";
import { hideCause, showCause } from "./cause.js";
import { oddsFigure, sectionHead, totalFigure } from "./definition.js";
import { block, unmark } from "./question.js";
import { reviewScreen } from "./review.js";
import { values } from "./screens.js";

/** The first question with this kind of device: the odds of those that follow need no second look. @type {{name: string, question?: Question}} */
let first = { name: "" };

/** @type {Way["open"]} */
export function open(page) {
  const isFixed = (/** @type {Question} */ { columns }) => columns.every(({ name }) => name in page.session.saved.reports);
  /** @type {HTMLElement[] | null} */
  let above = null;
  /** The next screen, made before it is shown. @type {HTMLElement[] | null} */
  let next = null;
  const nextQuestion = () => page.asked.find((question) => !isFixed(question));
  /** @type {Asked[]} */
  let shown = [];
  return {
    length: 1,
    holds: () => above !== null,
    show() {
      const question = nextQuestion();
      const last = above ?? page.asked.filter(isFixed).slice(-1).map((question) => resultOf(page, question));
      above = null;
      const prepared = next ?? prepare(question);
      next = null;
      if (prepared) return [...last, ...prepared];
      page.screen("review");
      return [...last, ...reviewScreen(page)];
    },
    leave() {},
    clear() {
      unmark(shown.flatMap(({ inputs }) => inputs));
    },
  };

  /** @param {Question | undefined} question */
  function prepare(question) {
    return question ? [...sectionHead(page, question), spinScreen(question)] : null;
  }

  /** @param {Question} question */
  function spinScreen(question) {
    const { node, all, whole = question } = block(page, question);
    const kind = /** @type {Kind} */ (page.kinds.get(whole));
    shown = all;
    const device = kind.device(question);
    const name = device.node.firstElementChild?.className ?? "";
    if (name !== first.name) first = { name, question };
    const odds = oddsFigure(() => kind.odds(whole, page.draw), first.question === question);
    const spins = element("span", words("question.lock"));
    const enters = element("span", words("question.enter"));
    const press = element("button.button", { type: "button", "data-action": "lock", onclick: () => void use() }, spins, enters);
    const label = () => {
      enters.hidden = !all.every((asked) => asked.entered());
      spins.hidden = !enters.hidden;
    };
    node.addEventListener("input", label);
    label();
    const others = element("div.others", button("question.back", "earlier", page.back, ".plain.small"));
    const [top] = /** @type {[Asked]} */ (all);
    const grouped = node.matches(".matrix");
    for (const { part } of all) words("question.legend")(part("legend") ?? element("span"));
    if (grouped) node.append(actions(press), others, element("div.chance", device.node, odds, totalFigure(page)));
    else {
      top.part("device").append(device.node, element("p.hint", words("question.later")), odds, totalFigure(page));
      top.part("lock").append(press);
      top.part("lock").after(others);
    }
    return node;

    async function use() {
      const [lacking] = all.filter((asked) => asked.lacks());
      if (lacking) return lacking.controls.inputs[0]?.focus();
      for (const input of [press, ...all.flatMap(({ inputs }) => inputs)]) input.disabled = true;
      /** @type {Came[]} */
      let came = [];
      const drawn = await page.press(() => {
        came = all.map((asked) => ({ question: asked.question, ...asked.draw() }));
        return came;
      });
      // A slow phone does one after the other, and hears a press in between.
      await pause();
      if (drawn && node.isConnected) await turn(came);
    }

    /** @param {Came[]} came none of them with a picture where an entry was used */
    async function turn(came) {
      const devices = came.map(({ question: drawn }) => (grouped ? page.kinds.get(drawn)?.device(drawn) : device) ?? device);
      const turning = came.flatMap(({ picture, question: { wording } }, index) => (
        picture ? [{ picture, wording, device: /** @type {Device} */ (devices[index]) }] : []));
      let seen = !document.hidden;
      if (turning.length) {
        // Who comes to the tab later does not see where it stops.
        showCause(() => {
          seen = false;
          for (const { device: turned } of turning) {
            turned.skip();
            turned.node.remove();
          }
        });
        const skip = button("question.skip", "skip", () => turning.forEach((turned) => turned.device.skip()), ".plain");
        odds.open = false;
        node.parentElement?.replaceChildren(node);
        const said = [element("p.locked", words("question.locked")), grouped ? "" : top.controls.echo ?? "", actions(skip)];
        if (grouped) {
          node.replaceChildren(...said, element("div.at-once", ...turning.map((turned) => (
            element("div", ...(turning.length > 1 ? [element("p", text(turned.wording))] : []), turned.device.node)))));
        } else top.part("answer").replaceChildren(...said);
        skip.focus({ preventScroll: true });
        node.scrollIntoView({ block: "nearest" });
        page.announce("question.spinning");
        await Promise.all(turning.map((turned) => turned.device.show(turned.picture)));
        top.controls.echo?.replaceChildren();
        if (!node.isConnected) return;
      }
      await pause();
      next = prepare(nextQuestion());
      await pause();
      if (!node.isConnected) return;
      const asked = came.map((drawn) => drawn.question);
      above = [seen ? drawnResult(page, came, turning.map((turned) => turned.device)) : grouped ? resultOfMatrix(page, asked) : resultOf(page, question)];
      page.go();
    }
  }
}

/** What will be sent, how it came about, and the device as it stands; the last two until the next press. @param {Page} page @param {Came[]} came @param {Device[]} devices */
function drawnResult(page, came, devices) {
  const [{ question, picture, said }] = /** @type {[Came]} */ (came);
  const grouped = came.length > 1;
  const skipped = came.filter((drawn) => drawn.said).length;
  const how = said && skipped === came.length ? said : grouped && question.mechanism ? words("matrix.how")
    : /** @type {Kind} */ (page.kinds.get(question)).explain(question, picture, page.session.saved.reports);
  const cause = element("p.how.cause", { id: "how" },
    element("span", how), " ", ...(grouped && skipped % came.length ? [element("span", words("skip.apart.hint")), " "] : []), element("span.quiet", words("cause.on")), " ", button("cause.hide", "hide", () => hideCause(), ".plain.inline"));
  const node = grouped ? resultOfMatrix(page, came.map((drawn) => drawn.question)) : resultOf(page, question);
  const small = devices.map((device) => element("div.stopped.cause", device.node));
  const stopped = grouped ? [element("div.devices.cause", ...small)] : small;
  node.querySelector(".how")?.remove();
  if (devices.length) node.prepend(...stopped);
  node.append(cause);
  showCause(() => [...stopped, cause].forEach((part) => part.remove()));
  return node;
}

/** @param {Page} page @param {Question} question */
function resultOf(page, question) {
  const kind = /** @type {Kind} */ (page.kinds.get(question));
  const codes = question.columns.map(({ name }) => page.session.saved.reports[name] ?? 0);
  const said = codes.map((report, column) => () => kind.recorded(question, column, report));
  const list = kind.list?.(question, codes, said);
  return element("section.result", { "data-report": codes.join(" "), "data-of": question.id },
    element("header",
      element("p.eyebrow", text(question.wording)),
      heading("result.will", () => ({ report: list ? "" : said[0]?.() ?? "" }))),
    ...(list ? [list] : []),
    element("p.how", { id: "how" }, words("result.resumed")));
}

/** @param {Page} page @param {Question[]} questions */
const resultOfMatrix = ({ kinds, session }, questions) => element("section.result",
  element("header", heading("matrix.recorded")),
  values({ kinds, asked: questions }, session.saved.reports));

/** Whoever is led there hears the explanation too. @type {Heading} */
const heading = (key, said) => element("h2.recorded", { tabindex: -1, "aria-describedby": "how" }, words(key, said));
