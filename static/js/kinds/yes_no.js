/** Yes or no: two radios, and the wheel and coins of the mechanism. */

import { brightWeight, picture } from "../devices/device.js";
import { radios } from "./radios.js";
import { say, words } from "../page/page.js";
import { between } from "../chance/curve.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { isLogarithm, isWithinLoss } from "../chance/loss.js";
import { randomize, TOTAL } from "../chance/randomize.js";
import * as spinner from "../devices/wheel.js";

/** @type {OnlyPlain} */
const only = ({ columns: [column] }) => /** @type {any} */ (column);

export const reports = () => 2;

/** @type {Kind["keepsWord"]} */
export function keepsWord(question) {
  const column = only(question);
  return question.columns.length === 1 && isKept(question.mechanism, column) && (!column.by_hand || isKept("coin", column.by_hand));
}

/** @param {string} mechanism @param {Plain} promise */
const isKept = (mechanism, { weights, loss, epsilon }) => (
  brightWeight(mechanism, weights) >= 0 && isWithinLoss(weights, loss) && isLogarithm(epsilon, loss));

/** Whoever tosses real coins may lose more. @type {Kind["promises"]} */
export function promises(question) {
  const { by_hand: coins, ...device } = only(question);
  return [promised(coins && !isWithinLoss(coins.weights, device.loss) ? coins : device)];
}

/** Of two answers there is one pair, and its reverse tells the same: the coins are fair. @param {Plain} channel @returns {Promised} */
const promised = ({ weights: [no = [], yes = []], loss }) => ({ loss, pairs: [between(no, yes)] });

/** @type {Kind["device"]} */
export const device = (question) => spinner.device(question.mechanism, only(question).weights);

export const controls = () => radios([1, 0].map((answer) => [answer, words(`answer.${answer}`)]));

/** @type {Kind["invented"]} */
export const invented = () => ({ answer: 1, said: () => say("answer.1") });

/** @type {Kind["draw"]} */
export function draw(question, answer, drawWord) {
  const { name, weights } = only(question);
  const word = drawWord();
  return { reports: { [name]: randomize(weights, answer, word) }, picture: picture(question.mechanism, weights, answer, word) };
}

/** @type {Kind["explain"]} */
export const explain = (question, { bright }, reported) => words(
  bright && question.mechanism !== "coin" ? "wheel.kept" : `mechanism.${question.mechanism}.${bright ? "kept" : "chance"}`, () => ({ report: say(`answer.${reported[only(question).name]}`) }));

/** @type {Kind["recorded"]} */
export const recorded = (_question, _index, report) => say(`answer.${report}`);

/** @type {Kind["odds"]} */
export function odds(question, drawWord) {
  const { weights, loss, epsilon } = only(question);
  const reports = [promised({ weights, loss, epsilon })];
  const yes = () => say("answer.1");
  return {
    yes,
    shares: [1, 0].map((answer) => ({
      of: "odds.of",
      answer: () => say(`answer.${answer}`),
      share: (weights[answer]?.[1] ?? 0) / TOTAL,
      trial: () => randomize(weights, answer, drawWord()) === 1,
    })),
    // Beyond nine times in ten it would be untrue to say that the record shows nothing.
    so: words(timesTelling(reports) > 90 ? "odds.nearly" : "odds.so", () => ({ yes: yes() })),
    bound: words("odds.bound", () => ({ n: timesRight(reports) })),
    exact: words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
  };
}
