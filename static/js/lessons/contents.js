/** The contents: each lesson with a small drawing, made by the code that draws its picture. */

/** @param {HTMLElement} place */
async function fill(place) {
  const { thumbnail } = await import(String(place.dataset["thumbnail"]));
  const drawn = thumbnail();
  drawn.setAttribute("aria-hidden", "true"); // the words beside it say what the lesson is about
  place.replaceChildren(drawn);
}

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-thumbnail]"))) fill(place);
