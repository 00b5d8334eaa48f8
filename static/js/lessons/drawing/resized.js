/** Pictures that are drawn in pixels, for the width that they have. */

/**
 * Tell the width of a node in whole pixels once it has one, and whenever it changes: also when what hides the node opens.
 *
 * @param {Element} node @param {(width: number) => void} lay
 */
export function resized(node, lay) {
  let width = 0;
  new ResizeObserver(([entry]) => {
    const next = Math.floor(entry?.contentRect.width ?? 0);
    if (next === width) return;
    width = next;
    lay(width);
  }).observe(node);
}
