/** Draws what the server has written as nodes: no markup passes through a string. */

import { element } from "../page/page.js";

/** @param {Tree} tree @returns {(string | Element)[]} */
export const drawn = (tree) => tree.map((node) => (typeof node === "string" ? node : element(/** @type {"p"} */ (node[0]), node[1], ...drawn(node[2]))));
