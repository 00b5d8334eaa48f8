/** What stands around the screens of the practice survey: in the language that is chosen, and what comes next. */

/** @type {NodeListOf<HTMLElement>} */
const said = document.querySelectorAll("[data-spoken]");
const main = document.getElementById("main");
const ways = /** @type {HTMLElement} */ (document.getElementById("practice-ways"));
const ENDS = ["sent", "cleared", "arrived", "ended", "refused"];

function follow() {
  for (const each of said) each.hidden = each.lang !== document.documentElement.lang;
  ways.hidden = !ENDS.includes(document.body.dataset["screen"] ?? "");
  if (!ways.hidden && !main?.contains(ways)) (main?.querySelector("header") ?? main)?.append(ways);
}

const watcher = new MutationObserver(follow);
watcher.observe(document.documentElement, { attributeFilter: ["lang"] });
watcher.observe(document.body, { attributeFilter: ["data-screen"] });
follow();
