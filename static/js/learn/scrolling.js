/** What is too wide scrolls within itself and can be reached with Tab; what fits is not in the way of somebody who tabs. */

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) /** @type {HTMLElement} */ (target).tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});

/** @param {HTMLElement} node with a name of its own */
export function scrolling(node) {
  observer.observe(node);
  return node;
}

for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".formula, .scroll"))) scrolling(node);
