/** The steps of a walk on a scale of log-odds, and what of them is inside a picture. */

export const EDGE = 7.6; // log-odds at which the picture ends
export const GAP = /** @type {XY} */ ([NaN, NaN]);

/** The log-odds after each report: a Yes is a step up, a No a step down. @param {readonly number[]} reports @param {number} epsilon @returns {XY[]} */
export function steps(reports, epsilon) {
  let at = 0;
  return [[0, 0], ...reports.map((report, index) => /** @type {XY} */ ([index + 1, at += report ? epsilon : -epsilon]))];
}

/** As much of a line as is inside, to the very edge; a gap where it is not. @param {readonly XY[]} points @returns {XY[]} */
export function inside(points) {
  return points.flatMap(([x, y], index) => {
    const [before, height] = points[index - 1] ?? [x, y];
    const [was, is] = [Math.abs(height) <= EDGE, Math.abs(y) <= EDGE];
    if (was && is) return [/** @type {const} */ ([x, y])];
    if (!was && !is) return [];
    const edge = Math.sign(is ? height : y) * EDGE;
    const crossed = /** @type {const} */ ([before + (x - before) * (edge - height) / (y - height), edge]);
    return is ? [crossed, /** @type {const} */ ([x, y])] : [crossed, GAP];
  });
}
