/** The places of a lesson that its script fills. */

/** @param {string} name as in data-show @returns {HTMLElement} */
export function part(name) {
  const found = document.querySelector(`[data-show="${name}"]`);
  if (!(found instanceof HTMLElement)) throw new Error(`the page must have a place for ${name}`);
  return found;
}
