/** From numbers to places along an axis, and the few round numbers that are written at it. */

const STEPS = [1, 2, 5];

/** @param {Axis} axis @param {number} start in pixels @param {number} end @returns {Scale} */
export function scale({ from, to, log = false }, start, end) {
  if (!(to > from) || (log && !(from > 0))) throw new RangeError(`axis must run from one number to a greater one, got ${from} to ${to}`);
  const turn = log ? Math.log10 : (/** @type {number} */ value) => value;
  return (value) => start + (end - start) * (turn(value) - turn(from)) / (turn(to) - turn(from));
}

/**
 * Round numbers in a range: steps of 1, 2 or 5 times a power of ten; on a logarithmic axis powers of ten. Never fewer than
 * two, even if that is more than there is room for: a single number says nothing of the scale. Beside 0, two are better.
 *
 * @param {Axis} axis @param {number} most how many there is room for, at least 2
 */
export function ticks({ from, to, log = false, ticks: chosen }, most) {
  if (chosen) return [...chosen];
  if (log) return decades(Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9), most);
  const rough = (to - from) / Math.max(1, most - 1);
  const power = Math.floor(Math.log10(rough));
  let step = STEPS.findIndex((factor) => factor * 10 ** power >= rough * (1 - 1e-9)) + 3 * power;
  if (step < 3 * power) step = 3 * power + 3;
  const finer = () => multiples((STEPS.at(step % 3) ?? 1) * 10 ** Math.floor(step / 3), from, to);
  let found = finer();
  for (step -= 1; found.length < 2; step -= 1) found = finer();
  const more = finer();
  return from < 0 && to > 0 && found.length === 2 && found.includes(0) && more.length <= most + 1 ? more : found;
}

/** @param {number} step @param {number} from @param {number} to */
function multiples(step, from, to) {
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** @param {number} first @param {number} last @param {number} most */
function decades(first, last, most) {
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => Number(`1e${first + index * step}`));
}
