/** What every picture of chance has: its device, a key in words, and an end that comes after the same time whatever came out. */

import { element } from "../page/element.js";
import { filler, hundredths } from "../page/language.js";

/** Milliseconds: the wheel or the first coin, then the second coin or the glow of the bright side. */
export const FIRST = 2900;
export const SECOND = 1400;

/** The caption says in words all that the drawing shows. @type {Stage} */
export function stage(name, nodes, key, start) {
  const node = element("figure.wheel-figure",
    element(`div.device.${name}`, { "aria-hidden": true }, ...nodes),
    ...(key.length ? [element("figcaption.key", ...key.map(([share, said], dark) => element(dark ? "p.dark" : "p.bright",
      element("b", filler(() => percent(share))), element("span", said))))] : []));
  /** @type {Animation[]} */
  let running = [];
  const skip = () => running.forEach((animation) => animation.finish());
  return {
    node,
    skip,
    async show(picture) {
      // The last one only waits: it makes every spin last the same, and costs nothing meanwhile.
      running = [...start(picture), node.animate([], { delay: FIRST + SECOND })];
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) skip();
      await Promise.all(running.map((animation) => animation.finished));
      // Not before: what follows from it could be seen while the wheel still turns.
      node.classList.add("still", picture.kept ? "kept" : "chance");
    },
  };
}

/** @param {number} share */
export const percent = (share) => `${hundredths(share)}%`;

/** The last position is set at once; the animation only leads up to it. @type {Lead} */
export function lead(node, frames, timing) {
  node.style.transform = String(frames.at(-1)?.["transform"]);
  return node.animate(frames, { ...timing, fill: "backwards" });
}
