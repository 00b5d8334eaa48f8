/** Fetches the file of invitations, so that the page can say afterwards how many there are: nobody makes them twice. */

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("[data-makes]"));
  if (!button) return;
  event.preventDefault();
  if (!button.disabled) void make(form, button);
});

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
async function make(form, button) {
  button.disabled = true; // a hundred thousand take a while
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }).catch(() => null);
  if (answer?.ok && answer.headers.get("Content-Type")?.startsWith("text/csv")) {
    save(await answer.blob(), /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "invitations.csv");
    return show(`?made=1`);
  }
  button.disabled = false;
  // Where there was an answer nothing was made: the page that is loaded says why. Without one that is not known.
  if (answer) form.submit();
  else show("?lost=1");
}

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Put what the page shows now in the place of what it showed. @param {string} said what the server is to say with it */
function show(said) {
  const request = new XMLHttpRequest();
  request.open("GET", location.pathname + said);
  request.responseType = "document"; // markup never passes through a string
  request.addEventListener("loadend", () => {
    const main = request.responseXML?.querySelector("main");
    if (!main) return location.reload();
    document.querySelector("main")?.replaceWith(main);
    main.querySelector(".notice")?.scrollIntoView({ block: "nearest" });
  });
  request.send();
}
