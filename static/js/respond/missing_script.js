/** Where no screen can come, what the server wrote stands, and says that something has not arrived. */

import { code, direction, own } from "../page/page.js";

/** At once, and in the reader's language only. */
export function sayMissing() {
  document.documentElement.lang = code();
  document.documentElement.dir = direction(code());
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main > *"))) {
    const said = node.matches(".without-script");
    node.classList.remove("later");
    node.hidden = node.lang !== (said ? own() : code());
    if (said && !node.hidden) node.setAttribute("role", "alert");
  }
}
