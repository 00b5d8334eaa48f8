/** The numbers of an exercise: those that it is posed with, in sets that everybody can name, and those that follow from them. */

import { requireWhole } from "../theory/requirements.js";

/** So many sets have a number; which of them is meant stands in the address of the page. */
export const SETS = 100;

const AS_WRITTEN = 12; // digits after the point: a posed number shows all that it has

/**
 * In the next set every number is the next of its list, and after the last the first. So no two neighbouring sets pose the
 * same, and where the lengths of two lists share no factor, every two of their numbers meet.
 *
 * @template {string} Name
 * @param {Record<Name, readonly number[]>} lists of each posed number, two or more
 * @param {(posed: Record<Name, number>) => Shown} follow what is worked out, and how many digits after the point it shows
 * @returns {Exercise}
 */
export function exercise(lists, follow) {
  return (set) => {
    requireWhole("set", set, 1, SETS);
    const names = /** @type {Name[]} */ (Object.keys(lists));
    const posed = /** @type {Record<Name, number>} */ (Object.fromEntries(names.map((name) => [name, lists[name][(set - 1) % lists[name].length]])));
    return { ...Object.fromEntries(names.map((name) => [name, /** @type {const} */ ([posed[name], AS_WRITTEN])])), ...follow(posed) };
  };
}
