/** What somebody typed into a field: a number of its range, or what is wrong with it. */

/** @param {string} typed @param {Pick<Setting, "min" | "max" | "whole">} setting @returns {Reading} */
export function read(typed, { min, max, whole }) {
  const text = typed.trim().replace("−", "-");
  if (text === "") return { problem: "control.empty" };
  // Commas as the page writes them, between groups of three; any other comma may stand for a point, and is asked about.
  const plain = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text;
  // Number() alone would take 0x10 and Infinity.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { problem: whole ? "control.digits" : "control.number" };
  const value = Number(plain);
  if (!(value >= min && value <= max)) return { problem: "control.range" };
  if (whole && !Number.isInteger(value)) return { problem: "control.whole" };
  return { value };
}
