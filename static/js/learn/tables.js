/** Tables of numbers, which scroll within themselves where they are too wide. */

import { element } from "../page/page.js";
import { scrolling } from "./scrolling.js";

/**
 * The first cell of every row names it.
 *
 * @param {string} caption @param {readonly string[]} head @param {readonly (readonly (string | number)[])[]} rows numbers are written as they are
 */
export function dataTable(caption, head, rows) {
  return scrolling(element("div.scroll", { tabindex: 0, role: "group", "aria-label": caption },
    element("table.data", element("caption", element("span", caption)),
      element("thead", element("tr", ...head.map((words, index) => element(index ? "th.number" : "th", { scope: "col" }, words)))),
      element("tbody", ...rows.map(([name = "", ...cells]) => element("tr",
        element("th", { scope: "row" }, String(name)), ...cells.map((cell) => element("td.number", String(cell)))))))));
}
