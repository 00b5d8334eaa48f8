/** The three mechanisms of the lesson: what can be set, and where the formulas of their loss are. Sensitivity is 1: the answers are 0 and 1. */

import * as theory from "../../theory/loss.js";
import { gaussianDensity, laplaceDensity } from "../../theory/noise.js";

/**
 * @typedef {object} Mechanism the parameter is the one that is set
 * @property {Pick<Setting, "min" | "max" | "step" | "log" | "value">} setting
 * @property {((distance: number, parameter: number) => number) | null} noise the density of the report around the answer
 * @property {(epsilon: number, parameter: number) => number} exceeds P(L > epsilon)
 * @property {(epsilon: number, parameter: number) => number} delta
 * @property {(parameter: number) => number} bound the greatest loss that there is
 * @property {(parameter: number) => number} far hardly any loss is greater
 */

/** @type {Record<string, Mechanism>} */
export const MECHANISMS = {
  response: {
    setting: { min: 0.1, max: 5, step: 0.1, value: 2 }, // the loss bound of the device
    noise: null,
    exceeds: theory.responseExceeds,
    delta: theory.responseDelta,
    bound: (bound) => bound,
    far: (bound) => bound,
  },
  laplace: {
    setting: { min: 0.2, max: 10, step: 0.02, log: true, value: 0.7 }, // b; the loss bound is 1/b
    noise: laplaceDensity,
    exceeds: (epsilon, scale) => theory.laplaceExceeds(epsilon, 1 / scale),
    delta: (epsilon, scale) => theory.laplaceDelta(epsilon, 1 / scale),
    bound: (scale) => 1 / scale,
    far: (scale) => 1 / scale,
  },
  gaussian: {
    setting: { min: 0.5, max: 5, step: 0.1, value: 1 }, // sigma; mu is 1/sigma
    noise: gaussianDensity,
    exceeds: (epsilon, sigma) => theory.gaussianExceeds(epsilon, 1 / sigma),
    delta: (epsilon, sigma) => theory.gaussianDelta(epsilon, 1 / sigma),
    bound: () => Infinity,
    far: (sigma) => theory.gaussianLossMean(1 / sigma) + 6 / sigma, // six standard deviations, each of 1/sigma
  },
};

const LEAST = 1e-12; // in place of 0, at which no delta is asked for

/** P(y with L > epsilon | a'), the chance of the same reports under the other answer: what the definition takes away, P(S | a) - delta = e^epsilon P(S | a'). @param {Mechanism} mechanism @param {number} epsilon @param {number} parameter */
export const otherExceeds = ({ exceeds, delta }, epsilon, parameter) => (exceeds(epsilon, parameter) - delta(epsilon, parameter)) * Math.exp(-epsilon);

/**
 * P(L > loss) for losses of either sign. The two answers are mirror images, so a loss below -l is as likely under a as one
 * above l is under a'.
 *
 * @param {Mechanism} mechanism @param {number} loss @param {number} parameter
 */
export const above = (mechanism, loss, parameter) => (loss >= 0
  ? mechanism.exceeds(Math.max(LEAST, loss), parameter) : 1 - otherExceeds(mechanism, -loss, parameter));
