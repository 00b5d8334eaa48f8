/** The picture of this lesson, small: steps on foot at right angles to each other, and the straight line. */

import { drawing } from "../../page/page.js";
import { rootSpiral } from "../../theory/distance.js";

const [STEPS, UNIT] = [40, 5.6];

export function thumbnail() {
  const places = rootSpiral(STEPS).map(([x, y]) => `${(60 + UNIT * x).toFixed(1)} ${(40 - UNIT * y).toFixed(1)}`);
  return drawing("svg", { viewBox: "0 0 120 80" },
    drawing("path", { class: "curve ink", d: `M${places.join("L")}` }),
    drawing("path", { class: "curve accent dash-1", d: `M${places[0]}L${places.at(-1)}` }));
}
