/** The only source of randomness: one word from the operating system. */

/** @type {DrawWord} */
export function drawWord() {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  if (word === undefined) throw new Error("crypto.getRandomValues gave no word");
  return word;
}
