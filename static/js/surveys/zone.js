/** Proposes the time zone of this browser, where none was chosen yet. Without a script it is UTC. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#zone[data-guess]"));
const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = [...document.querySelectorAll("#zones option")].some((option) => /** @type {HTMLOptionElement} */ (option).value === here);
if (field && known) field.value = here;
