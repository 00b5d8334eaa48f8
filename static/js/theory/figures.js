/** Unbiased figures of people's answers, from reports of any channel: what each report counts for, and how far that scatters. */

import { require, requireChances, requirePrior } from "./requirements.js";

/** @typedef {readonly (readonly number[])[]} Chances `chances[answer][report]` */

/**
 * The channel of two questions that are asked apart: a pair of answers gives a pair of reports. Pairs are in order, with the
 * second changing first.
 *
 * @param {Chances} first @param {Chances} second @returns {number[][]}
 */
export function apart(first, second) {
  requireChances(first);
  requireChances(second);
  return first.flatMap((mine) => second.map((theirs) => mine.flatMap((chance) => theirs.map((other) => chance * other))));
}

/**
 * What each report counts for, so that the mean over all reports estimates a figure without bias: the least-squares
 * estimate, which no other unbiased one beats where all answers are equally frequent. With m(y) the mean of P(y | a) over
 * the answers and M = sum over y of P(y | .) P(y | .)'/m(y) it is w' M^-1 P(y | .)/m(y). Pukelsheim (2006), Optimal
 * Design of Experiments, section 1.18.
 *
 * @param {Chances} chances @param {readonly number[]} figure what each answer counts for: w @returns {number[]} of each report
 */
export function counting(chances, figure) {
  requireChances(chances);
  require("figure", figure.length === chances.length, "a number for each answer", `[${figure}]`);
  const reports = chances[0]?.map((_, report) => chances.map((row) => row[report] ?? 0)) ?? [];
  const means = reports.map((column) => column.reduce((sum, chance) => sum + chance, 0) / column.length);
  const information = chances.map((mine) => chances.map((theirs) => (
    mine.reduce((sum, chance, report) => sum + chance * (theirs[report] ?? 0) / (means[report] ?? 1), 0))));
  const solved = solution(information, figure);
  return reports.map((column, report) => column.reduce((sum, chance, answer) => sum + chance * (solved[answer] ?? 0), 0) / (means[report] ?? 1));
}

/**
 * The variance over people of what a report counts for: n times that of the estimate.
 *
 * @param {Chances} chances @param {readonly number[]} shares of the answers @param {readonly number[]} counts of each report
 */
export function scatter(chances, shares, counts) {
  requirePrior(shares, requireChances(chances).length);
  const mean = (/** @type {(count: number) => number} */ of) => chances.reduce((sum, row, answer) => (
    sum + (shares[answer] ?? 0) * row.reduce((inner, chance, report) => inner + chance * of(counts[report] ?? 0), 0)), 0);
  return mean((count) => count ** 2) - mean((count) => count) ** 2;
}

/** The x with M x = w, by elimination; M is symmetric and positive, so its pivots need no search. @param {number[][]} matrix @param {readonly number[]} right */
function solution(matrix, right) {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  rows.forEach((pivot, place) => rows.forEach((row, index) => {
    if (index === place) return;
    const factor = (row[place] ?? 0) / (pivot[place] ?? 1);
    for (let column = place; column < row.length; column += 1) row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
  }));
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] ?? 1));
}
