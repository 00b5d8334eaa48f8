/** What a link asks for, read once at the start. What cannot be used is said at the first picture, which begins there as usual. */

import { element } from "../../page/page.js";
import { number, say } from "../words.js";
import { unasked, wanted } from "./address.js";
import { read } from "./read_number.js";

const LONGEST = 40; // characters of a value that are repeated
/** @type {Set<string>} a sentence for each */
const problems = new Set();

const shortened = (/** @type {string} */ value) => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);

/** @param {string} name in the address @param {number} usual @param {Pick<Setting, "min" | "max" | "whole"> & {label?: string}} setting */
export function wantedNumber(name, usual, setting) {
  const { min, max, whole, label = name } = setting;
  const asked = wanted(name);
  if (asked === null) return usual;
  const found = read(asked, setting);
  if ("value" in found) return found.value;
  problems.add(say(whole ? "link.whole" : "link.range", { name: label, low: number(min, 6), high: number(max, 6), value: shortened(asked) }));
  return usual;
}

/** Those of a few options that the address names, with commas between them, or the usual ones. @param {string} name @param {readonly string[]} options @param {readonly string[]} usual @param {string} [label] */
export function wantedAmong(name, options, usual, label = name) {
  const asked = wanted(name)?.split(",").filter(Boolean) ?? usual;
  for (const value of asked) if (!options.includes(value)) problems.add(say("link.choice", { name: label, value: shortened(value) }));
  return asked.filter((value) => options.includes(value));
}

// By then every part of the page has asked for its own.
addEventListener("load", () => {
  for (const name of unasked()) problems.add(say("link.unknown", { name: shortened(name) }));
  if (!problems.size) return;
  document.querySelector("section.trial")?.prepend(element("p.error.across", { role: "alert", "data-value": "unread" }, say("link.unread", { problems: [...problems].join(" ") })));
});
