/** The contacts in an author's text as links: web, mail and telephone, and nothing else. */

import { element } from "../page/element.js";

/**
 * In plain ASCII, so that a Korean particle or a full stop may follow at once. A telephone number begins with + or 0
 * and has seven digits or more; a short one is written `tel:112`. So a year, a date or a price is none.
 */
const CONTACT = new RegExp([
  String.raw`(?<web>https://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#](?:[\w./?#@!$&'*+,;=:%~-]*[\w/#=&~-])?)?)`,
  String.raw`(?:mailto:)?(?<mail>[\w.+%-]+@[\w-]+(?:\.[\w-]+)+)`,
  String.raw`tel:(?<short>\+?\d[\d ()-]*\d)`,
  String.raw`(?<![\w.,/-])(?<long>(?:\+\d|\(?0\d)(?:[ ()-]{0,2}\d){5,13})(?![\w/])`,
].join("|"), "gu");

/** @type {Contacts} */
export function contacts(text) {
  /** @type {[string, string?][]} */
  const parts = [];
  let end = 0;
  for (const { 0: whole, index, groups: { web, mail, short, long } = {} } of text.matchAll(CONTACT)) {
    const number = short ?? long ?? "";
    parts.push([text.slice(end, index)],
      web ? [web, web] : mail ? [mail, `mailto:${mail}`] : [number, `tel:${number.replace(/[^+\d]/g, "")}`]);
    end = index + whole.length;
  }
  return [...parts, /** @type {[string]} */ ([text.slice(end)])].filter(([shown]) => shown);
}

/** A web page opens elsewhere, and does not learn from where. @param {string} text @returns {(string | HTMLAnchorElement)[]} */
export const linked = (text) => contacts(text).map(([shown, href]) => (href
  ? element("a", { href, ...(href.startsWith("https:") && { target: "_blank", rel: "noopener noreferrer" }) }, shown) : shown));
