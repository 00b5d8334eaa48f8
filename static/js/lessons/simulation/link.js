/** A setting as the fragment of an address, to be shared. A browser sends a fragment to nobody. */

import { read } from "../controls/read_number.js";

/** What can be set, in whole percent for people; the slider and the field obey the same ranges. */
export const RANGES = {
  epsilon: { min: 0.05, max: 6 },
  respondents: { min: 10, max: 100_000, whole: true },
  share: { min: 0, max: 100 },
  seed: { min: 0, max: 2 ** 32 - 1, whole: true },
};

export const FEWEST = 2;
export const MOST = 10;
/** Characters in the name of a box. */
export const LONGEST = 60;

/**
 * @typedef {object} State
 * @property {number} epsilon of one box
 * @property {number} respondents
 * @property {number} seed of the generator: the same people, and the same luck
 * @property {{name: string, share: number}[]} boxes share in percent
 */

/** @param {State} state */
export function writeLink({ epsilon, respondents, seed, boxes }) {
  return `#${new URLSearchParams([
    ["epsilon", String(epsilon)], ["respondents", String(respondents)], ["seed", String(seed)],
    ...boxes.map(({ name, share }) => ["box", `${share} ${name}`]),
  ])}`;
}

/** @param {string} fragment @returns {State | null} nothing unless all of it can be used */
export function readLink(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const boxes = parameters.getAll("box").map((box) => {
    const [, share = "", name = ""] = /^(\S+) (.*)$/.exec(box) ?? [];
    return { name: name.trim().slice(0, LONGEST), share: inRange(share, RANGES.share) };
  });
  const [epsilon, respondents, seed] = /** @type {const} */ (["epsilon", "respondents", "seed"])
    .map((key) => inRange(parameters.get(key) ?? "", RANGES[key]));
  const numbers = [epsilon, respondents, seed, ...boxes.map(({ share }) => share)];
  if (numbers.some((value) => value === null) || boxes.length < FEWEST || boxes.length > MOST) return null;
  return /** @type {State} */ ({ epsilon, respondents, seed, boxes });
}

/** @param {string} typed @param {{min: number, max: number, whole?: boolean}} range */
function inRange(typed, range) {
  const found = read(typed, range);
  return "value" in found ? found.value : null;
}
