/** Nothing that was typed is left behind without a question. */

/** @param {HTMLFormElement} form */
export function guard(form) {
  let unsaved = "unsaved" in form.dataset;
  form.addEventListener("input", () => { unsaved = true; });
  form.addEventListener("submit", () => { unsaved = false; });
  addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });
  // It was saved once: the page that is loaded again need not say so again.
  const address = new URL(location.href);
  address.searchParams.delete("saved");
  history.replaceState(history.state, "", address);
}
