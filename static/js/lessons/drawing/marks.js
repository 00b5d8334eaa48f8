/** What can stand in a plot. Every function gives a mark; where it stands is said in the units of the axes. */

import { drawing } from "../../page/page.js";

/** @param {readonly XY[]} points @param {Sides} sides only what can be placed; a gap where a number is not finite */
function path(points, { x, y }) {
  let pen = "M";
  return points.map(([a, b]) => {
    const place = [x(a), y(b)];
    if (!place.every(Number.isFinite)) {
      pen = "M";
      return "";
    }
    const step = `${pen}${place.map((coordinate) => Math.round(10 * coordinate) / 10).join(" ")}`;
    pen = "L";
    return step;
  }).join("");
}

/** A line through points; `dash` 0 to 3 tells lines of one plot apart without colour. @param {readonly XY[]} points @param {Look} [look] @param {number} [dash] @returns {Mark} */
export const curve = (points, look = "ink", dash = 0) => (sides) => [
  drawing("path", { class: `curve ${look} dash-${dash}`, d: path(points, sides) })];

/** What lies between a line and a height. @param {readonly XY[]} points @param {Look} [look] @param {number} [base] @returns {Mark} */
export const area = (points, look = "bright", base = 0) => (sides) => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  return [drawing("path", { class: `area ${look}`, d: `${path([[first[0], base], ...points, [last[0], base]], sides)}Z` })];
};

/** The former line, faint, so that a change is seen. @param {readonly XY[]} points @returns {Mark} */
export const ghost = (points) => (sides) => [drawing("path", { class: "curve ghost", d: path(points, sides) })];

/** What lies between two lines, such as two standard errors about what is expected. @param {readonly (readonly [x: number, low: number, high: number])[]} points @returns {Mark} */
export const band = (points) => (sides) => {
  const edge = [...points.map(([x, low]) => /** @type {XY} */ ([x, low])), ...points.map(([x, , high]) => /** @type {XY} */ ([x, high])).reverse()];
  return points.length ? [drawing("path", { class: "band", d: `${path(edge, sides)}Z` })] : [];
};

/**
 * A bar that stands on 0 or hangs from it, with its interval. `width` is in the units of x.
 *
 * @param {{x: number, y: number, width: number, look?: Look, low?: number, high?: number}} bar @returns {Mark}
 */
export const bar = ({ x, y, width, look = "bright", low, high }) => (sides) => {
  const [left, right] = [sides.x(x - width / 2), sides.x(x + width / 2)];
  const [top, bottom] = [sides.y(Math.max(0, y)), sides.y(Math.min(0, y))];
  const box = drawing("rect", { class: `bar ${look}`, x: left, y: top, width: right - left, height: Math.max(0, bottom - top) });
  return low === undefined || high === undefined ? [box] : [box, ...whisker(x, low, high)(sides)];
};

/** An interval, upright. @param {number} x @param {number} low @param {number} high @returns {Mark} */
export const whisker = (x, low, high) => (sides) => {
  const [middle, from, to] = [sides.x(x), sides.y(low), sides.y(high)];
  return [drawing("path", { class: "whisker", d: `M${middle} ${from}V${to}M${middle - 4} ${from}h8M${middle - 4} ${to}h8` })];
};

/** @param {XY} at @param {Look} [look] @returns {Mark} */
export const dot = ([a, b], look = "bright") => ({ x, y }) => [drawing("circle", { class: `point ${look}`, cx: x(a), cy: y(b), r: 5 })];

/** A straight line between two points. @param {XY} from @param {XY} to @param {Look} [look] @param {number} [dash] @returns {Mark} */
export const line = (from, to, look = "soft", dash = 1) => curve([from, to], look, dash);

/** Words at a mark, instead of a legend. They are kept inside the figure. @param {PlotLabel} label @returns {Mark} */
export const label = ({ text, at: [a, b], dx = 0, dy = 0, anchor = "start" }) => ({ x, y }) => [
  drawing("text", { class: "plot-label", x: x(a) + dx, y: y(b) + dy, "text-anchor": anchor }, document.createTextNode(text))];
