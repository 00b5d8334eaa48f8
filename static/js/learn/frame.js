/** What every lesson has around its picture: letters that say what they mean, formulas that scroll, and the reader's guess. */

import "./glossary.js";
import "./scrolling.js";

/** Say whether the guess was right, and what is. @param {HTMLFieldSetElement} asked */
function listen(asked) {
  const { right, hit = "", missed = "", answer = "" } = asked.dataset;
  const said = /** @type {HTMLElement} */ (asked.querySelector(".guess-said"));
  asked.addEventListener("change", (event) => {
    const chosen = /** @type {HTMLInputElement} */ (event.target);
    const good = chosen.value === right;
    asked.classList.toggle("hit", good);
    for (const each of asked.querySelectorAll("label")) each.classList.toggle("right", each.querySelector("input")?.value === right);
    said.textContent = `${good ? hit : missed} ${answer}`;
  });
}

for (const asked of /** @type {NodeListOf<HTMLFieldSetElement>} */ (document.querySelectorAll("fieldset.guess"))) listen(asked);
