/** The picture of this lesson, small: the nearer an option is to the answer, the likelier it comes out. */

import { drawing } from "../../page/page.js";
import { exponentialChances, tightScale } from "../../theory/exponential.js";

const [OPTIONS, ANSWER, EPSILON] = [5, 1, 3];
const [LEFT, ROOM, WIDE, FLOOR, HEIGHT] = [10, 20.5, 15, 68, 120];

export const thumbnail = () => {
  const row = exponentialChances(OPTIONS, tightScale(OPTIONS, EPSILON))[ANSWER] ?? [];
  return drawing("svg", { viewBox: "0 0 120 80" },
    ...row.map((chance, option) => drawing("rect", { class: `bar ${option === ANSWER ? "bright" : "dark"}`,
      x: LEFT + option * ROOM, y: FLOOR - HEIGHT * chance, width: WIDE, height: HEIGHT * chance })),
    drawing("path", { class: "axis", d: `M6 ${FLOOR}H114` }));
};
