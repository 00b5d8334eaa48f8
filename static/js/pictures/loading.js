/**
 * All pictures of the survey, in its order, before anybody begins, whatever they will be asked: which pictures a browser
 * asks for must not show which questions somebody got. Each must have the SHA-256 that was published.
 */

import { button, element, island, say, words } from "../page/page.js";
import { isThere, locate } from "./figure.js";
import { read } from "../respond/definition.js";

/** Milliseconds until a picture is given up. */
const PATIENCE = 60_000;

const place = document.body.dataset["pictures"] ?? "";
const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** In their order, each once. @type {string[]} */
const names = [...new Set(read(island("definition")).questions.flatMap(({ picture }) => (picture ? [picture.sha256] : [])))];
let done = false;
/** What stands by the button that begins, while it waits. */
const line = element("div.loading-pictures");

/** @param {string} sha256 as `integrity` has it: in base64 */
const integrity = (sha256) => `sha256-${btoa(sha256.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))))}`;

/** @param {string} sha256 @param {RequestCache} cache */
async function fetched(sha256, cache) {
  const abort = new AbortController();
  const late = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const answer = await fetch(place + sha256, { cache, integrity: integrity(sha256), signal: abort.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    locate(sha256, URL.createObjectURL(await answer.blob()));
  } finally {
    clearTimeout(late);
  }
}

/** One after the other: so they are asked for in the same order by everybody. */
async function load() {
  const lacking = names.filter((name) => !isThere(name));
  for (const [index, name] of lacking.entries()) {
    line.replaceChildren(element("p", words("pictures.loading", () => ({ n: names.length - lacking.length + index + 1, all: names.length }))));
    // What the browser has kept may be what was wrong.
    await fetched(name, "default").catch(() => fetched(name, "reload")).catch(() => {});
  }
  const lost = names.filter((name) => !isThere(name)).length;
  if (!lost) return finish();
  line.replaceChildren(element("div.notice.problem", { role: "alert" },
    element("p", words("pictures.failed", () => ({ n: lost }))),
    element("div.toolbar", button("pictures.again", "pictures-again", () => void load(), ".small"),
      button("pictures.without", "pictures-without", finish, ".plain.small"))));
  return undefined;
}

function finish() {
  done = true;
  line.remove();
  const begin = waiting();
  if (!begin) return;
  begin.disabled = false;
  const status = document.getElementById("status");
  if (status) status.textContent = say("pictures.there");
}

/** @returns {HTMLButtonElement | null} */
const waiting = () => main.querySelector("button[data-action=begin]");

/** The screens know nothing of pictures: whenever one has the button that begins, it waits. */
new MutationObserver(() => {
  const begin = waiting();
  if (done || !begin || begin.disabled) return;
  begin.disabled = true;
  begin.parentElement?.before(line);
}).observe(main, { childList: true });

void load();
