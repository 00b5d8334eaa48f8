/** A survey with two coins among people whose answers are known: who is recorded as what, and what follows from the records. */

import { randomize, TOTAL } from "../../chance/randomize.js";
import { spinnerCoinChances, TWO_COINS } from "../../theory/response.js";
import { countDeviation } from "../../theory/spread.js";

/** `CHANCES[answer][report]`, no and yes. */
export const CHANCES = spinnerCoinChances(TWO_COINS);

/** The same in the integers that a draw takes. */
export const CHANNEL = CHANCES.map((row) => row.map((chance) => chance * TOTAL));

/**
 * Everybody tosses, with a word each: the product's own draw.
 *
 * @param {number} yes how many of the people would answer yes @param {Uint32Array} words one for each person
 * @returns {number[][]} people, `counts[answer][report]`
 */
export function survey(yes, words) {
  const recorded = [0, 0]; // as yes, by answer
  words.forEach((word, person) => {
    const answer = Number(person < yes);
    recorded[answer] = (recorded[answer] ?? 0) + randomize(CHANNEL, answer, word);
  });
  return [words.length - yes, yes].map((people, answer) => [people - (recorded[answer] ?? 0), recorded[answer] ?? 0]);
}

/**
 * From the records alone: the coins said yes for a quarter of the people and no for another, on average; what is left comes
 * from half of the people, and is doubled.
 *
 * @param {readonly (readonly number[])[]} counts of `survey`
 */
export function analysis(counts) {
  const [no, yes] = [0, 1].map((report) => counts.reduce((sum, row) => sum + (row[report] ?? 0), 0));
  const [sorted, people] = [{ yes: yes ?? 0, no: no ?? 0 }, (yes ?? 0) + (no ?? 0)];
  const coins = people * (1 - TWO_COINS) / 2; // n (1 - p)/2 of either record
  const left = { yes: sorted.yes - coins, no: sorted.no - coins };
  return { people, sorted, coins, left, estimate: left.yes / TWO_COINS }; // n (pi_noisy - (1 - p)/2)/p = 2 yes - n/2
}

/**
 * How far the estimate is typically off, in people: its standard deviation over the coins alone. It is the same however
 * many of the people would answer yes, because the chances of 3/4 and of 1/4 scatter alike.
 *
 * @param {number} people
 */
export const deviation = (people) => countDeviation(people, CHANCES[1]?.[1] ?? 0) / TWO_COINS; // sqrt(3n/16)/p
