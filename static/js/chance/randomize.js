/** A report drawn from an answer and one word: the twin of survey/randomize.py. No floating point, no redraw. */

/** What every row of a channel sums to: the number of words that one draw can give. */
export const TOTAL = 2 ** 32;

/** The first column of the answer's row whose cumulative weight exceeds the word. @type {Randomize} */
export function randomize(channel, answer, word) {
  requireChannel(channel);
  requireWhole("answer", answer, channel.length);
  return walk(/** @type {readonly number[]} */ (channel[answer]), word);
}

/** To its end whatever comes out: every answer costs the same work. @type {Walk} */
export function walk(row, word) {
  requireWhole("word", word, TOTAL);
  let report = 0;
  let cumulative = 0;
  for (const weight of row) {
    cumulative += weight;
    report += Number(word >= cumulative);
  }
  return report;
}

/** @type {RequireChannel} */
export function requireChannel(channel) {
  if (!Array.isArray(channel) || channel.length < 2 || !channel.every(Array.isArray)) {
    throw new TypeError("weights must be a table of weights with two or more rows");
  }
  for (const row of channel) {
    if (row.length !== channel[0]?.length) throw new TypeError("weights must have rows of one length");
    requireRow(row);
  }
}

/** @type {RequireRow} */
export function requireRow(row) {
  for (const weight of row) requireWhole("weights", weight, TOTAL + 1);
  const total = row.reduce((sum, weight) => sum + weight, 0);
  if (total !== TOTAL) throw new RangeError(`weights must have rows that sum to ${TOTAL}, got ${total}`);
}

/** @type {RequireWhole} */
export function requireWhole(name, value, end) {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, got ${typeof value}`);
  if (!Number.isInteger(value) || value < 0 || value >= end) {
    throw new RangeError(`${name} must be a whole number in [0, ${end}), got ${value}`);
  }
}

/** C(n, k), exact: counted by the fewer of k and n - k, no product on the way exceeds k C(n, k). @param {number} n @param {number} k */
export function choose(n, k) {
  let ways = 1;
  for (let i = 1; i <= Math.min(k, n - k); i += 1) ways = (ways * (n - i + 1)) / i;
  return ways;
}

/** The only source of randomness: one word from the operating system. @type {DrawWord} */
export function drawWord() {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  if (word === undefined) throw new Error("crypto.getRandomValues gave no word");
  return word;
}
