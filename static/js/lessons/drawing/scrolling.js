/** What is too wide scrolls within itself and can be reached with Tab; what fits is not in the way of somebody who tabs. */

const SCROLLING = ".formula, .scroll";
const observer = new ResizeObserver((entries) => {
  for (const node of new Set(entries.map(({ target }) => /** @type {HTMLElement} */ (target.closest(SCROLLING))))) {
    node.tabIndex = node.scrollWidth > node.clientWidth ? 0 : -1;
  }
});

/** It may become narrower, and what stands in it wider. @param {HTMLElement} node with a name of its own */
export function scrolling(node) {
  for (const each of [node, ...node.children]) observer.observe(each);
  return node;
}

for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(SCROLLING))) scrolling(node);
