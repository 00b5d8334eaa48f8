/** The picture of this lesson, small: how far a record can move a belief, at two epsilons. */

import { drawing } from "../../page/page.js";
import { area, curve, line } from "../drawing/marks.js";
import { scale } from "../drawing/scale.js";
import { both } from "./bounds.js";

const END = { title: "", from: 0, to: 100 };
const SIDES = { left: 8, right: 112, top: 4, bottom: 76, x: scale(END, 8, 112), y: scale(END, 76, 4) };

export const thumbnail = () => {
  const [[low, high], [lower, higher]] = [both(Math.log(3)), both(3)];
  return drawing("svg", { viewBox: "0 0 120 80" }, ...[
    area([...high, ...low.toReversed()]), line([0, 0], [100, 100], "soft", 0),
    ...[low, high].map((points) => curve(points, "bright")), ...[lower, higher].map((points) => curve(points, "ink", 1)),
  ].flatMap((mark) => mark(SIDES)));
};
