/** The only source of randomness: one word from the operating system. */

/** @returns {number} uniform in [0, 2**32) @throws {Error} where the browser has no such source; there is no second-best one */
export function drawWord() {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  if (word === undefined) throw new Error("crypto.getRandomValues gave no word");
  return word;
}
