/** The picture of this lesson, small: the total with somebody and without, and the noise on both. */

import { drawing } from "../../page/page.js";
import { laplaceDensity } from "../../theory/noise.js";

const [LEFT, RIGHT, FLOOR, HEIGHT] = [8, 112, 68, 52];
const [SCALE, CENTRES] = [11, /** @type {const} */ ([["dark", 52], ["bright", 68]])];

/** @param {number} centre */
const path = (centre) => Array.from({ length: RIGHT - LEFT + 1 }, (_, index) => LEFT + index)
  .map((x) => `${x} ${(FLOOR - HEIGHT * laplaceDensity(x - centre, SCALE) / laplaceDensity(0, SCALE)).toFixed(1)}`).join("L");

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  ...CENTRES.map(([look, centre]) => drawing("path", { class: `area ${look}`, d: `M${LEFT} ${FLOOR}L${path(centre)}L${RIGHT} ${FLOOR}Z` })),
  ...CENTRES.map(([look, centre]) => drawing("path", { class: `curve ${look}`, d: `M${path(centre)}` })),
  drawing("path", { class: "axis", d: `M${LEFT} ${FLOOR}H${RIGHT}` }));
