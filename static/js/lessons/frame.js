/** What every lesson has around its picture: letters that say what they mean, formulas that scroll, the reader's guess, and another language. */

import "./copy_link.js";
import "./glossary.js";
import "./drawing/printing.js";
import "./drawing/scrolling.js";
import { settle } from "./controls/fragment.js";

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

/** In another language a lesson keeps what is set, which the server does not know. @param {HTMLAnchorElement} link */
function carry(link) {
  for (const press of ["click", "auxclick", "contextmenu"]) {
    link.addEventListener(press, () => {
      settle();
      link.hash = location.hash;
    });
  }
}

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a"))) carry(link);
