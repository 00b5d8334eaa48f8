/** A number as people type it: with a point or a comma, whichever their keyboard has. */

/** @param {string} typed full-width digits and signs become plain ones, but 5² is not 52 */
const plain = (typed) => typed.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).trim().replace("\u2212", "-").replace(",", ".");

/** @param {string} typed @returns {number} NaN where it is no number, or has a mark between thousands as well */
export function readDecimal(typed) {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain(typed)) ? Number(plain(typed)) : NaN;
}

/**
 * Whether it is a thousand to one reader and one to another: "1,000", unless the question asks for thousandths.
 *
 * @param {string} typed
 * @param {number} digits that count after the point
 */
export const isAmbiguous = (typed, digits) => digits < 3 && /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(plain(typed));
