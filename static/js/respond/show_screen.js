/** One screen in place of another, in a document that never navigates. */

import { code, direction, forget, live, own } from "../page/page.js";
import { header } from "./header.js";
import { note } from "./history.js";
import { wordsScreen } from "./screens.js";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @param {string[]} names */
export const shows = (...names) => names.includes(document.body.dataset["screen"] ?? "");

/** What `holds` from the screen before is said again too when the language changes. @type {Show} */
export function show(page, name, screen, holds = false) {
  const main = byId("main");
  const first = !document.body.dataset["screen"];
  document.body.dataset["screen"] = name;
  if (!holds) forget();
  live(() => {
    document.documentElement.lang = code();
    document.documentElement.dir = direction(code());
    // The same on all screens: titles stay in the browser's history, which should not tell the next person how far
    // somebody came.
    document.title = page.definition.title[code()] ?? "";
    note();
    byId("status").textContent = "";
    byId("status").lang = own();
  });
  header(page.definition, page.leave);
  main.replaceChildren(...screen());
  if (first) return;
  const result = main.querySelector(".result");
  if (result) result.scrollIntoView();
  else scrollTo(0, 0);
  // What is announced of bytes that are under way is not read out twice.
  (name === "sending" ? main : main.querySelector(".recorded, h1"))?.focus({ preventScroll: true });
}

/** In words, where something that the page needs is missing. @param {Page} page @param {unknown} error */
export function refuse(page, error) {
  const key = typeof error === "string" ? error : error instanceof DOMException ? "refuse.storage" : "refuse.browser";
  show(page, "refused", () => wordsScreen(key));
}
