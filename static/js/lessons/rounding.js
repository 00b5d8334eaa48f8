/** Shares that are never written as none or all unless they are. */

import { fixed, number, percent } from "./words.js";

const MOST = 12; // digits after the point: what a share near 1 still has in a double

/**
 * How many digits after the point it takes, of a number between 0 and `whole`, so that what is left to the nearer end shows:
 * one, and near an end as many as give what is left two digits that count.
 *
 * @param {number} value @param {number} whole
 */
export function digits(value, whole) {
  const left = Math.min(value, whole - value);
  return left > 0 ? Math.min(MOST, Math.max(1, 1 - Math.floor(Math.log10(left)))) : 1;
}

/** To the nearest, as so many of a hundred. @param {number} share */
export const inHundred = (share) => number(100 * share, digits(100 * share, 100));

/** The same with the sign of percent. @param {number} share */
export const inPercent = (share) => percent(share, digits(100 * share, 100));

/** Rounded up: "at most" may not promise more than it keeps. @param {number} share */
export function inHundredAtMost(share) {
  const places = digits(100 * share, 100);
  return number(up(100 * share, places), places);
}

const SLACK = 1e-5; // of the last digit: 0.75 that came out as 0.7500000001 is still 75 in 100

/** Rounded up at so many digits after the point. @param {number} value @param {number} places */
export const up = (value, places) => Math.max(0, Math.ceil(value * 10 ** places - SLACK)) / 10 ** places;

/** A bound with so many digits after the point, rounded up. @param {number} value @param {number} places */
export const atMost = (value, places) => fixed(up(value, places), places);

/** Rounded down at so many digits after the point. @param {number} value @param {number} places */
export const down = (value, places) => Math.floor(value * 10 ** places + SLACK) / 10 ** places;
