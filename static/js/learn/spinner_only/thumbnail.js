/** The picture of this lesson, small. */

import { drawing } from "../../page/page.js";

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  drawing("path", { class: "curve ink", d: "M10 70C50 70 60 10 110 10" }));
