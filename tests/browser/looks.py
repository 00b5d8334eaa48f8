"""Of all texts that look the same, axe judges the contrast of one: no other check takes it as long.

Whether words can be read on their ground follows from their colours, their size and weight, and from all that
lies around and behind them. Words that may lie over others, or under them, are judged one by one, and so are
fields.
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

/** Whether something that the style alone adds may lie over a node. */
function isCovered(node) {
  return ["::before", "::after"].some((part) => {
    const { content, position } = getComputedStyle(node, part);
    return content !== "none" && OUT_OF_PLACE.includes(position);
  });
}

/** Mark one element of each look that has words, and every field. */
function mark() {
  const grounds = new Map([[null, ""]]);
  const ground = (node) => {
    if (!grounds.has(node)) {
      const style = getComputedStyle(node);
      const own = Object.keys(PLAIN).filter((name) => style[name] !== PLAIN[name]).map((name) => style[name]);
      if (OUT_OF_PLACE.includes(style.position) || isCovered(node)) own.push(`place ${grounds.size}`);
      grounds.set(node, [ground(node.parentElement), ...own].join(" "));
    }
    return grounds.get(node);
  };
  const exempt = (node) => {
    const { control } = node.closest("label") ?? {};
    return Boolean(node.closest(":disabled, [aria-disabled=true], [inert]")) || Boolean(control?.disabled);
  };
  const boxOf = (node) => (getComputedStyle(node).display === "contents" ? boxOf(node.parentElement) : node);
  const [looks, words] = [new Set(), document.createRange()];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim()) continue;
    if (node.textContent.trim().length < 2) continue; // axe lets one sign pass
    if (!boxOf(node).checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    words.selectNode(walker.currentNode);
    const { width, height } = words.getBoundingClientRect();
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
