/** The Gaussian mechanism promises an epsilon with a small chance of an exception, delta: is that kept? */

import { knot, requireForm, rows } from "./compact_form.js";
import { isLogarithm } from "./loss.js";
import { TOTAL } from "./randomize.js";

/**
 * As `delta_weight` of survey/mechanisms/gaussian_mechanism.py. With R = numerator / denominator, delta of
 * two answers a, b is the sum over reports of max(0, P[a] - R P[b]). A row is a mixture I of two knots'
 * rows, every weight rounded up, so a term is at most max(0, I[a] + 1 - R I[b]). That is jointly convex,
 * so its sum is largest for two knots. Only the weight that the surplus was taken off may lie below I: the
 * most that its term can be is added.
 *
 * @param {Form} form `rows` at knots
 * @param {readonly number[]} ratio a fraction not above e^epsilon, as two integers
 * @param {number} deltaWeight the stated delta, out of 2**32
 */
export function isWithinDelta(form, ratio, deltaWeight) {
  try {
    requireForm(form);
    if (form.form !== "rows" || ratio.length !== 2) return false;
    const [numerator, denominator] = [BigInt(ratio[0] ?? 0), BigInt(ratio[1] ?? 0)];
    if (numerator < denominator || denominator <= 0n) return false;
    return worst(form, numerator, denominator) <= BigInt(deltaWeight) * denominator;
  } catch {
    return false;
  }
}

/**
 * @param {RowsForm} form
 * @param {bigint} numerator
 * @param {bigint} denominator
 * @returns {bigint} the largest delta of any two answers, times denominator * 2**32
 */
function worst(form, numerator, denominator) {
  const knots = Array.from({ length: form.knots }, (_, index) => knot(form, index).map(BigInt));
  const gained = knots.map((weights) => weights.map((weight) => denominator * (weight + 1n)));
  const allowed = knots.map((weights) => weights.map((weight) => numerator * weight));
  let most = 0n;
  for (const gains of gained) {
    for (const limits of allowed) {
      let delta = 0n;
      gains.forEach((gain, report) => {
        const more = gain - (limits[report] ?? 0n);
        if (more > 0n) delta += more;
      });
      if (delta > most) most = delta;
    }
  }
  let [high, low] = [0, TOTAL];
  for (const weights of rows(form)) {
    const likeliest = Math.max(...weights);
    [high, low] = [Math.max(high, likeliest), Math.min(low, likeliest)];
  }
  const excepted = denominator * BigInt(high) - numerator * BigInt(low - (form.rows[0]?.length ?? 0));
  return excepted > 0n ? most + excepted : most;
}

/**
 * @param {number} epsilon the decimal that people read
 * @param {number} delta
 * @param {readonly number[]} ratio
 * @param {number} deltaWeight
 * @returns {boolean} whether they are the logarithm of the ratio, to 1e-9, and no less than the weight
 */
export function isGuarantee(epsilon, delta, ratio, deltaWeight) {
  return isLogarithm(epsilon, ratio) && deltaWeight <= delta * TOTAL && delta < 1;
}
