/** Copying what stands in a field. */

/**
 * Copy what a field holds. Where the browser has no clipboard, as without HTTPS, or refuses, the text is left selected.
 *
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
