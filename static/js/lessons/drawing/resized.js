/** Pictures that are drawn in pixels, for the width that they have. */

/**
 * Tell the width of a node in whole pixels once it has one, and whenever it changes: also when what hides the node opens.
 *
 * @param {Element} node @param {(width: number) => void} lay
 */
export function resized(node, lay) {
  let width = 0;
  const take = (/** @type {number} */ now) => {
    const next = Math.floor(now);
    if (next === width) return;
    width = next;
    lay(width);
  };
  new ResizeObserver(([entry]) => take(entry?.contentRect.width ?? 0)).observe(node);
  addEventListener("beforeprint", () => { if (!width) take(node.clientWidth); }); // what was folded until now has no width yet
}
