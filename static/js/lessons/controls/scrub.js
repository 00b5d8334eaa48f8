/** A number inside a sentence that can be changed where it stands: by dragging it, or with the keys of a slider. */

import { element } from "../../page/page.js";
import { listenToKeys, nearest } from "./handle.js";
import { tell } from "../drawing/renew.js";

const PIXELS = 6; // that the pointer moves for one step

/**
 * @param {{label: string, min: number, max: number, step: number, value: number, say: (value: number) => string}} setting
 * @param {(value: number) => void} changed after a change made here
 * @returns {{node: HTMLElement, set(value: number): void}} `set` is for a change made elsewhere
 */
export function scrub(setting, changed) {
  const { label, min, max, say } = setting;
  let { value } = setting;
  const node = element("span.scrub", { tabindex: 0, role: "slider", "aria-label": label, "aria-valuemin": min, "aria-valuemax": max });

  /** @param {number} next */
  function set(next) {
    value = next;
    const words = say(value);
    tell(node, words);
    node.setAttribute("aria-valuenow", String(value));
    node.setAttribute("aria-valuetext", words);
  }

  /** @param {number} next */
  function move(next) {
    const there = nearest(next, setting);
    if (there === value || node.closest(".stale")) return;
    set(there);
    changed(there);
  }

  let [from, start] = [0, 0];
  listenToKeys(node, () => ({ value, range: setting }), move);
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    node.focus();
    event.preventDefault(); // no text is selected
    [from, start] = [event.clientX, value];
  });
  node.addEventListener("pointermove", (event) => {
    if (node.hasPointerCapture(event.pointerId)) move(start + Math.round((event.clientX - from) / PIXELS) * setting.step);
  });
  set(value);
  return { node, set };
}
