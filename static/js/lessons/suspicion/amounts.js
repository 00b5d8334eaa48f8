/** Probabilities as so many of a hundred. */

import { digits, down, inHundred, inHundredAtMost } from "../rounding.js";
import { number, say } from "../words.js";

const LEAST = 1e-12; // of a hundred: what is nearer to an end is not written out

/** To the nearest, and never 0 or 100 unless it is. @param {number} probability */
export const hundredth = (probability) => written(probability, (share) => number(100 * share, Math.max(3, digits(100 * share, 100))));

/** @param {number} probability @param {(share: number) => string} rounded */
function written(probability, rounded) {
  const hundred = 100 * probability;
  if (probability > 0 && hundred < LEAST) return say("under", { limit: number(LEAST, 12) });
  if (probability < 1 && 100 - hundred < LEAST) return say("over", { limit: number(100 - LEAST, 12) });
  return rounded(probability);
}

export { inHundredAtMost as atMost } from "../rounding.js";

/**
 * The two sides of a bet. A record moves it `towards` Yes (1) or No (-1), and then they are rounded as the bounds are: outwards.
 *
 * @param {number} probability @param {-1 | 0 | 1} towards
 */
export function sides(probability, towards) {
  const [yes, no] = towards === 0 ? [inHundred, inHundred] : towards > 0 ? [inHundredAtMost, atLeast] : [atLeast, inHundredAtMost];
  return [written(probability, yes), written(1 - probability, no)];
}

/** Rounded down, for "at least". @param {number} probability */
export function atLeast(probability) {
  const places = digits(100 * probability, 100);
  return number(down(100 * probability, places), places);
}
