/** Channels for one of eight days, each made for another purpose, and the wheel; what is wanted of them, and how well they give it. */

import "../../chance/set_forms.js";
import { row } from "../../chance/compact_form.js";
import { TOTAL, walk } from "../../chance/randomize.js";
import { members } from "../../chance/set_forms.js";
import { wheelWeights } from "../../theory/exponential.js";
import { counting, scatter } from "../../theory/figures.js";
import { DESIGNS } from "./designs.js";

/** @typedef {"shares" | "mean" | "curve" | "all" | "wheel"} Purpose */
/** @typedef {{weights: readonly (readonly number[])[], chances: number[][], sets: readonly (readonly number[])[]}} Made what a report is likely under, and the days that it names */

export const OPTIONS = 8; // 0 to 7 days of the week
export const EPSILON = 1;
export const PURPOSES = /** @type {const} */ (["shares", "mean", "curve", "all", "wheel"]);
/** How many days people exercise. Made up. */
export const SHARES = [0.2, 0.12, 0.16, 0.18, 0.12, 0.1, 0.05, 0.07];
export const CUTS = OPTIONS - 1; // the last cumulative share is 1

const PLACES = Array.from({ length: OPTIONS }, (_, place) => place);
const EQUAL = PLACES.map(() => 1 / OPTIONS);

/** @param {readonly (readonly number[])[]} weights @param {readonly (readonly number[])[]} sets @returns {Made} */
const made = (weights, sets) => ({ weights, sets, chances: weights.map((line) => line.map((weight) => weight / TOTAL)) });

/** @param {Purpose} purpose */
function build(purpose) {
  if (purpose === "wheel") return made(wheelWeights(OPTIONS, EPSILON), PLACES.map((place) => [place]));
  const form = /** @type {WeightedSetsForm} */ (DESIGNS[purpose]);
  const weights = PLACES.map((answer) => row(form, answer));
  return made(weights, (weights[0] ?? []).map((_, report) => members(form, report)));
}

/** @template Value @param {(purpose: Purpose) => Value} work @returns {Record<Purpose, Value>} done once for each channel */
const forEach = (work) => /** @type {Record<Purpose, Value>} */ (Object.fromEntries(PURPOSES.map((purpose) => [purpose, work(purpose)])));

export const CHANNELS = forEach(build);

/** What each answer counts for in the figures that are wanted, each less its mean. @type {Record<string, number[][]>} */
const WANTED = {
  shares: PLACES.map((own) => PLACES.map((place) => Number(place === own) - 1 / OPTIONS)),
  mean: [PLACES.map((place) => place / CUTS - 0.5)],
  curve: PLACES.slice(0, CUTS).map((cut) => PLACES.map((place) => Number(place <= cut) - (cut + 1) / OPTIONS)),
};
export const WANTS = Object.keys(WANTED);

/** n times the variance of all figures that are wanted, where all answers are equally frequent. @param {Purpose} purpose @param {string} want */
const variance = (purpose, want) => (WANTED[want] ?? []).reduce((sum, figure) => (
  sum + scatter(CHANNELS[purpose].chances, EQUAL, counting(CHANNELS[purpose].chances, figure))), 0);

/** How many times the people of the channel that is made for it, for each of the wants. */
export const TIMES = forEach((purpose) => WANTS.map((want) => variance(purpose, want) / variance(/** @type {Purpose} */ (want), want)));

/** What a report counts for in the share of people with at most so many days, for each of the cuts. */
export const COUNTS = forEach((purpose) => PLACES.slice(0, CUTS).map((cut) => counting(CHANNELS[purpose].chances, PLACES.map((place) => Number(place <= cut)))));

/** The true share of people with at most so many days. @param {number} cut */
export const truth = (cut) => SHARES.slice(0, cut + 1).reduce((sum, share) => sum + share, 0);

/** n times the variance of its estimate. */
export const SCATTERED = forEach((purpose) => COUNTS[purpose].map((counts) => scatter(CHANNELS[purpose].chances, SHARES, counts)));

/** Whose answer a word stands for. @param {number} word */
function answered(word) {
  let sum = 0;
  const answer = SHARES.findIndex((share) => (sum += share * TOTAL) > word);
  return answer < 0 ? CUTS : answer;
}

/** The reports of people, one after the other. @param {Purpose} purpose @param {ArrayLike<number>} words two for each of them @returns {number[]} */
export const reported = (purpose, words) => Array.from({ length: words.length / 2 }, (_, person) => (
  walk(CHANNELS[purpose].weights[answered(words[2 * person] ?? 0)] ?? [], words[2 * person + 1] ?? 0)));
