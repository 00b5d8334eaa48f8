/** The picture of this lesson, small: one wheel with both answers on it, beside two that are darker. */

import { drawing } from "../../page/page.js";
import { disc } from "../drawing/flat_wheel.js";
import { brightOfEach, brightOfOne } from "./pair.js";

const EPSILON = 2;

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  ...disc(34, 40, 27, brightOfOne(EPSILON)),
  ...[21, 59].flatMap((y) => disc(93, y, 16, brightOfEach(EPSILON))),
  drawing("path", { class: "axis", d: "M68 14V66" }));
