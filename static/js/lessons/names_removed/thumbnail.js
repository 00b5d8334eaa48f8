/** The picture of this lesson, small: two tables, and the lines that fit one person. */

import { drawing } from "../../page/page.js";
import { fitting, LIST, PATIENTS } from "./people.js";

const [TOP, EACH, HIGH] = [8, 7.2, 5];

/** @param {number} line */
const y = (line) => TOP + EACH * line;

export const thumbnail = () => {
  const person = /** @type {import("./people.js").Listed} */ (LIST[0]);
  const fits = new Set(fitting("coarse", person));
  return drawing("svg", { viewBox: "0 0 120 80" },
    ...PATIENTS.map((_, line) => drawing("rect", { class: `area ${fits.has(line) ? "bright" : "soft"}`, x: 6, y: y(line), width: 38, height: HIGH })),
    ...LIST.map((_, line) => drawing("rect", { class: `area ${line ? "soft" : "accent"}`, x: 76, y: y(line), width: 38, height: HIGH })),
    ...[...fits].map((line) => drawing("path", { class: "curve accent", d: `M76 ${y(0) + HIGH / 2}C60 ${y(0) + HIGH / 2} 60 ${y(line) + HIGH / 2} 44 ${y(line) + HIGH / 2}` })));
};
