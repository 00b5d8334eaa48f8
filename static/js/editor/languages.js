/** One language of the survey's texts at a time, or two side by side: the others keep what is in their fields. */

/** @param {HTMLFormElement} form */
export function switchLanguages(form) {
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "shown") showLanguages(form);
  });
}

/** @param {HTMLFormElement} form @param {ParentNode} [place] where fields are shown or hidden */
export function showLanguages(form, place = form) {
  const chosen = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=shown]:checked"));
  if (!chosen) return;
  const codes = chosen.value.split(",");
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".field > [lang]"))) {
    const field = /** @type {HTMLElement} */ (each.parentElement);
    field.hidden = !codes.includes(each.lang);
  }
}
