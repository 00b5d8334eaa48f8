/** The words and numbers of a lesson, in the one language in which the page was asked for. */

import { island, own, speak } from "../page/page.js";

const language = document.documentElement.lang;
speak({ [language]: island("messages") }, [language], [language]);

export { say } from "../page/page.js";

/** @type {Map<string, Intl.NumberFormat>} each is made once: that takes far longer than to write a number with it */
const formats = new Map();

/** @param {number} value @param {Intl.NumberFormatOptions} options */
function written(value, options) {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(own(), options); // the page keeps one language
  formats.set(key, format);
  return format.format(value).replace("-", "−");
}

/** @param {number} value @param {number} [digits] after the point, at most @param {number} [least] at least */
export const number = (value, digits = 3, least = 0) => written(value, { minimumFractionDigits: least, maximumFractionDigits: digits });

/** Always with so many digits after the point, as in a column. @param {number} value @param {number} digits */
export const fixed = (value, digits) => number(value, digits, digits);

/** @param {number} value @param {number} digits that count */
export const significant = (value, digits) => written(value, { maximumSignificantDigits: digits });

/** @param {number} share @param {number} [digits] after the point of the percentage */
export const percent = (share, digits = 1) => written(share, { style: "percent", maximumFractionDigits: digits });
