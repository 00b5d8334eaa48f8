/** The picture of this lesson, small: three estimates of one share, and how far each is off. */

import { drawing } from "../../page/page.js";
import { error, MODELS } from "./errors.js";

const [PEOPLE, EPSILON, SHARE] = [400, 0.6, 0.5];

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  ...MODELS.flatMap((model, row) => {
    const [y, reach] = [16 + 24 * row, 100 * 2 * error(model, SHARE, EPSILON, PEOPLE)];
    return [
      drawing("path", { class: "curve ink", d: `M${60 - reach} ${y}h${2 * reach}M${60 - reach} ${y - 4}v8M${60 + reach} ${y - 4}v8` }),
      drawing("circle", { class: "point bright", cx: 60, cy: y, r: 5 })];
  }));
