/** SHA-256 (FIPS 180-4), for pages that come without TLS too: there a browser has none of its own. */

/** @type {number[]} */
const primes = [];
for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number);

/** The first 32 bits behind the point. @param {number} root */
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const FIRST = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const padded = new Uint8Array((message.length + 72) & ~63);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Int32Array.from(FIRST);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let round = 0; round < 64; round++) words[round] = round < 16 ? view.getInt32(block + 4 * round) : expanded(words, round);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Int32Array} words @param {number} round */
function expanded(words, round) {
  const [far, near] = [words[round - 15] ?? 0, words[round - 2] ?? 0];
  const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  return ((words[round - 16] ?? 0) + low + (words[round - 7] ?? 0) + high) | 0;
}

/** @param {Int32Array} state @param {Int32Array} words */
function mix(state, words) {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (ROUNDS[round] ?? 0) + (words[round] ?? 0)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { state[place] = ((state[place] ?? 0) + word) | 0; });
}
