/** How likely each loss is: the loss as a random variable, in steps of one width, so that all bars are probabilities. */

import { bar, label, line } from "../drawing/marks.js";
import { chance } from "../small_chances.js";
import { number, say } from "../words.js";
import { above } from "./mechanisms.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */
/** @typedef {import("./sorted_losses.js").Device} Device */

const WIDE = 0.5;
const LEAST = 1e-4; // that can be seen, and written with digits
const ENDS = { from: -6, to: 8 };
const STEPS = Array.from({ length: (ENDS.to - ENDS.from) / WIDE }, (_, index) => ENDS.from + index * WIDE);

/** The probabilities of the losses in (low, low + WIDE]. @param {Mechanism} mechanism @param {number} parameter @returns {XY[]} the lower end, and the probability */
export const stepped = (mechanism, parameter) => STEPS.map((low) => [low, Math.max(0, above(mechanism, low, parameter) - above(mechanism, low + WIDE, parameter))]);

/** @param {Device} device @param {number} epsilon @returns {PlotPicture} */
export function losses({ kind, mechanism, parameter }, epsilon) {
  const bars = stepped(mechanism, parameter).filter(([, probability]) => probability > LEAST);
  const beyond = (/** @type {number} */ low) => Math.max(0, above(mechanism, Math.max(low, epsilon), parameter) - above(mechanism, low + WIDE, parameter));
  return {
    caption: say("losses.caption", { mechanism: say(`set.${kind}`, { value: number(parameter) }) }),
    name: say("losses.name", { epsilon: number(epsilon), tail: chance(mechanism.exceeds(epsilon, parameter)) }),
    x: { title: say("sorted.loss"), ...ENDS },
    y: { title: say("losses.chance"), from: 0, to: 1, ticks: [0, 0.5, 1] },
    marks: [
      ...bars.flatMap(([low, probability]) => [
        bar({ x: low + WIDE / 2, y: probability, width: WIDE, look: "soft" }),
        ...(epsilon < low + WIDE ? [bar({ x: low + WIDE / 2, y: beyond(low), width: WIDE, look: "bright" })] : [])]),
      line([epsilon, 0], [epsilon, 1], "accent", 1),
      label({ text: "ε", at: [epsilon, 1], dy: -5, anchor: "middle" }),
    ],
    table: () => ({
      head: [say("sorted.loss"), say("losses.chance")],
      rows: bars.map(([low, probability]) => [
        say("losses.step", { from: number(low), to: number(low + WIDE) }), chance(probability)]),
    }),
  };
}
