/** The vectors that the Python half replays too; tests/vectors/README.md says what they hold. */

import { readFileSync } from "node:fs";

/** @param {string} name @returns {any} */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
}
