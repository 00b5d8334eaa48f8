/** The slider's scale: equal steps multiply epsilon by the same factor, since 0.1 and 0.2 differ as much as 1 and 2. */

export const [LEAST, MOST] = [0.05, 10];
/** One press of an arrow key changes epsilon by about one per cent. */
export const STEPS = 500;

/** @param {number} position 0 to STEPS @returns {number} epsilon, with the digits that tell neighbours apart */
export function epsilonAt(position) {
  const share = Math.min(1, Math.max(0, position / STEPS));
  return Number((LEAST * (MOST / LEAST) ** share).toPrecision(3));
}

/** @param {number} epsilon @returns {number} the nearest position; an end where epsilon lies beyond it */
export function positionOf(epsilon) {
  const share = Math.log(Math.min(MOST, Math.max(LEAST, epsilon)) / LEAST) / Math.log(MOST / LEAST);
  return Math.round(STEPS * share);
}
