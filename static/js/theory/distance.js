/** How far two lists of counts are from each other, on foot and in a straight line. */

import { require, requireWhole } from "./requirements.js";

/**
 * The L1 and the L2 distance of a change: the sum of what changes, as somebody walks who keeps to the streets of a grid, and the straight line.
 *
 * @param {readonly number[]} change of every count, at least one @returns {[number, number]}
 */
export function distances(change) {
  require("change", change.length > 0 && change.every(Number.isFinite), "numbers", change);
  return [change.reduce((sum, step) => sum + Math.abs(step), 0), Math.hypot(...change)];
}

/**
 * Where somebody is who takes steps of 1, each at a right angle to the straight line back to the start: after k of them √k away.
 * So k steps of which each is at a right angle to all others are laid flat. The spiral of Theodorus; Davis (1993), Spirals: From Theodorus to Chaos.
 *
 * @param {number} steps @returns {[number, number][]} the start, and the place after each step
 */
export function rootSpiral(steps) {
  requireWhole("steps", steps, 1);
  const places = /** @type {[number, number][]} */ ([[0, 0], [1, 0]]);
  for (let step = 1; step < steps; step += 1) {
    const [x, y] = places.at(-1) ?? [0, 0];
    const away = Math.sqrt(step);
    places.push([x - y / away, y + x / away]); // a step of 1 to the left of the line from the start
  }
  return places;
}
