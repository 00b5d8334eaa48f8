/** A wheel with a bright side that keeps the answer, and as many equal dark slices as there are reports. */

import { TOTAL } from "../chance/randomize.js";

/**
 * The weights of such a wheel, from a window of width 1 over all reports, or of a channel of two.
 *
 * @param {WindowsForm} form
 * @returns {{send: number, keep: number, slices: number}} words out of 2**32: each dark slice, and the bright one
 */
export function sliceWeights({ windows: [[slices = 0, , , send = 0] = []] }) {
  return { send, keep: TOTAL - slices * send, slices };
}

/**
 * The first words of every column are the slice that sends its report; what is left of it keeps the answer.
 *
 * @param {readonly number[]} row the weights of the reports under the true answer
 * @param {number} send
 * @param {number} report
 * @param {number} word the same one that drew the report
 * @returns {Picture}
 */
export function slicePicture(row, send, report, word) {
  const offset = word - row.slice(0, report).reduce((sum, weight) => sum + weight, 0);
  const bright = offset >= send;
  return {
    bright,
    side: bright ? null : report,
    place: bright ? (offset - send + 0.5) / ((row[report] ?? 0) - send) : (offset + 0.5) / send,
  };
}
