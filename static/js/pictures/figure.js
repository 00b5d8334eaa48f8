/** A picture of a survey: from where it was put once it had been loaded; until then, the words that stand for it. */

import { code, element, live, text, words } from "../page/page.js";

/** @type {Map<string, string>} SHA-256 -> where the picture is. */
const addresses = new Map();
/** @type {Map<string, (() => void)[]>} SHA-256 -> what shows the picture, and was shown before it was there. */
const shown = new Map();

/** @param {string} sha256 @param {string} address */
export function locate(sha256, address) {
  addresses.set(sha256, address);
  for (const show of shown.get(sha256) ?? []) show();
  shown.delete(sha256);
}

/** @param {string} sha256 */
export const isThere = (sha256) => addresses.has(sha256);

/** @param {PictureOf} picture @returns {HTMLElement} */
export function figure(picture) {
  const node = element("figure.picture");
  const show = () => {
    const address = addresses.get(picture.sha256);
    if (!address) return node.replaceChildren(element("figcaption", words("pictures.words"), " ", element("span", text(picture.alt))));
    const image = /** @type {HTMLImageElement} */ (element("img", { src: address, width: picture.width, height: picture.height }));
    live(() => { image.alt = picture.alt[code()] ?? ""; });
    return node.replaceChildren(image);
  };
  show();
  if (!isThere(picture.sha256)) shown.set(picture.sha256, [...shown.get(picture.sha256) ?? [], show]);
  return node;
}
