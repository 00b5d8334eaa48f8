/** Chances of every size: as decimals while they can be read, as powers of ten below. */

import { number } from "./words.js";
import { own } from "../page/page.js";

const READABLE = 1e-4;

/** @param {number} value @param {number} [digits] that count */
export function chance(value, digits = 4) {
  if (value === 0 || value >= READABLE) return value.toLocaleString(own(), { maximumSignificantDigits: digits });
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 2).split("e");
  return `${number(Number(mantissa))} × ${ten(Number(exponent))}`;
}

/** 10 with its exponent raised; 1 is 1. @param {number} exponent */
export const ten = (exponent) => (exponent === 0 ? "1" : `10${[...String(exponent)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")}`);
