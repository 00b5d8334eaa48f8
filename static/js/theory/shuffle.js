/** What the published count of a yes/no question reveals of one person, as survey/privacy/shuffle.py computes it. */

import { requireDelta, requirePositive, requireProbability, requireWhole } from "./requirements.js";

const CUT = 1e-22; // chances smaller than this part of the largest are left out
const NEAREST = 8; // how many compositions of the others are tried at each end, where there are too many for all: the product tries more
const FEW = 100;
const MOST = 10 ** 6; // respondents
const NOTHING = 1e-15;
const CLOSE = 1e-10; // how far, in parts of itself, a searched number may be off

/** @typedef {{low: number, chances: Float64Array}} Counts the chances of low, low + 1, ...; elsewhere as good as 0 */

/**
 * The epsilon of a count of yes reports. Up to a hundred respondents it is exact; beyond, not all compositions of the others
 * are tried, and it may be too small: at a delta of 1e-6 by less than a thousandth part, at a large one by more. Somebody knows all answers but one; the others' count is Binomial(m, p) +
 * Binomial(n - 1 - m, q), p = E/(1 + E), q = 1 - p, and the person adds one with chance p or q. Let o(c) be the
 * chance that the others' count is c. For the sets c >= t, the difference of the two possibilities is (p - q) o(t - 1).
 *
 * @param {number} epsilon of one report @param {number} respondents n, at most a million @param {number} delta
 */
export function countEpsilon(epsilon, respondents, delta) {
  const n = requireWhole("respondents", respondents, 1, MOST);
  const [p, q] = [1 / (1 + Math.exp(-requirePositive("epsilon", epsilon))), 1 / (1 + Math.exp(epsilon))];
  requireDelta(delta);
  const others = n - 1;
  // What holds for m, read from the other end, holds for n - 1 - m: half of them are enough.
  const most = n > FEW ? NEAREST - 1 : Math.floor(others / 2);
  let found = 0;
  let few = Float64Array.of(1);
  let many = binomial(others, q);
  for (let m = 0; m <= most; m += 1) {
    const count = sum(few, many.chances);
    found = Math.max(found, largestRatio(count, p, q, delta), largestRatio(count.reverse(), p, q, delta));
    few = sum(few, Float64Array.of(q, p));
    many = fewer(many, others - m, q);
  }
  return Math.log1p(found);
}

/**
 * The largest (A - delta - B)/B over the sets c >= t, A and B their chances under the two possibilities: so e^epsilon - 1.
 * The smallest epsilon that goes with delta is the largest of ln((A - delta)/B), for the best sets are of this kind.
 *
 * @param {Float64Array} others chances o of the others' count, or of how many of them said no
 * @param {number} p @param {number} q @param {number} delta
 */
function largestRatio(others, p, q, delta) {
  let [beyond, found] = [0, 0]; // chance of t or more
  for (let t = others.length; t >= 1; t -= 1) {
    const before = others[t - 1] ?? 0;
    found = Math.max(found, ((p - q) * before - delta) / (beyond + q * before)); // B = P(others >= t) + q o(t - 1)
    beyond += before;
  }
  return found;
}

/**
 * The largest epsilon of one report for which the published count keeps a smaller one: shuffling lets a respondent's own noise be so small.
 *
 * @param {number} epsilon of the published count @param {number} respondents n @param {number} delta
 */
