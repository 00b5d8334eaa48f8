/** All boxes of a run: bars and a table, drawn only where somebody has them unfolded. */

import { element } from "../../page/page.js";
import { spinnerCoin } from "../../theory/response.js";
import { inPercent } from "../rounding.js";
import { tell } from "../drawing/renew.js";
import { showTable } from "../data_table.js";
import { number, percent, say } from "../words.js";
import { barsIn, impossible, people } from "./bars.js";

/** @typedef {import("./play.js").Box} Box */

const COLUMNS = ["box", "share", "original", "noisy", "estimated", "interval", "inside"];

/** Draws what it is given now, or once it is unfolded. @param {HTMLElement} place within a `details` */
export function allBoxes(place) {
  const drawn = element("div.trios");
  const table = element("div");
  const told = element("p.outcome", { role: "status" });
  const cost = element("p", { "data-value": "cost" });
  const outside = element("p", { "data-value": "outside" });
  place.append(told, cost, element("figure.bars-figure", element("figcaption", say("bars.caption")), drawn), outside, table);
  const drawBars = barsIn(drawn);
  const fold = place.closest("details");
  let draw = () => {};
  fold?.addEventListener("toggle", () => { if (fold.open) draw(); });

  /** @param {readonly string[]} names @param {() => readonly Box[]} play @param {{epsilon: number, respondents: number}} state */
  return (names, play, { epsilon, respondents }) => {
    draw = () => {
      const boxes = play();
      tell(told, say("told", { answers: number(respondents * boxes.length), respondents: number(respondents), boxes: number(boxes.length) }));
      tell(cost, say("cost", { epsilon: number(epsilon), boxes: number(boxes.length), question: number(epsilon * boxes.length, 2),
        percent: inPercent(spinnerCoin(epsilon)) }));
      drawBars(names, boxes);
      showTable(table, say("table.caption"), COLUMNS.map((key) => say(`table.${key}`)), boxes.map((box, index) => row(names[index] ?? "", box)));
      const beyond = names.filter((_, index) => impossible(boxes[index], respondents));
      tell(outside, beyond.length ? say("outside", { boxes: beyond.join(", "), respondents: number(respondents) }) : "");
    };
    if (fold?.open) draw();
  };
}

/** @param {string} name @param {Box} box */
const row = (name, box) => [name, percent(box.share), number(box.original), number(box.noisy), people(box.estimated),
  say("table.ends", { low: people(box.low), high: people(box.high) }), say(box.inside ? "table.yes" : "table.no")];
