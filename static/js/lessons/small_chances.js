/** Chances of every size: as decimals while they can be read, as powers of ten below. */

import { fixed, number, significant } from "./words.js";

const READABLE = 1e-4;
const MINUTE = 1e-9; // from here on the exponent is long

/** @param {number} value @param {number} [digits] that count */
export function chance(value, digits = 4) {
  if (value === 0 || value >= READABLE) return significant(value, digits);
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 2).split("e");
  return `${number(Number(mantissa))} × ${ten(Number(exponent))}`;
}

/** So that figures below each other have the same digits; a power of ten has fewer, and is short enough for a column. @param {number} value */
export const inColumn = (value) => (value >= 0.1 ? fixed(value, 4) : chance(value, value < MINUTE ? 2 : value < READABLE ? 3 : 4));

/** 10 with its exponent raised; 1 is 1. @param {number} exponent */
export const ten = (exponent) => (exponent === 0 ? "1" : `10${[...String(exponent)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")}`);
