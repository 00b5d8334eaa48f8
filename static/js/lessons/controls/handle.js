/** A point of a plot that can be moved: with the pointer, with a finger, with the keys of a slider. */

import { drawing } from "../../page/page.js";
import { set } from "../drawing/renew.js";

/** @typedef {{min: number, max: number, step: number}} Range what can be taken */

/** @type {Record<string, (value: number, range: Range) => number>} */
const KEYS = {
  ArrowRight: (value, { step }) => value + step,
  ArrowUp: (value, { step }) => value + step,
  ArrowLeft: (value, { step }) => value - step,
  ArrowDown: (value, { step }) => value - step,
  PageUp: (value, { step }) => value + 10 * step,
  PageDown: (value, { step }) => value - 10 * step,
  Home: (_value, { min }) => min,
  End: (_value, { max }) => max,
};

/**
 * Let the keys of a slider move a value.
 *
 * @param {HTMLElement | SVGElement} node what has the focus @param {() => {value: number, range: Range}} now
 * @param {(next: number) => void} move to a value that is not yet held within the range
 */
export function listenToKeys(node, now, move) {
  node.addEventListener("keydown", (/** @type {Event} */ event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const { value, range } = now();
    const next = KEYS[key]?.(value, range);
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  });
}

/** The nearest value that can be taken. @param {number} wanted @param {Range} range */
export function nearest(wanted, { min, max, step }) {
  const stepped = min + Math.round((wanted - min) / step) * step;
  return Number(Math.min(max, Math.max(min, stepped)).toPrecision(12));
}

/**
 * It is kept from one drawing to the next, so that it keeps the focus and the pointer while it moves.
 *
 * @param {() => {handle: Handle, sides: Sides, from: number, to: number, svg: SVGSVGElement}} now how it stands now; `from` and `to` are the ends of x
 */
export function handleNode(now) {
  const node = drawing("g", { class: "handle", tabindex: 0, role: "slider" },
    drawing("circle", { class: "reach", r: 22 }), drawing("circle", { class: "grip", r: 9 }));
  /** In a picture of values that are kept it stays where it is: a field would run ahead of it. @param {number} value */
  const move = (value) => {
    if (node.closest(".stale")) return;
    const { handle } = now();
    const next = nearest(value, handle);
    if (next !== handle.at[0]) handle.move(next);
  };
  listenToKeys(node, () => {
    const { handle } = now();
    return { value: handle.at[0], range: handle };
  }, move);
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    node.focus();
  });
  node.addEventListener("pointermove", (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    const { sides, from, to, svg } = now();
    const box = svg.getBoundingClientRect();
    const pixel = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    move(from + (to - from) * (pixel - sides.left) / (sides.right - sides.left));
  });
  return node;
}

/** Put it where it stands now. @param {SVGGElement} node @param {Handle} handle @param {Sides} sides */
export const place = (node, { label, at: [a, b], min, max, say }, { x, y }) => set(node, { transform: `translate(${x(a)} ${y(b)})`,
  "aria-label": label, "aria-valuemin": min, "aria-valuemax": max, "aria-valuenow": a, "aria-valuetext": say(a) });
