/** The token of a one-time invitation: how a link carries it, how a tab keeps it until it is sent, and how it goes out. */

import { endDrawn, keyOf } from "./session.js";

const NAME = "invitation-token";
const LINK = /^#i=([\w-]{28})$/;

/** Of the part of an address that no server sees; empty where there is none, or it was cut off. @param {string} hash */
export const tokenIn = (hash) => LINK.exec(hash)?.[1] ?? "";

/** @param {string} token @returns {[string, string][]} */
export const sentWith = (token) => [[NAME, token]];

/**
 * What names an invitation where its token must not stand. Two halves of FNV-1a: WebCrypto is missing on plain http.
 *
 * @param {string} token
 */
export const markOf = (token) => token && [0x811c9dc5, 0x1b873593].map((basis) => (
  [...token].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, basis)
    .toString(16).padStart(8, "0"))).join("");

/** @param {string} fingerprint */
const place = (fingerprint) => `candor invitation ${fingerprint}`;

/** From the link, or from this tab before a reload. A link of another person erases the draw of the one before. @type {TakeInvitation} */
export function takeInvitation(storage, fingerprint, token) {
  const before = { mark: "", token: "", ...JSON.parse(storage.getItem(place(fingerprint)) ?? "{}") };
  if (!token) return before;
  const mark = markOf(token);
  if (before.mark && before.mark !== mark) endDrawn(storage, keyOf(fingerprint, before.mark));
  storage.setItem(place(fingerprint), JSON.stringify({ mark, token }));
  return { mark, token };
}

/** Sent or left: the token goes. Where taking part has ended, its mark says of whom. @type {DropInvitation} */
export function dropInvitation(storage, fingerprint, mark = "") {
  if (mark) storage.setItem(place(fingerprint), JSON.stringify({ mark }));
  else storage.removeItem(place(fingerprint));
}
