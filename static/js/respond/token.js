/** The token of a one-time invitation: how a link carries it, and how it goes out. */

const NAME = "invitation-token";
const LINK = /^#i=([\w-]{28})$/;

/** Of the part of an address that no server sees; empty where there is none, or it was cut off. @param {string} hash */
export const tokenIn = (hash) => LINK.exec(hash)?.[1] ?? "";

/** @param {string} token @returns {[string, string][]} */
export const sentWith = (token) => [[NAME, token]];

/**
 * What may have left keeps its receipt and its reports, and goes out with the token of the link that was opened last:
 * if it has arrived, its receipt alone decides. @type {Renewed}
 */
export function renewed(kept, token) {
  const sent = new URLSearchParams(kept.body);
  if (!token || !kept.body || sent.get(NAME) === token) return kept;
  sent.set(NAME, token);
  const { final: _, ...rest } = kept;
  return { ...rest, body: sent.toString() };
}
