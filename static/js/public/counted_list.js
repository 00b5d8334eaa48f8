/** The twin of survey/counted_list.py: the leaf of a row, and the root that an answer of the server leads to. */

import { sha256 } from "./sha256.js";

const HASH = 32;

/** @param {string} text in hexadecimal digits */
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} data */
export const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {...(ArrayLike<number>)} parts */
const hash = (...parts) => sha256(Uint8Array.from(parts.flatMap((part) => Array.from(part))));

/**
 * A receipt number ends with the code of each column, as the page showed it.
 *
 * @param {string} number
 * @param {number[]} widths bytes of each column, one or two
 * @returns {Uint8Array | null} null if it is not one of this survey
 */
export function leafOf(number, widths) {
  const [receipt = "", ...codes] = number.split("-");
  const right = /^[0-9a-f]{32}$/.test(receipt) && codes.length === widths.length
    && codes.every((code, place) => /^\d{1,5}$/.test(code) && Number(code) < 256 ** (widths[place] ?? 1));
  if (!right) return null;
  const row = codes.map((code, place) => Number(code).toString(16).padStart(2 * (widths[place] ?? 1), "0"));
  const salt = hash(new TextEncoder().encode("candor leaf"), bytes(receipt)).slice(0, 16);
  return hash([0], salt, bytes(row.join("")));
}

/** @param {Uint8Array} leaf @param {number} count */
export const firstBits = (leaf, count) => Array.from(leaf, (byte) => byte.toString(2).padStart(8, "0")).join("").slice(0, count);

/**
 * The leaves that came, and the root above them.
 *
 * @param {Uint8Array} answer three numbers of four bytes, leaves, and their path
 * @returns {{ leaves: Uint8Array[], root: Uint8Array }}
 */
export function read(answer) {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
  const [total, start, count] = [view.getUint32(0), view.getUint32(4), view.getUint32(8)];
  const hashes = Array.from({ length: (answer.length - 12) / HASH }, (_, place) => answer.slice(12 + place * HASH, 12 + (place + 1) * HASH));
  const leaves = hashes.slice(0, count);
  const path = hashes.slice(count);
  if (start + leaves.length > total || leaves.length !== count) throw new RangeError("the numbers do not fit");
  const root = above(0, total);
  if (path.length) throw new RangeError("the path is too long");
  return { leaves, root };

  /** @param {number} low @param {number} high @returns {Uint8Array} the node above these leaves */
  function above(low, high) {
    const only = high <= start || low >= start + count ? path.shift() : high - low === 1 ? leaves[low - start] : null;
    if (only) return only;
    if (only === undefined) throw new RangeError("the path is too short");
    const half = low + (1 << (31 - Math.clz32(high - low - 1)));
    return hash([1], above(low, half), above(half, high));
  }
}
