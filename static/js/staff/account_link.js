/**
 * A link's own part stands behind the # of its address, which no browser sends: put it into the form.
 *
 * The server gives nothing back to whoever is not signed in, so that the tab holds what was typed until it is right.
 */

const KEY = "candor:joining";
const field = document.getElementById("link");
const form = field instanceof HTMLInputElement ? field.form : null;
const again = held();
const token = location.hash.slice(1) || (again["link"] ?? "");
if (field instanceof HTMLInputElement && token) {
  field.value = token;
  const around = field.closest(".field");
  if (around instanceof HTMLElement) around.hidden = true;
  if (form) refuseIfGone(form);
}
const name = form?.elements.namedItem("name");
if (name instanceof HTMLInputElement) name.value = again["name"] ?? "";
form?.addEventListener("submit", () => {
  const { link, name } = Object.fromEntries(new FormData(form));
  hold(JSON.stringify({ link, name }));
});
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

/** @param {string} typed */
function hold(typed) {
  try {
    sessionStorage.setItem(KEY, typed);
  } catch {
    // it is typed again
  }
}

/** @returns {Record<string, string>} what was typed, on the page that says what was wrong with it; it is held no longer */
function held() {
  try {
    const typed = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return form && "refused" in form.dataset ? JSON.parse(typed ?? "{}") : {};
  } catch {
    return {};
  }
}

export {};
