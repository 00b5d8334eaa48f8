/** The numbers of the dark slices of a wheel. */

import { fit } from "./wheel.js";

/**
 * Equal slices with their numbers: all of them, or where they are narrow every second, fifth or tenth, as on a dial.
 *
 * @param {number} share of each
 * @param {number} count
 * @returns {Slice[]}
 */
export function numbered(share, count) {
  const said = Array.from({ length: count }, (_, place) => () => String(place + 1));
  const longest = String(count);
  if (fit(share, longest, 21, 60).size) return said.map((number) => ({ share, said: number }));
  const every = [2, 5, 10].find((step) => fit(step * share, longest, 13, 82).size) ?? Infinity;
  // The last of them has to be far enough from where the bright side begins.
  return said.map((number, place) => (
    (place + 1) % every || count - place - 0.5 < every / 2 ? { share } : { share, said: number, room: every * share }));
}
