/** Two yes/no answers of one person, on one wheel or on a wheel each: the channels, and what can be known of the pair. */

import { walk } from "../../chance/randomize.js";
import { wheelChances, wheelWeights } from "../../theory/exponential.js";
import { apart as twice, counting, scatter } from "../../theory/figures.js";
import { spinnerCoin, spinnerCoinChances, weights } from "../../theory/response.js";

/** Shares of people: no to both, only the second, only the first, both. Made up: of those on night shifts, half sleep badly. */
export const PEOPLE = [0.56, 0.14, 0.15, 0.15];

export const COMBINATIONS = PEOPLE.length;
const NORMAL = 1.959964; // of a 95% interval

/** The bright share of one wheel over so many combinations. @param {number} epsilon @param {number} [combinations] */
export function brightOfOne(epsilon, combinations = COMBINATIONS) {
  const [[own = 0, other = 0] = []] = wheelChances(combinations, epsilon);
  return own - other; // p = (E - 1)/(E + K - 1)
}

/** That of each of several wheels, which share the epsilon. @param {number} epsilon @param {number} [questions] */
export const brightOfEach = (epsilon, questions = 2) => spinnerCoin(epsilon / questions);

/** What is reported of a pair of answers, on one wheel and on two. @param {number} epsilon of both answers */
export function channels(epsilon) {
  const single = spinnerCoinChances(brightOfEach(epsilon));
  return { joint: wheelChances(COMBINATIONS, epsilon), apart: twice(single, single) };
}

/**
 * How much larger the share of the second answer is among those with the first than among the others, and what each
 * answer counts for in it: the slope of that difference.
 *
 * @param {readonly number[]} shares
 */
export function difference([, second = 0, first = 0, both = 0]) {
  const [having, others] = [first + both, 1 - first - both];
  const [among, beside] = [both / having, second / others];
  return { value: among - beside, slope: [beside / others, (beside - 1) / others, -among / having, (1 - among) / having] };
}

/** n times the variance of a figure, on one wheel and on two. @param {number} epsilon @param {readonly number[]} figure @param {readonly number[]} [shares] */
export function scatters(epsilon, figure, shares = PEOPLE) {
  const { joint, apart } = channels(epsilon);
  return { joint: scatter(joint, shares, counting(joint, figure)), apart: scatter(apart, shares, counting(apart, figure)) };
}

/** Within what 95 of 100 surveys find the difference. @param {number} scattered n times its variance @param {number} people */
export const reach = (scattered, people) => NORMAL * Math.sqrt(scattered / people);

/** @typedef {{joint: number[], apart: number[]}} Differences the difference at every stop, on one wheel and on two */

/**
 * A survey: the same people on both devices.
 *
 * @param {number} epsilon @param {readonly number[]} stops numbers of people, rising @param {ArrayLike<number>} words four for each of them
 * @returns {Differences}
 */
export function survey(epsilon, stops, words) {
  const [wheel, two] = [wheelWeights(COMBINATIONS, epsilon), weights(epsilon / 2)];
  const { joint, apart } = channels(epsilon);
  const counts = [joint, apart].map((channel) => PEOPLE.map((_, own) => counting(channel, PEOPLE.map((_share, answer) => Number(answer === own)))));
  const told = [[0, 0, 0, 0], [0, 0, 0, 0]];
  /** @type {Differences} */
  const estimates = { joint: [], apart: [] };
  let person = 0;
  for (const stop of stops) {
    for (; person < stop; person += 1) {
      const [who = 0, first = 0, second = 0, third = 0] = [0, 1, 2, 3].map((place) => words[4 * person + place] ?? 0);
      const answer = drawn(who);
      const reports = [walk(wheel[answer] ?? [], first), 2 * walk(two[answer >> 1] ?? [], second) + walk(two[answer & 1] ?? [], third)];
      told.forEach((row, device) => { row[reports[device] ?? 0] = (row[reports[device] ?? 0] ?? 0) + 1; });
    }
    const [together, separate] = told.map((row, device) => difference((counts[device] ?? []).map((count) => (
      row.reduce((sum, often, report) => sum + often * (count[report] ?? 0), 0) / stop))).value);
    estimates.joint.push(together ?? 0);
    estimates.apart.push(separate ?? 0);
  }
  return estimates;
}

/** Whose answers a word stands for. @param {number} word */
function drawn(word) {
  let sum = 0;
  const found = PEOPLE.findIndex((share) => (sum += share * 2 ** 32) > word);
  return found < 0 ? PEOPLE.length - 1 : found;
}
