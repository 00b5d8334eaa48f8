/** Draw again, and touch only what is different: for what stands, the browser has nothing to style, to lay out or to paint. */

/** What each place was last asked to hold: what stands there may have been changed since. @type {WeakMap<Element, DocumentFragment>} */
const asked = new WeakMap();

/**
 * As `replaceChildren`, but nodes that stand are kept, and changed where they have to be. They get copies: no listeners.
 *
 * @param {Element} place that nothing else adds to @param {readonly (Node | string)[]} children what it shall hold
 */
export function renew(place, children) {
  const wanted = document.createDocumentFragment();
  wanted.append(...children);
  changeChildren(place, asked.get(place) ?? document.createDocumentFragment(), wanted);
  asked.set(place, wanted);
}

/** @param {Element} node @param {Record<string, string | number>} attributes */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/** @param {Element} node @param {string} words */
export function tell(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** @param {Node} node @param {Node} before what it was asked to hold @param {Node} wanted */
function changeChildren(node, before, wanted) {
  wanted.childNodes.forEach((child, index) => {
    const [stands, was] = [node.childNodes[index], before.childNodes[index]];
    if (was?.isEqualNode(child)) return;
    if (!stands || !was) node.appendChild(child.cloneNode(true));
    else if (was.nodeName !== child.nodeName) stands.replaceWith(child.cloneNode(true));
    else if (child instanceof Element) change(/** @type {Element} */ (stands), /** @type {Element} */ (was), child);
    else stands.nodeValue = child.nodeValue;
  });
  while (node.childNodes.length > wanted.childNodes.length) node.lastChild?.remove();
}

/** @param {Element} node @param {Element} before @param {Element} wanted */
function change(node, before, wanted) {
  for (const { name } of before.attributes) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes) set(node, { [name]: value });
  changeChildren(node, before, wanted);
}
