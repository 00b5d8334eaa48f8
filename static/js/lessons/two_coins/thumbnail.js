/** The picture of this lesson, small: people sorted by what is recorded, and the band of the estimate. */

import { drawing } from "../../page/page.js";
import { places, room } from "../drawing/people.js";
import { deviation } from "./survey.js";

const [PEOPLE, RECORDED] = [50, 21]; // as Yes

export const thumbnail = () => {
  const { rows, columns } = room(PEOPLE);
  const step = 112 / columns;
  const [estimate, reach] = [2 * RECORDED - PEOPLE / 2, 2 * deviation(PEOPLE)];
  const top = 40 - step * rows / 2;
  const sides = Array.from({ length: PEOPLE }, (_, dot) => /** @type {0 | 1} */ (dot < RECORDED ? 1 : 0));
  return drawing("svg", { viewBox: "0 0 120 80" },
    drawing("rect", { class: "band", x: 4 + step * Math.max(0, estimate - reach) / rows, y: top - 8, width: step * 2 * reach / rows, height: step * rows + 16 }),
    ...places(sides, PEOPLE).map(([x, y], dot) => drawing("circle", { class: `point ${sides[dot] ? "bright" : "dark"}`, cx: 4 + step * x, cy: top + step * y, r: 0.4 * step })));
};
