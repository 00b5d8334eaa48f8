/** A link's own part stands behind the # of its address, which no browser sends: put it into the form. */

const field = document.getElementById("link");
const token = location.hash.slice(1);
if (field instanceof HTMLInputElement && token) {
  field.value = token;
  const around = field.closest(".field");
  if (around instanceof HTMLElement) around.hidden = true;
  if (field.form) refuseIfGone(field.form);
}
for (const other of document.querySelectorAll(".languages a")) {
  if (other instanceof HTMLAnchorElement) other.hash = location.hash;
}
addEventListener("hashchange", () => {
  if (/^#[\w-]{43}$/.test(location.hash)) location.reload(); // another link in the same tab
});

/**
 * Say at once that a link was used or has ended, before anybody thinks of a password.
 * @param {HTMLFormElement} form
 */
async function refuseIfGone(form) {
  const sent = new FormData(form);
  const body = new URLSearchParams(["csrf_token", "link"].map((name) => [name, String(sent.get(name))]));
  const answer = await fetch(form.dataset["asks"] ?? "", { method: "POST", body }).catch(() => null);
  const gone = document.getElementById("gone");
  if (!answer?.ok || (await answer.json()).usable || !(gone instanceof HTMLTemplateElement)) return;
  form.before(gone.content);
  form.hidden = true;
}
