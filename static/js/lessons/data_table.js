/** Tables of numbers, which scroll within themselves where they are too wide. */

import { element } from "../page/page.js";
import { renew } from "./drawing/renew.js";
import { scrolling } from "./drawing/scrolling.js";

/** What a table says; the first cell of every row names it, and numbers are written as they are. @typedef {[caption: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]]} Said */

/** @param {Said} said */
const table = (...[caption, head, rows]) => element("div.scroll", { role: "group", "aria-label": caption },
  element("table.data", element("caption", element("span", caption)),
    ...(head.some(Boolean) ? [element("thead", element("tr", ...head.map((words, index) => (words ? element(index ? "th.number" : "th", { scope: "col" }, words) : element("td")))))] : []),
    element("tbody", ...rows.map(([name = "", ...cells]) => element("tr",
      element("th", { scope: "row" }, String(name)), ...cells.map((cell) => element("td.number", String(cell))))))));

/** @param {Said} said */
export const dataTable = (...said) => scrolling(table(...said));

/** A table that is drawn again and again. @param {HTMLElement} place that holds nothing else @param {Said} said */
export function showTable(place, ...said) {
  const first = !place.hasChildNodes();
  renew(place, [table(...said)]);
  if (first) for (const node of place.children) scrolling(/** @type {HTMLElement} */ (node));
}
