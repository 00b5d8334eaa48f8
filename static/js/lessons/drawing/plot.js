/** A plot: axes with few numbers, marks with their words beside them, points to move, and the same as a table. */

import { drawing, element } from "../../page/page.js";
import { handleNode, place } from "../controls/handle.js";
import { words as room } from "./line_labels.js";
import { renew, set, tell } from "./renew.js";
import { resized } from "./resized.js";
import { scale, ticks } from "./scale.js";
import { showTable } from "../data_table.js";
import { number, say } from "../words.js";

const TOP = 34; // the title of y stands above it, where it can be read without turning the head
const BOTTOM = 48;
const RIGHT = 16;
const CHARACTER = 8; // pixels, of the numbers at y
const ASIDE = 13; // pixels from them to the plot: a point that is moved to its end covers no number
const TICK_ROOM = { x: 56, y: 42 }; // pixels for each number

/**
 * @param {string} caption what the figure shows, and how to read it
 * @param {number} [shape] height in widths, between 240 and 420 pixels
 * @param {PlotWords} [words] @returns {Plot}
 */
export function plot(caption, shape = 0.62, { tableCaption, hint } = {}) {
  const frame = drawing("g");
  const handles = drawing("g");
  const svg = drawing("svg", { class: "plot" }, frame, handles);
  const table = element("div");
  const folded = element("details.plot-table", { ontoggle: () => tabulate() }, element("summary", say("plot.table")), table);
  const words = element("figcaption", caption);
  const node = element("figure.plot-figure", words, ...(hint ? [element("p.hint.plot-hint", hint)] : []), element("div.plot-space", svg), folded);
  /** @type {PlotPicture | undefined} */
  let picture;
  let width = 0;

  function lay() {
    if (!picture || !width) return;
    const height = Math.round(Math.min(420, Math.max(240, width * shape)));
    const { x, y, marks } = picture;
    const sides = sidesOf(picture, width, height);
    set(svg, { viewBox: `0 0 ${width} ${height}`, role: picture.handles?.length ? "group" : "img", "aria-label": picture.name });
    renew(frame, [...acrossAxis(x, sides), ...upAxis(y, sides), ...marks.flatMap((mark) => mark(sides))]);
    keepInside(frame, width);
    placeHandles(picture, sides);
  }

  /** @param {PlotPicture} now @param {Sides} sides */
  function placeHandles({ handles: wanted = [], x }, sides) {
    wanted.forEach((handle, index) => {
      if (!handles.children[index]) {
        handles.append(handleNode(() => ({
          handle: /** @type {Handle} */ (picture?.handles?.[index]), sides: sidesNow(), from: x.from, to: x.to, svg })));
      }
      place(/** @type {SVGGElement} */ (handles.children[index]), handle, sides);
    });
    while (handles.children.length > wanted.length) handles.lastElementChild?.remove();
  }

  const sidesNow = () => sidesOf(/** @type {PlotPicture} */ (picture), svg.viewBox.baseVal.width, svg.viewBox.baseVal.height);

  /** A slider should not wait for a table that nobody sees. */
  function tabulate() {
    if (!picture?.table || !folded.open) return;
    const { caption: own = tableCaption ?? picture.caption ?? caption, head, rows } = picture.table();
    showTable(table, own, head, rows);
  }

  resized(/** @type {Element} */ (svg.parentElement), (next) => {
    width = next;
    lay();
  });

  return {
    node,
    draw(next) {
      picture = next;
      tell(words, next.caption ?? caption);
      lay();
      folded.hidden = !next.table;
      tabulate();
    },
  };
}

/** How the numbers of an axis are written. @param {Axis} axis */
const tickFormat = (axis) => axis.format ?? ((/** @type {number} */ value) => number(value, 6));

/** @param {Axis} axis @param {number} room in pixels */
const upTicks = (axis, room) => ticks(axis, Math.max(2, Math.floor(room / TICK_ROOM.y)));

/** @param {PlotPicture} picture @param {number} width @param {number} height @returns {Sides} */
function sidesOf({ x, y }, width, height) {
  const bottom = height - BOTTOM;
  const longest = Math.max(...upTicks(y, bottom - TOP).map((value) => tickFormat(y)(value).length));
  const left = ASIDE + 2 + CHARACTER * longest;
  const right = width - RIGHT;
  return { left, right, top: TOP, bottom, x: scale(x, left, right), y: scale(y, bottom, TOP) };
}

/** @param {Axis} axis @param {Sides} sides */
function acrossAxis(axis, { x, left, right, bottom }) {
  const places = ticks(axis, Math.max(2, Math.floor((right - left) / TICK_ROOM.x)));
  return [
    drawing("path", { class: "axis", d: `M${left} ${bottom}H${right}${places.map((value) => `M${x(value)} ${bottom}v5`).join("")}` }),
    ...places.map((value) => text("tick", x(value), bottom + 20, "middle", tickFormat(axis)(value))),
    text("axis-title", right, bottom + 40, "end", axis.title),
  ];
}

/** @param {Axis} axis @param {Sides} sides */
function upAxis(axis, { y, left, right, top, bottom }) {
  const places = upTicks(axis, bottom - top);
  return [
    drawing("path", { class: "grid", d: places.map((value) => `M${left} ${y(value)}H${right}`).join("") }),
    ...places.map((value) => text("tick", left - ASIDE, y(value) + 4, "end", tickFormat(axis)(value))),
    text("axis-title", 0, 14, "start", axis.title),
  ];
}

/** @param {string} name @param {number} x @param {number} y @param {string} anchor @param {string} words */
const text = (name, x, y, anchor, words) => drawing("text", { class: name, x, y, "text-anchor": anchor }, document.createTextNode(words));

/**
 * Words that would stick out are moved in. Few can, and only those are measured: all at once, so that the page is laid out once.
 *
 * @param {SVGGElement} frame @param {number} width
 */
function keepInside(frame, width) {
  const near = [...frame.querySelectorAll("text")].filter((node) => {
    const { x, width: wide } = room(node.textContent ?? "", Number(node.getAttribute("x")), 0, node.getAttribute("text-anchor") ?? "start");
    return x < 0 || x + wide > width || node.hasAttribute("dx");
  });
  const all = near.map((node) => ({ node, box: node.getBBox(), moved: Number(node.getAttribute("dx")) }));
  for (const { node, box, moved } of all) {
    const left = box.x - moved;
    const out = Number((Math.min(0, left) + Math.max(0, left + box.width - width)).toFixed(2));
    if (out !== -moved) node.setAttribute("dx", String(-out));
  }
}
