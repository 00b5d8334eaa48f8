/** Probabilities as so many of a hundred. */

import { digits, down } from "../certainty.js";
import { number, say } from "../words.js";

const LEAST = 1e-12; // of a hundred: what is nearer to an end is not written out

/** To the nearest, and never 0 or 100 unless it is. @param {number} probability */
export const hundredth = (probability) => amount(probability, Math.max(3, digits(100 * probability, 100)));

/** @param {number} probability @param {number} [places] */
export function amount(probability, places = digits(100 * probability, 100)) {
  const hundred = 100 * probability;
  if (probability > 0 && hundred < LEAST) return say("under", { limit: number(LEAST, 12) });
  if (probability < 1 && 100 - hundred < LEAST) return say("over", { limit: number(100 - LEAST, 12) });
  return number(hundred, places);
}

export { inHundredAtMost as atMost } from "../certainty.js";

/** Rounded down, for "at least". @param {number} probability */
export function atLeast(probability) {
  const places = digits(100 * probability, 100);
  return number(down(100 * probability, places), places);
}
