/** What the formulas may be asked for, in the words of survey/privacy/requirements.py. */

/** @param {unknown} value @returns {value is number} NaN is not a number here */
const isNumber = (value) => typeof value === "number" && !Number.isNaN(value);

/** @param {string} name @param {boolean} fits @param {string} range @param {unknown} value @throws {RangeError} unless it fits */
export function require(name, fits, range, value) {
  if (!fits) throw new RangeError(`${name} must be ${range}, got ${value}`);
}

/** A privacy loss, a scale or another number above 0; infinity is allowed. @param {string} name @param {number} value */
export function requirePositive(name, value) {
  require(name, isNumber(value) && value > 0, "a number above 0", value);
  return value;
}

/** @param {string} name @param {number} value */
export function requireProbability(name, value) {
  require(name, isNumber(value) && value >= 0 && value <= 1, "a number in [0, 1]", value);
  return value;
}

/** A share of a wheel that is not empty. @param {string} name @param {number} value */
export function requireShare(name, value) {
  require(name, isNumber(value) && value > 0 && value <= 1, "a number in (0, 1]", value);
  return value;
}

/** @param {number} value strictly between 0 and 1 */
export function requireDelta(value) {
  require("delta", isNumber(value) && value > 0 && value < 1, "a number in (0, 1)", value);
  return value;
}

/** @param {string} name @param {number} value @param {number} low @param {number} [high] */
export function requireWhole(name, value, low, high = Number.MAX_SAFE_INTEGER) {
  require(name, Number.isInteger(value) && value >= low && value <= high, `a whole number from ${low} to ${high}`, value);
  return value;
}

/** @param {readonly (readonly number[])[]} chances `chances[answer][report]`: rows of probabilities that add up to 1 */
export function requireChances(chances) {
  for (const row of chances) {
    for (const chance of row) requireProbability("chances", chance);
    const total = row.reduce((sum, chance) => sum + chance, 0);
    require("chances", row.length === chances[0]?.length && Math.abs(total - 1) <= 1e-9, "rows of one length that add up to 1", `[${row}]`);
  }
  return chances;
}

/** @param {readonly number[]} prior one probability for each answer, adding up to 1 @param {number} answers */
export function requirePrior(prior, answers) {
  require("prior", prior.length === answers, `${answers} numbers, one for each answer`, `[${prior}]`);
  for (const probability of prior) requireProbability("prior", probability);
  const total = prior.reduce((sum, probability) => sum + probability, 0);
  require("prior", Math.abs(total - 1) <= 1e-9, "numbers that add up to 1", `[${prior}]`);
  return prior;
}
