/** The picture of this lesson, small: two wheels that do the same, with a coin and without. */

import { drawing } from "../../page/page.js";
import { spinner, spinnerCoin } from "../../theory/response.js";
import { disc } from "../drawing/flat_wheel.js";

const EPSILON = 1;

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  ...disc(32, 36, 24, spinnerCoin(EPSILON)), drawing("circle", { class: "point dark", cx: 52, cy: 58, r: 9 }),
  ...disc(88, 36, 24, spinner(EPSILON)));
