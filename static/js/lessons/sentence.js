/** A sentence of the catalogue with things in it that are not words, such as a number that can be dragged. */

import { say } from "./words.js";

const MARK = "\uE000"; // of no language

/**
 * @param {string} key @param {Record<string, Node | string>} parts what stands at each name of the message
 * @returns {(Node | string)[]}
 */
export function sentence(key, parts) {
  const names = Object.keys(parts);
  const marked = Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`]));
  return say(key, marked).split(MARK).map((piece, at) => (at % 2 ? parts[piece] ?? "" : piece));
}
