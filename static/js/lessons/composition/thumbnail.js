/** The picture of this lesson, small: a walk between the lines that none crosses. */

import { drawing } from "../../page/page.js";
import { steps } from "./steps.js";

const REPORTS = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1];
const [LEFT, MIDDLE, ACROSS, UP] = [10, 40, 10, 3.4];

export const thumbnail = () => {
  const walked = steps(REPORTS, 1).map(([x, y]) => [LEFT + ACROSS * x, MIDDLE - UP * y]);
  const [right, reach] = [LEFT + ACROSS * REPORTS.length, UP * REPORTS.length];
  return drawing("svg", { viewBox: "0 0 120 80" },
    drawing("path", { class: "curve soft dash-2", d: `M${LEFT} ${MIDDLE}L${right} ${MIDDLE - reach}M${LEFT} ${MIDDLE}L${right} ${MIDDLE + reach}` }),
    drawing("path", { class: "curve ink", d: `M${walked.map((at) => at.join(" ")).join("L")}` }),
    ...walked.slice(1).map(([cx, cy], index) => drawing("circle", { class: `point ${REPORTS[index] ? "bright" : "dark"}`, cx, cy, r: 3 })));
};
