/** Chance on the teaching pages: words from the operating system, and a generator that can be run again. */

const MOST = 16384; // words in one call: getRandomValues gives at most 65536 bytes

/** @param {number} count @returns {Uint32Array} words, each uniform in [0, 2**32) */
export function drawWords(count) {
  const words = new Uint32Array(count);
  for (let start = 0; start < count; start += MOST) crypto.getRandomValues(words.subarray(start, start + MOST));
  return words;
}

/**
 * For simulations only, where the same seed must show the same picture again: it is quick and can be foretold, so nothing
 * that protects a person may come from it. The generator is sfc32 of the PractRand suite, by Chris Doty-Humphrey.
 *
 * @param {number} seed @returns {() => number} gives words, each uniform in [0, 2**32)
 */
export function seeded(seed) {
  // Its four numbers live in an array of integers: as variables of the closure each would be a new object at every step.
  const state = Int32Array.of(0, seed, Math.floor(seed / 2 ** 32), 1);
  const next = () => {
    const a = state[0] ?? 0, b = state[1] ?? 0, c = state[2] ?? 0, counter = state[3] ?? 0;
    const sum = (a + b + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    state[3] = counter + 1;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next(); // until every bit of the seed has reached every word
  return next;
}
