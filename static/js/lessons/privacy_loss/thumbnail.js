/** The picture of this lesson, small: what of the losses above epsilon counts as delta, within what the careless reading claims. */

import { drawing } from "../../page/page.js";
import { MECHANISMS } from "./mechanisms.js";
import { sorted } from "./sorted_losses.js";

const [EPSILON, SIGMA] = [0.6, 0.8];
const [x, y] = [(/** @type {number} */ share) => 10 + 100 * share, (/** @type {number} */ share) => 70 - 58 * share];

export function thumbnail() {
  const gaussian = /** @type {import("./mechanisms.js").Mechanism} */ (MECHANISMS["gaussian"]);
  const points = sorted(gaussian, SIGMA, EPSILON, 40).map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("L");
  const tail = x(gaussian.exceeds(EPSILON, SIGMA));
  return drawing("svg", { viewBox: "0 0 120 80" },
    drawing("path", { class: "area bright", d: `M${x(0)} ${y(0)}L${points}Z` }),
    drawing("path", { class: "curve bright", d: `M${points}H${x(1)}` }),
    drawing("path", { class: "curve accent dash-1", d: `M${x(0)} ${y(0)}V${y(1)}H${tail}V${y(0)}` }));
}
