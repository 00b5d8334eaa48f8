/** A link's own part stands behind the # of its address, which no browser sends: put it into the form. */

const field = document.getElementById("link");
const token = location.hash.slice(1);
if (field instanceof HTMLInputElement && token) {
  field.value = token;
  const around = field.closest(".field");
  if (around instanceof HTMLElement) around.hidden = true;
}
for (const other of document.querySelectorAll(".languages a")) {
  if (other instanceof HTMLAnchorElement) other.hash = location.hash;
}
