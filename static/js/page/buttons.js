/** Buttons, and the line that they stand on. */

import { element } from "./element.js";
import { words } from "./language.js";

/** @param {Node[]} buttons */
export const actions = (...buttons) => element("div.toolbar", ...buttons);

/** @type {Button} */
export const button = (key, action, onclick, look = "") => element(
  `button.button${look}`, { type: "button", "data-action": action, onclick }, words(key));
