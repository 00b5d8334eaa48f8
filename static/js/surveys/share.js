/** The buttons of the share page: copy a field, or select it where there is no clipboard; print the poster. */

/**
 * Copy what a field holds. Where the browser has no clipboard, as without HTTPS, or refuses, the text is left selected.
 * @param {{ value: string, focus(): void, select(): void }} field
 * @param {{ writeText(text: string): Promise<void> } | undefined} clipboard
 * @returns {Promise<"copied" | "selected">}
 */
export async function copy(field, clipboard) {
  field.focus();
  field.select();
  try {
    if (!clipboard) return "selected";
    await clipboard.writeText(field.value);
    return "copied";
  } catch {
    return "selected";
  }
}

/** @param {Document} page @param {Pick<Navigator, "clipboard">} browser */
export function start(page, browser) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("[data-copies]"))) {
    const field = /** @type {HTMLInputElement} */ (page.getElementById(button.dataset["copies"] ?? ""));
    const status = /** @type {HTMLElement} */ (button.parentElement?.querySelector("[role=status]"));
    button.hidden = false;
    button.addEventListener("click", async () => {
      status.textContent = status.dataset[await copy(field, browser.clipboard)] ?? "";
    });
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("[data-prints]"))) {
    button.hidden = false;
    button.addEventListener("click", () => page.defaultView?.print());
  }
}

if (typeof document !== "undefined") start(document, navigator);
