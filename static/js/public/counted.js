/** Finds what somebody has sent in the list that was counted, by a receipt number that was kept, which goes nowhere itself. */

import { askForLeaves } from "./ask_for_leaves.js";
import { firstBits, hex, leafOf, read } from "./counted_list.js";

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.check"))) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const status = /** @type {HTMLElement} */ (form.querySelector("[data-outcome]"));
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const outcome = await check(form).catch(() => "broken");
    status.dataset["outcome"] = outcome;
    status.textContent = form.dataset[outcome] ?? "";
    button.disabled = false;
  });
}

/** @param {HTMLFormElement} form @returns {Promise<string>} the outcome as the form names it */
async function check(form) {
  const typed = form.querySelector("input")?.value.trim().toLowerCase() ?? "";
  const leaf = leafOf(typed, (form.dataset["columns"] ?? "").split(" ").map(Number));
  if (!leaf) return "unlike";
  const answer = await askForLeaves(firstBits(leaf, Number(form.dataset["bits"])));
  if (!answer) return "away";
  const { leaves, root } = read(answer);
  if (hex(root) !== form.dataset["root"]) return "broken";
  return leaves.some((other) => hex(other) === hex(leaf)) ? "in" : "out";
}
