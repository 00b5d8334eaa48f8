/** What somebody typed into a field: a number of its range, or what is wrong with it. */

/** @param {string} typed @param {Pick<Setting, "min" | "max" | "whole">} setting @returns {Reading} */
export function read(typed, { min, max, whole }) {
  const text = typed.trim().replace("−", "-");
  if (text === "") return { problem: "control.empty" };
  // Number() alone would take 0x10 and Infinity, and a comma may stand for a point or for a thousand.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { problem: "control.number" };
  const value = Number(text);
  if (!(value >= min && value <= max)) return { problem: "control.range" };
  if (whole && !Number.isInteger(value)) return { problem: "control.whole" };
  return { value };
}
