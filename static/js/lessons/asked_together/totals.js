/** Two, three and four questions, apart and together: what a share needs, what a pair needs, and how often a guess is right. */

import { counting, scatter } from "../../theory/figures.js";
import { spinnerCoinChances } from "../../theory/response.js";
import { dataTable } from "../data_table.js";
import { part } from "../places.js";
import { inHundred } from "../rounding.js";
import { fixed, number, say } from "../words.js";
import { brightOfEach, brightOfOne } from "./pair.js";
import { rightGuesses } from "./right_guesses.js";

const QUESTIONS = [2, 3, 4]; // with a total of as much: an epsilon of 1 for each
const SHARE = 0.2;

/** n times the variance of the share of yes, at a bright share. @param {number} bright */
function scattered(bright) {
  const chances = spinnerCoinChances(bright);
  return scatter(chances, [1 - SHARE, SHARE], counting(chances, [0, 1]));
}

const rows = QUESTIONS.map((questions) => {
  const [each, one] = [brightOfEach(questions, questions), brightOfOne(questions, 2 ** questions)];
  const times = rightGuesses(questions, questions);
  return [number(questions), `${inHundred(each)}%`, `${inHundred(one)}%`, fixed(scattered(each) / scattered(one), 1),
    fixed((one / each ** 2) ** 2, 1), number(times.apart), number(times.joint)]; // a pair whose answers are independent, at one half
});
part("totals").append(dataTable(say("totals.caption"), ["questions", "apart", "joint", "share", "pair", "guess_apart", "guess_joint"].map((column) => say(`totals.${column}`)), rows));
