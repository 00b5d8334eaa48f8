/** Elements without markup in strings: the page allows no other way. */

/** @type {MakeElement} */
export function element(name, first = {}, ...rest) {
  const [tag = "", ...classes] = name.split(".");
  const node = /** @type {any} */ (document.createElement(tag));
  if (classes.length) node.className = classes.join(" ");
  const plain = typeof first === "object" && !(first instanceof Node);
  if (plain) assign(node, first);
  for (const child of plain ? rest : [/** @type {Child} */ (first), ...rest]) {
    if (typeof child === "function") child(node);
    else node.append(child);
  }
  return node;
}

/** @type {MakeDrawing} */
export function drawing(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  assign(node, attributes);
  node.append(...children);
  return node;
}

/** @type {Assign} */
function assign(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
}
