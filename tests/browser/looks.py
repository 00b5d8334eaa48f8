"""Of all texts that look the same, axe looks at one: two thirds of its work are the contrasts of each.

Whether words can be read on their ground follows from their colours, their size and weight, and from all that
lies around and behind them. Words that are placed over others are looked at one by one, and so are fields.
"""

from __future__ import annotations

MARK = """
const PLAIN = { backgroundColor: "rgba(0, 0, 0, 0)", backgroundImage: "none", filter: "none", opacity: "1",
  textShadow: "none", transform: "none" };
const MARK = "data-look";
const OUT_OF_PLACE = ["absolute", "fixed", "sticky"];

function unmark() {
  for (const node of document.querySelectorAll(`[${MARK}]`)) node.removeAttribute(MARK);
}

/** Mark one element of each look that has words, and every field. */
function mark() {
  const grounds = new Map([[null, ""]]);
  const ground = (node) => {
    if (!grounds.has(node)) {
      const style = getComputedStyle(node);
      const own = Object.keys(PLAIN).filter((name) => style[name] !== PLAIN[name]).map((name) => style[name]);
      if (OUT_OF_PLACE.includes(style.position)) own.push(`place ${grounds.size}`);
      grounds.set(node, [ground(node.parentElement), ...own].join(" "));
    }
    return grounds.get(node);
  };
  const exempt = (node) => {
    const { control } = node.closest("label") ?? {};
    return Boolean(node.closest(":disabled, [aria-disabled=true], [inert]")) || Boolean(control?.disabled);
  };
  const looks = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim()) continue;
    if (node.textContent.trim().length < 2) continue; // axe lets one sign pass
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { width, height } = node.getBoundingClientRect();
    if (width * height < 2) continue; // for screen readers
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const placed = ground(node);
    const look = [color, fontSize, fontWeight, node.id, exempt(node), placed].join(" on ");
    if (placed.includes("place ") || !looks.has(look)) node.setAttribute(MARK, "");
    looks.add(look);
  }
  for (const field of document.querySelectorAll("input, select, textarea")) field.setAttribute(MARK, "");
  axe.configure({ rules: [{ id: "color-contrast", selector: `[${MARK}]` }] });
}
"""
