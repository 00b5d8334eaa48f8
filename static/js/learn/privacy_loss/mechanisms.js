/** The three mechanisms of the lesson: what can be set, and where the formulas of their loss are. Sensitivity is 1: the answers are 0 and 1. */

import * as theory from "../../theory/loss.js";
import { gaussianDensity, laplaceDensity } from "../../theory/noise.js";
import { millsRatio } from "../../theory/normal.js";

/**
 * @typedef {object} Mechanism the parameter is the one that is set
 * @property {Pick<Setting, "min" | "max" | "step" | "value">} setting
 * @property {(parameter: number) => readonly (readonly [number, number])[]} atoms losses that have a chance of their own, and that chance
 * @property {((loss: number, parameter: number) => number) | null} density of the other losses
 * @property {((distance: number, parameter: number) => number) | null} noise the density of the report around the answer
 * @property {(epsilon: number, parameter: number) => number} exceeds P(L > epsilon)
 * @property {(epsilon: number, parameter: number) => number} delta
 * @property {(epsilon: number, parameter: number) => [number, number]} losses from where to where the picture goes
 * @property {(epsilon: number, parameter: number) => number} end of the picture of what is beyond epsilon
 */

/** @param {number} bound @param {[number, number]} chances @returns {[number, number][]} */
const ends = (bound, [untrue, right]) => [[-bound, untrue], [bound, right]];

/** @param {number} epsilon @param {number} bound @returns {[number, number]} */
const around = (epsilon, bound) => [-1.15 * Math.max(bound, epsilon), 1.15 * Math.max(bound, epsilon)];

/** A little beyond the bound, so that its bar stands free. @param {number} epsilon @param {number} bound */
const beyond = (epsilon, bound) => (epsilon < bound ? bound + 0.15 * (bound - epsilon) : epsilon + 1);

/** @type {Record<string, Mechanism>} */
export const MECHANISMS = {
  response: {
    setting: { min: 0.1, max: 6, step: 0.1, value: 2 }, // the loss bound of the device
    atoms: (bound) => ends(bound, theory.responseAtoms(bound)),
    density: null,
    noise: null,
    exceeds: theory.responseExceeds,
    delta: theory.responseDelta,
    losses: around,
    end: beyond,
  },
  laplace: {
    setting: { min: 0.2, max: 10, step: 0.1, value: 0.5 }, // b; the loss bound is 1/b
    atoms: (scale) => ends(1 / scale, theory.laplaceAtoms(1 / scale)),
    density: (loss, scale) => theory.laplaceLossDensity(loss, 1 / scale),
    noise: laplaceDensity,
    exceeds: (epsilon, scale) => theory.laplaceExceeds(epsilon, 1 / scale),
    delta: (epsilon, scale) => theory.laplaceDelta(epsilon, 1 / scale),
    losses: (epsilon, scale) => around(epsilon, 1 / scale),
    end: (epsilon, scale) => beyond(epsilon, 1 / scale),
  },
  gaussian: {
    setting: { min: 0.3, max: 5, step: 0.1, value: 2 }, // sigma; mu is 1/sigma
    atoms: () => [],
    density: (loss, sigma) => theory.gaussianLossDensity(loss, 1 / sigma),
    noise: gaussianDensity,
    exceeds: (epsilon, sigma) => theory.gaussianExceeds(epsilon, 1 / sigma),
    delta: (epsilon, sigma) => theory.gaussianDelta(epsilon, 1 / sigma),
    losses: (epsilon, sigma) => [Math.min(-1 / sigma, far(-4, sigma)), Math.max(far(4, sigma), 1.1 * epsilon)],
    // Mills' ratio times the deviation is about how far the losses beyond epsilon lie beyond it.
    end: (epsilon, sigma) => Math.max(far(4, sigma), epsilon + 6 / sigma * millsRatio(Math.max(0, epsilon * sigma - 0.5 / sigma))),
  },
};

/** So many standard deviations from the mean loss. @param {number} deviations @param {number} sigma */
const far = (deviations, sigma) => theory.gaussianLossMean(1 / sigma) + deviations / sigma; // the deviation is mu
