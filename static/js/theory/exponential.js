/**
 * The exponential mechanism for one of k ordered choices: a report is the likelier, the nearer it is to the answer.
 * Beside it stands the wheel over the same choices.
 */

import { TOTAL } from "../chance/randomize.js";
import { requirePositive, requireWhole } from "./requirements.js";

/**
 * The score u of every report under every answer: the nearer to it, the higher.
 *
 * @param {number} categories k @returns {number[][]} `[answer][report]`, from 1 - k to 0
 */
export function scores(categories) {
  const places = Array.from({ length: requireCategories(categories) }, (_, index) => index);
  return places.map((answer) => places.map((report) => 0 - Math.abs(answer - report))); // u = -|a - r|, and never -0
}

/**
 * P(report r | answer a), proportional to exp(s u(a, r)). McSherry & Talwar (2007), Mechanism Design
 * via Differential Privacy; Dwork & Roth (2014), section 3.4.
 *
 * @param {number} categories k @param {number} scale s @returns {number[][]} `[answer][report]`
 */
export function exponentialChances(categories, scale) {
  const u = scores(categories);
  requirePositive("scale", scale);
  return u.map((row) => {
    const parts = row.map((score) => Math.exp(scale * score));
    const total = parts.reduce((sum, part) => sum + part, 0);
    return parts.map((part) => part / total);
  });
}

/** @param {number} categories k @param {number} epsilon */
export function textbookScale(categories, epsilon) {
  return requirePositive("epsilon", epsilon) / (2 * (requireCategories(categories) - 1)); // epsilon/(2 sensitivity of u)
}

/**
 * The largest scale whose loss is at most epsilon. The worst column is that of an end: P(0 | 0)/P(0 | k - 1) =
 * exp(s (k - 1)), for the two rows are each other's mirror and share one total. The product, whose scores may be any,
 * searches for it: survey/mechanisms/exponential_mechanism.py.
 *
 * @param {number} categories k @param {number} epsilon
 */
export function tightScale(categories, epsilon) {
  return requirePositive("epsilon", epsilon) / (requireCategories(categories) - 1); // epsilon/(sensitivity of u)
}

/**
 * The wheel over k options (k-ary randomized response): bright keeps the answer, dark draws one of all options.
 * Kairouz, Bonawitz & Ramage (2016), Discrete Distribution Estimation under Local Privacy, section 3.1.
 *
 * @param {number} categories k @param {number} epsilon above 0 @returns {number[][]} `[answer][report]`
 */
export function wheelChances(categories, epsilon) {
  const other = 1 / (Math.exp(requirePositive("epsilon", epsilon)) + requireCategories(categories) - 1); // 1/(E + k - 1)
  return Array.from({ length: categories }, (_, answer) => (
    Array.from({ length: categories }, (_, report) => (report === answer ? 1 - (categories - 1) * other : other))));
}

/**
 * The integers of this wheel, as static/js/chance/randomize.js takes them. A survey's own come from exact arithmetic on
 * the server; these are from the same formula in floating point.
 *
 * @param {number} categories k @param {number} epsilon above 0 @returns {number[][]} `[answer][report]`
 */
export function wheelWeights(categories, epsilon) {
  const other = Math.ceil(TOTAL / (Math.exp(requirePositive("epsilon", epsilon)) + requireCategories(categories) - 1)); // rounded towards privacy
  return Array.from({ length: categories }, (_, answer) => (
    Array.from({ length: categories }, (_, report) => (report === answer ? TOTAL - (categories - 1) * other : other))));
}

/** The mean squared distance of a report from an answer. @param {readonly (readonly number[])[]} chances @param {number} answer */
export function squaredDistance(chances, answer) {
  requireWhole("answer", answer, 0, chances.length - 1);
  return (chances[answer] ?? []).reduce((sum, chance, report) => sum + chance * (report - answer) ** 2, 0);
}

/** @param {number} value */
const requireCategories = (value) => requireWhole("categories", value, 2, 50);