export function localEpsilon(epsilon, respondents, delta) {
  requirePositive("epsilon", epsilon);
  // In logarithms the curve is nearly straight, but for a cliff; and where a count reveals nothing there is no logarithm.
  const excessAt = (/** @type {number} */ local) => Math.log(Math.max(countEpsilon(local, respondents, delta), NOTHING) / epsilon);
  // From above, where hardly anybody speaks by chance, counts are narrow and quickly seen through.
  let high = epsilon + 2 * Math.log(respondents) + 10;
  let above = excessAt(high);
  while (above < 0) { // where delta is nearly 1
    high *= 2;
    above = excessAt(high);
  }
  let low = epsilon; // the count never reveals more than the reports
  let below = -Infinity;
  for (let next = high / 2; below === -Infinity; next /= 2) {
    const place = Math.max(next, epsilon);
    const excess = excessAt(place);
    if (excess <= 0 || place === epsilon) [low, below] = [place, Math.min(excess, 0)];
    else [high, above] = [place, excess];
  }
  if (below === 0) return low;
  // A parabola backwards through the last three places where it can be trusted, and halving elsewhere: where so few speak by
  // chance that nobody might, a count hides people or does not, and the curve is a cliff. Chandrupatla (1997), A New Hybrid
  // Quadratic/Bisection Algorithm for Finding the Zero of a Nonlinear Function without Using Derivatives.
  let [newest, atNewest, across, atAcross] = [low, below, high, above]; // the root lies between these two
  for (let part = below / (below - above); ;) {
    const place = newest + part * (across - newest);
    const excess = excessAt(place);
    let [third, atThird] = [newest, atNewest];
    if (excess > 0 !== atNewest > 0) [third, atThird, across, atAcross] = [across, atAcross, newest, atNewest];
    [newest, atNewest] = [place, excess];
    if (Math.abs(excess) <= CLOSE) return place;
    const least = CLOSE * Math.max(newest, across) / Math.abs(across - newest);
    if (least > 0.5) return Math.min(newest, across);
    const [along, up] = [(newest - across) / (third - across), (atNewest - atAcross) / (atThird - atAcross)];
    part = up ** 2 < along && (1 - up) ** 2 < 1 - along
      ? atNewest / (atAcross - atNewest) * atThird / (atAcross - atThird)
        + (third - newest) / (across - newest) * atNewest / (atThird - atNewest) * atAcross / (atThird - atAcross)
      : 0.5;
    part = Math.min(1 - least, Math.max(least, part));
  }
}

/** Of a share that is estimated from local reports. @param {number} share pi @param {number} epsilon of one report @param {number} respondents n */
export function localError(share, epsilon, respondents) {
  // pi (1 - pi) + E/(E - 1)^2, and E/(E - 1)^2 = 1/(4 sinh(epsilon/2)^2)
  return Math.sqrt((between(share) + 1 / (4 * Math.sinh(requirePositive("epsilon", epsilon) / 2) ** 2)) / requireRespondents(respondents));
}

/** Of a share that somebody trusted has counted, with Laplace noise: one answer moves it by 1/n. @param {number} share pi @param {number} epsilon of what is published @param {number} respondents n */
export function centralError(share, epsilon, respondents) {
  const scale = 1 / (requireRespondents(respondents) * requirePositive("epsilon", epsilon)); // b = (1/n)/epsilon
  return Math.sqrt(between(share) / respondents + 2 * scale ** 2);
}

/** What is left without any noise, because not everybody was asked. @param {number} share pi @param {number} respondents n */
export function samplingError(share, respondents) {
  return Math.sqrt(between(share) / requireRespondents(respondents));
}

/** @param {number} share */
const between = (share) => requireProbability("share", share) * (1 - share);

/** @param {number} value */
const requireRespondents = (value) => requireWhole("respondents", value, 1);

/**
 * The chances of a binomial's counts. Each follows from its neighbour, beginning at the likeliest; what is far below it is 0.
 *
 * @param {number} trials @param {number} chance @returns {Counts}
 */
function binomial(trials, chance) {
  const odds = chance / (1 - chance);
  const mode = Math.min(trials, Math.floor((trials + 1) * chance));
  const up = /** @type {number[]} */ ([]);
  const down = /** @type {number[]} */ ([]);
  for (let c = mode, value = 1; value > CUT; c += 1) {
    up.push(value);
    value *= (trials - c) / (c + 1) * odds; // P(c + 1)/P(c)
  }
  for (let c = mode, value = c / ((trials - c + 1) * odds); value > CUT; c -= 1) {
    down.push(value);
    value *= (c - 1) / ((trials - c + 2) * odds); // P(c - 2)/P(c - 1)
  }
  const chances = Float64Array.from(down.reverse().concat(up));
  let total = 0;
  for (const value of chances) total += value;
  return { low: mode - down.length, chances: chances.map((value) => value / total) };
}

/** The same with one trial less: P(c; n - 1) = P(c; n) (n - c)/(n (1 - chance)). @param {Counts} counts @param {number} trials n @param {number} chance @returns {Counts} */
const fewer = ({ low, chances }, trials, chance) => (
  { low, chances: chances.map((value, index) => value * (trials - low - index) / (trials * (1 - chance))) });

/** The chances of the sum of two independent counts. @param {Float64Array} few @param {Float64Array} many */
function sum(few, many) {
  const together = new Float64Array(few.length + many.length - 1);
  for (let i = 0; i < few.length; i += 1) {
    const part = /** @type {number} */ (few[i]);
    for (let j = 0; j < many.length; j += 1) together[i + j] = /** @type {number} */ (together[i + j]) + part * /** @type {number} */ (many[j]);
  }
  return together;
}
