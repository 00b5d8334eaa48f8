/** What the page says of other people, and other windows, that save the same draft. */

import { element, say } from "../page/page.js";
import { announce } from "./actions.js";
import { desk, replaceAll } from "./desk.js";
import { putBack } from "./joining.js";

/** Somebody else has saved: say who and what differs, and lead to the page where one chooses. @param {HTMLElement} before @param {any} answer */
export function tellConflict(before, answer) {
  document.getElementById("conflict")?.remove();
  const names = /** @type {string[]} */ (answer.differing ?? []).map((name) => nameOf(name, answer.typed));
  const place = element("div.notice.problem", { id: "conflict", role: "alert" },
    element("strong", say("outline.conflict.title", { by: answer.by ?? say("outline.conflict.somebody") })),
    element("p", say("outline.conflict.text")),
    element("ul", ...names.map((name) => element("li", name))),
    element("p.toolbar", element("button.button.small", { name: "action", value: "save", form: "editor" }, say("outline.conflict.choose"))));
  before.before(place);
  place.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** @typedef {"gone" | "frozen" | "second_factor"} Ended what ends a draft, or stands before it */

/** There is a way out, and nothing typed is lost: say so where the faults are listed. @param {HTMLElement} before @param {Ended} how */
export function tellWay(before, how) {
  document.getElementById("way")?.remove();
  if (how !== "second_factor") document.getElementById("ready")?.remove(); // there is no draft that could be complete
  const out = how === "second_factor"
    ? element("a.button.small", { href: desk.form.dataset["factor"] ?? "", target: "_blank" }, say("outline.way.set_up"))
    : element("button.button.small", { name: "action", value: "save", form: "editor" }, say("outline.way.anew"));
  const place = element("div.notice.problem", { id: "way", role: "alert" },
    element("strong", say(`outline.way.${how}`)), element("p", say(`outline.way.${how}_text`)), element("p.toolbar", out));
  before.before(place);
  place.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/**
 * Somebody else has changed something else: it is in the draft now, and the page says what.
 *
 * Of another window of the same person only what both have changed is said: what was typed last stands, and the
 * other comes back by a press.
 *
 * @param {HTMLElement} before
 * @param {import("./joining.js").Joined} joined
 * @param {() => void} changed
 */
export function tellJoined(before, joined, changed) {
  document.getElementById("joined")?.remove();
  const { own, over } = joined;
  if (own && !Object.keys(over).length) return;
  const side = (/** @type {"theirs" | "mine"} */ which) => {
    const titles = Object.entries(joined[which]).filter(([name]) => !own || name in over).map(([, words]) => words);
    return titles.length ? [element("dt", say(`outline.joined.${which}`)), ...titles.map((each) => element("dd", { dir: "auto" }, each))] : [];
  };
  const who = own ? say("outline.joined.own") : joined.by ? say("outline.joined.by", { by: joined.by }) : say("outline.joined.somebody");
  const text = say(own ? "outline.joined.over" : Object.keys(joined.mine).length ? "outline.joined.text" : "outline.joined.only");
  const back = () => {
    place.remove();
    replaceAll(putBack(desk.state, over));
    changed();
  };
  const place = element("div.notice", { id: "joined" },
    element("strong", who), element("p", text), element("dl", ...(own ? [] : side("theirs")), ...side("mine")),
    element("p.toolbar",
      ...(own ? [element("button.button.plain.small", { type: "button", onclick: back }, say("outline.joined.back")), " "] : []),
      element("button.button.plain.small", { type: "button", onclick: () => place.remove() }, say("outline.close"))));
  before.before(place);
  announce(`${who} ${text}`);
}

/** @param {string} name of what differs @param {DraftState} theirs @returns {string} */
function nameOf(name, theirs) {
  for (const state of [desk.state, theirs]) {
    const question = state.questions.findIndex(({ uid }) => uid === name);
    if (question >= 0) return `${say("editor.question", { n: question + 1 })}: ${Object.values(state.questions[question]?.["wording"] ?? {}).find(Boolean) ?? ""}`;
    const part = state.sections.findIndex(({ uid }) => uid === name);
    if (part >= 0) return say("editor.part", { n: part + 1 });
  }
  return say(`outline.field.${name}`);
}
