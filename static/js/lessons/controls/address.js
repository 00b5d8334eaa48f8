/** What is set on a page, as the fragment of its address: a browser sends it to nobody, and a class can be given it. */

import { write } from "./fragment.js";

const settings = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

/** Under which name the address holds the set of numbers of the exercises. */
export const NUMBERS = "numbers";

/** Whether the address asks for anything else. */
export const asksForPicture = () => [...settings.keys()].some((name) => name !== NUMBERS);

/** The names that no part of the page has asked for yet. */
const names = new Set(settings.keys());

/** What the address asks for, as it was written. @param {string} name */
export function wanted(name) {
  names.delete(name);
  return settings.get(name);
}

/** What no part of the page has taken from the address, except for the exercises, which come later. */
export const unasked = () => [...names].filter((name) => name !== NUMBERS);

/** Write a setting into the address, or leave it out where it is as usual. @param {string} name @param {string | number} value @param {string | number} usual */
export function keep(name, value, usual) {
  if (settings.get(name) === (value === usual ? null : String(value))) return;
  if (value === usual) settings.delete(name);
  else settings.set(name, String(value));
  write(settings.size ? `#${settings}` : "");
}

/** Write all settings of a picture anew. @param {URLSearchParams} picture */
export function keepPicture(picture) {
  for (const name of [...settings.keys()]) if (name !== NUMBERS) settings.delete(name);
  for (const [name, value] of picture) settings.append(name, value);
  write(`#${settings}`);
}

// Another address of the same page that somebody pastes: what it asks for is read at the start.
addEventListener("hashchange", () => { if (location.hash.includes("=")) location.reload(); });
