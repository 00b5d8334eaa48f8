/** A hundred people whose answers somebody guesses from what was sent: how many of the guesses are right. */

import { between } from "../../chance/curve.js";
import { right, timesIn100 } from "../../chance/guess.js";
import { drawing, element } from "../../page/page.js";
import { wheelWeights } from "../../theory/exponential.js";
import { weights } from "../../theory/response.js";
import { renew } from "../drawing/renew.js";
import { number, say } from "../words.js";

const HUNDRED = 100;
const COLUMNS = 20;

/** What one report tells between two answers. @param {readonly (readonly number[])[]} channel @returns {Promised} */
const report = ([mine = [], theirs = []]) => ({ loss: [Math.max(...mine), Math.min(...mine)], pairs: [between(mine, theirs)] });

/** @param {readonly Promised[]} reports */
const timesRight = (reports) => timesIn100(right([{ always: true, reports }], 0, 1));

/** Of a hundred guesses between two sets of answers, so many are right. @param {number} epsilon of all @param {number} [questions] yes or no */
export const rightGuesses = (epsilon, questions = 2) => ({
  joint: timesRight([report(wheelWeights(2 ** questions, epsilon))]),
  apart: timesRight(Array.from({ length: questions }, () => report(weights(epsilon / questions)))),
});

/** A picture of them, which can be filled again. */
export function guesses() {
  const dots = drawing("svg", { class: "right-guesses", viewBox: `0 0 ${COLUMNS} ${HUNDRED / COLUMNS}`, "aria-hidden": "true" });
  const said = element("p");
  return {
    node: element("div.guessed", dots, said),
    /** @param {number} times */
    show(times) {
      renew(dots, Array.from({ length: HUNDRED }, (_, person) => drawing("circle", {
        class: `point ${person < times ? "bright" : "dark"}`, cx: person % COLUMNS + 0.5, cy: Math.floor(person / COLUMNS) + 0.5, r: 0.38 })));
      said.textContent = say("guessed", { times: number(times) });
    },
  };
}
