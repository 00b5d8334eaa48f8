/** What the parts of the lesson on noise share. */

import { drawing, element } from "../../page/page.js";
import { drawWords } from "../random.js";
import { number, significant } from "../words.js";

const WHOLE = 1000;

/** A number with four digits that count, and all those before the point. @param {number} value */
export const figure = (value) => (value < WHOLE ? significant(value, 4) : number(value, 0));

/** Numbers strictly between 0 and 1, from the operating system. @param {number} count */
export const uniforms = (count) => Array.from(drawWords(count), (word) => (word + 0.5) / 2 ** 32);

/** Small see-through dots, one for each draw. @param {readonly XY[]} points @param {Look} look @param {string} [more] @returns {Mark} */
export const draws = (points, look, more = "") => ({ x, y, left, right }) => points.filter(([a]) => x(a) >= left && x(a) <= right)
  .map(([a, b]) => drawing("circle", { class: `noise-draw ${look} ${more}`, cx: x(a), cy: y(b), r: 4 }));

/** Words in which e^ε is raised. @param {string} words @returns {(Node | string)[]} */
export const raised = (words) => words.split("^ε").flatMap((part, index) => (index ? [element("sup", "ε"), part] : [part]));
