/** What stands around the screens of the practice survey: in the language that is chosen, and what comes next. */

import { island } from "../page/page.js";
import { ringed } from "./ringed.js";

/** @type {NodeListOf<HTMLElement>} */
const said = document.querySelectorAll("[data-spoken]");
const main = document.getElementById("main");
const ways = /** @type {HTMLElement} */ (document.getElementById("practice-ways"));
const around = /** @type {HTMLElement} */ (document.getElementById("practice-crowd"));
const ENDS = ["sent", "cleared", "arrived", "ended", "refused"];
/** @type {Definition} */
const { questions: [asked] } = island("definition");
let tell = () => {};

function follow() {
  const screen = document.body.dataset["screen"] ?? "";
  for (const each of said) each.hidden = each.lang !== document.documentElement.lang;
  ways.hidden = !ENDS.includes(screen);
  if (!ways.hidden && !main?.contains(ways)) (main?.querySelector("header") ?? main)?.append(ways);
  tell();
  const report = main?.querySelector(`[data-of="${asked?.id}"]`)?.getAttribute("data-report");
  const channel = asked?.columns[0]?.weights;
  if (screen !== "sent" || !report || !channel) around.hidden = true;
  else if (around.hidden) {
    around.hidden = false;
    tell = ringed(around, channel, report === "1" ? 1 : 0);
  }
}

const watcher = new MutationObserver(follow);
watcher.observe(document.documentElement, { attributeFilter: ["lang"] });
watcher.observe(document.body, { attributeFilter: ["data-screen"] });
if (main) watcher.observe(main, { childList: true, subtree: true });
follow();
