/** @type {Island} */
export const island = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
