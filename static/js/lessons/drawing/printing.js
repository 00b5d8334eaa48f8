/** On paper nothing can be unfolded: what is folded is opened before a lesson is printed, and folded again afterwards. */

/** @type {HTMLDetailsElement[]} */
let opened = [];

addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main")].flatMap((main) => [.../** @type {NodeListOf<HTMLDetailsElement>} */ (main.querySelectorAll("details:not([open])"))]);
  for (const each of opened) {
    each.open = true;
    each.dispatchEvent(new Event("toggle")); // the browser's own comes after the page is printed, and some pictures are drawn then
  }
});

addEventListener("afterprint", () => {
  for (const each of opened) each.open = false;
});
