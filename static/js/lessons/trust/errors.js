/** How far the estimate of a share is off in each of the three models, at the same epsilon towards those who are not trusted. */

import { centralError, localEpsilon, localError, samplingError } from "../../theory/shuffle.js";

export const DELTA = 1e-6;
export const MODELS = /** @type {const} */ (["local", "shuffled", "central"]);
/** @typedef {typeof MODELS[number]} Model */

/** Epsilons of one shuffled report by respondents, at the epsilon that is shown: each takes a search. */
let known = { epsilon: NaN, losses: /** @type {Map<number, number>} */ (new Map()) };

/** The epsilon of each report, or null where the answer itself is sent. @param {Model} model @param {number} epsilon @param {number} n */
export function own(model, epsilon, n) {
  if (model !== "shuffled") return model === "local" ? epsilon : null;
  if (known.epsilon !== epsilon) known = { epsilon, losses: new Map() };
  const seen = known.losses.get(n) ?? localEpsilon(epsilon, n, DELTA);
  known.losses.set(n, seen);
  return seen;
}

/** Its standard error; for a share of 0 it is that of the noise alone. @param {Model} model @param {number} share @param {number} epsilon @param {number} n */
export function error(model, share, epsilon, n) {
  const each = own(model, epsilon, n);
  return each === null ? centralError(share, epsilon, n) : localError(share, each, n);
}

/** Without any noise. */
export const floor = samplingError;
