/** A wheel, small and flat: its bright side, and the dark one from the top clockwise, as the respondents' wheel has them. */

import { drawing } from "../../page/page.js";

/** @param {number} x of its middle @param {number} y @param {number} r @param {number} bright a share, under 1 @returns {SVGElement[]} */
export function disc(x, y, r, bright) {
  const angle = 2 * Math.PI * (1 - bright);
  const end = `${(x + r * Math.sin(angle)).toFixed(2)} ${(y - r * Math.cos(angle)).toFixed(2)}`;
  return [
    drawing("circle", { class: "bar bright", cx: x, cy: y, r }),
    drawing("path", { class: "bar dark", d: `M${x} ${y}V${y - r}A${r} ${r} 0 ${bright < 0.5 ? 1 : 0} 1 ${end}Z` }),
  ];
}
