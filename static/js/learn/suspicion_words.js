/** Probabilities as so many of a hundred. */

import { number } from "./words.js";

const SLACK = 1e-6; // 0.75 that came out as 0.7500000001 is still 75 in 100

/** Tenths, and thousandths near the ends, where tenths would say never or always. @param {number} probability */
const parts = (probability) => (probability < 0.01 || probability > 0.99 ? 1000 : 10);

/** To the nearest. @param {number} probability */
export const hundredth = (probability) => number(100 * probability, 3);

/** Rounded up: "at most" may not promise more than it keeps. @param {number} probability */
export const atMost = (probability) => number(Math.max(0, Math.ceil(100 * parts(probability) * probability - SLACK)) / parts(probability), 3);

/** Rounded down, for "at least". @param {number} probability */
export const atLeast = (probability) => number(Math.floor(100 * parts(probability) * probability + SLACK) / parts(probability), 3);
