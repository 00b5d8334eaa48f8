/** What independent reports tell together: their losses add, as random variables. */

import { combined, curve } from "./curve.js";

/** How many losses are added up one by one, before all are moved to a grid. */
const MOST_LOSSES = 2 ** 13;
/** Sums of less chance are left out. */
const NEGLIGIBLE = 1e-14;
/** More reports tell no less: once these are certain, all are. @param {Loss} told */
const isCertain = (told) => curve(told)(0) > 1 - 1e-8;
/** @type {Loss} */
const EVERYTHING = [{ loss: Infinity, chance: 1 }];
/** Beyond this loss, on either side, the chance counts as if it told everything: less than 1e-8. */
const FAR = 20;

/** The loss of independent reports together: sums, merged where they are equal; on a grid where they become many. @type {Composed} */
export function composed(parts) {
  /** @type {Loss} */
  let sums = [{ loss: 0, chance: 1 }];
  /** @type {Loss[]} */
  const left = [];
  for (const [told, times] of parts) {
    // The sums of one kind of report by themselves: they are few, as long as its losses are.
    let own = told;
    let turn = 1;
    for (; turn < times && own.length * told.length <= MOST_LOSSES; turn += 1) {
      own = combined(own, told).filter(({ chance }) => chance > NEGLIGIBLE);
      if (Number.isInteger(Math.log2(turn)) && isCertain(own)) return EVERYTHING;
    }
    for (const more of [own, ...Array(times - turn).fill(told)]) {
      if (sums.length * more.length <= MOST_LOSSES) sums = combined(sums, more);
      else left.push(more);
    }
  }
  return left.length ? onGrid([sums, ...left]) : sums;
}

/**
 * Each loss goes to its two neighbours l < u on a grid, so that both answers keep their mass:
 * P = P_l + P_u and P e^-loss = P_l e^-l + P_u e^-u. That takes nothing from any delta (Doroshenko et al. 2022,
 * Connect the Dots, PoPETs 2022(4)), and adds to the variance at most a quarter of the squared step. The step is so
 * small that this moves the figure by less than 1e-4. What falls off the grid counts as if it told everything.
 *
 * @type {OnGrid}
 */
function onGrid(parts) {
  const spread = parts.reduce((sum, told) => sum + variance(told), 0);
  const step = Math.min(0.02, Math.sqrt(0.001 * Math.sqrt(spread) / parts.length));
  const reach = parts.reduce((sum, told) => sum + Math.max(0, ...told.map(({ loss }) => (loss === Infinity ? 0 : Math.abs(loss)))), 0);
  const half = Math.ceil(Math.min(FAR, reach) / step) + 1;
  let mass = new Float64Array(2 * half + 1);
  mass[half] = 1;
  for (const told of parts) {
    const next = new Float64Array(mass.length);
    for (const [shift, chance] of cells(told, step, half)) {
      for (let place = Math.max(0, -shift); place < Math.min(mass.length, mass.length - shift); place += 1) {
        next[place + shift] = (next[place + shift] ?? 0) + chance * (mass[place] ?? 0);
      }
    }
    mass = next;
  }
  const told = Array.from(mass, (chance, place) => ({ loss: step * (place - half), chance }));
  return [...told, { loss: Infinity, chance: Math.max(0, 1 - mass.reduce((sum, chance) => sum + chance, 0)) }];
}

/** A loss on the grid: step -> chance. @param {Loss} told @param {number} step @param {number} half */
function cells(told, step, half) {
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const { loss, chance } of told) {
    const lower = Math.floor(loss / step);
    if (Math.abs(lower) > 2 * half) continue; // it would fall off, from wherever
    const upper = Math.expm1(step * lower - loss) / Math.expm1(-step);
    places.set(lower, (places.get(lower) ?? 0) + chance * (1 - upper));
    places.set(lower + 1, (places.get(lower + 1) ?? 0) + chance * upper);
  }
  return places;
}

/** @param {Loss} told */
function variance(told) {
  const finite = told.filter(({ loss }) => loss < Infinity);
  const mean = finite.reduce((sum, { loss, chance }) => sum + chance * loss, 0);
  return finite.reduce((sum, { loss, chance }) => sum + chance * (loss - mean) ** 2, 0);
}
