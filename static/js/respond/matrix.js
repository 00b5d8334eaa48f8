/** Questions on one scale, read as one group. Each is drawn by itself: nothing but the look is shared. */

import { element, filler, text, words } from "../page/page.js";
import { atOnce, heading, one } from "./question.js";
import { totalFigure } from "./definition.js";

/** Name of a group -> what stands above it; the first of its questions has it. @type {Map<string, Texts>} */
const stems = new Map();

/** More options than these stand one below the other on any screen. */
const MOST_BESIDE = 7;

/** @param {Kind} kind @param {Question} question @returns {Kind} */
export function dressed(kind, { matrix = "", matrix_wording }) {
  if (matrix_wording) stems.set(matrix, matrix_wording);
  const stem = stems.get(matrix) ?? {};
  return {
    ...kind,
    dress(question, part) {
      kind.dress?.(question, part);
      part("wording").before(element("p.stem", text(stem)));
    },
    screen: (page, first) => screen(page, first, stem),
  };
}

/** @param {Page} page @param {Question} first @param {Texts} stem */
function screen(page, first, stem) {
  const { asked, session } = page;
  const items = asked.filter(({ matrix, columns }) => matrix === first.matrix
    && columns.some(({ name }) => !(name in session.kept.reports)));
  const all = items.map((item) => one(page, item));
  const [{ device, odds, controls }] = /** @type {[ReturnType<typeof one>]} */ (all);
  for (const { node, part } of all) {
    node.querySelector(".stem")?.remove();
    part("progress").remove();
    part("device").remove();
  }
  const place = asked.indexOf(first);
  const node = element(`section.matrix${controls.inputs.length > MOST_BESIDE ? "" : ".beside"}`,
    element("header",
      element("p.eyebrow", words("matrix.progress", () => ({ n: place + 1, last: place + items.length, total: asked.length }))),
      element("h1", { tabindex: -1, id: "wording" }, text(stem)),
      element("p.hint", words("matrix.each"))),
    ...all.map((each) => each.node),
    element("div.chance",
      element("details.odds", element("summary", words("all.device")), device.node), odds, totalFigure(page)));
  return atOnce(page, items, all, node, (devices) => recorded(page, items, devices));
}

/** What is recorded of each, and the devices as they stand. @param {Page} page @param {Question[]} items @param {Device[]} devices */
const recorded = ({ kinds, session }, items, devices) => element("section.result",
  element("header", heading("matrix.recorded")),
  element("div.devices", ...devices.map(({ node }) => element("div.stopped", node))),
  element("dl.facts.recorded-values", ...items.flatMap((item) => [
    element("dt", text(item.wording)),
    ...item.columns.map(({ name }, index) => element("dd", filler(() => kinds.get(item)?.recorded(item, index, session.kept.reports[name] ?? 0) ?? ""))),
  ])),
  element("p.how", { id: "how" }, element("span", words("matrix.how")), " ", element("span.quiet", words("result.intended"))));
