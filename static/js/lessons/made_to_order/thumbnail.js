/** The picture of this lesson, small: reports that name more and more of the days, and how likely each is. */

import { drawing } from "../../page/page.js";

const SETS = ["11000000", "01110000", "00111000", "00011100", "00001110", "00000011"];
const [LEFT, TOP, CELL, ROW] = [12, 8, 12, 11];

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" }, ...SETS.flatMap((days, row) => (
  [...days].map((named, day) => drawing("rect", { class: named === "1" ? "bar bright" : "area soft", x: LEFT + day * CELL, y: TOP + row * ROW, width: CELL - 2, height: ROW - 3 })))));
