/** What is reported under one answer and under another, from which the loss of every report follows. */

import { reportLoss } from "../../theory/loss.js";
import { spinner, spinnerChances } from "../../theory/response.js";
import { area, bar, curve, label } from "../marks.js";
import { chance } from "../powers.js";
import { fixed, number, say } from "../words.js";

/** @typedef {import("./mechanisms.js").Mechanism} Mechanism */

const REACH = 4; // scales of the noise on either side
const STEPS = 240;

/** @param {Mechanism} mechanism @param {number} parameter @param {number} epsilon @returns {PlotPicture} */
export const reports = ({ noise }, parameter, epsilon) => (noise
  ? curves((distance) => noise(distance, parameter), parameter, epsilon) : bars(parameter, epsilon));

/** Two bars a report: Yes to the left. @param {number} bound @param {number} epsilon @returns {PlotPicture} */
function bars(bound, epsilon) {
  const chances = spinnerChances(spinner(bound));
  const rows = [1, 0].map((report) => {
    const [mine = 0, other = 0] = [chances[1]?.[report], chances[0]?.[report]];
    return { words: say(`answer.${report}`), mine, other, loss: reportLoss(mine, other) };
  });
  const beyond = rows.filter(({ loss }) => loss > epsilon).map(({ words }) => words);
  return {
    name: say("reports.bars", { beyond: beyond.join(", ") || say("reports.none"), same: fixed(rows[0]?.mine ?? 0, 4), other: fixed(rows[0]?.other ?? 0, 4) }),
    x: { title: say("reports.report"), from: 0.4, to: 2.6, ticks: [1, 2], format: (value) => rows[value - 1]?.words ?? "" },
    y: { title: say("reports.chance"), from: 0, to: 1 },
    marks: rows.flatMap(({ mine, other }, index) => [
      bar({ x: index + 0.8, y: mine, width: 0.34, look: "bright" }),
      bar({ x: index + 1.2, y: other, width: 0.34, look: "dark" }),
      label({ text: say("answer.1"), at: [index + 0.8, mine], dy: -7, anchor: "middle" }),
      label({ text: say("answer.0"), at: [index + 1.2, other], dy: -7, anchor: "middle" }),
    ]),
    table: {
      head: [say("reports.report"), say("reports.under", { answer: say("answer.1") }), say("reports.under", { answer: say("answer.0") }), say("loss")],
      rows: rows.map(({ words, mine, other, loss }) => [words, fixed(mine, 4), fixed(other, 4), fixed(loss, 3)]),
    },
  };
}

/** @param {(distance: number) => number} density @param {number} scale @param {number} epsilon @returns {PlotPicture} */
function curves(density, scale, epsilon) {
  const [from, to] = [-REACH * scale, 1 + REACH * scale];
  const places = [...Array.from({ length: STEPS + 1 }, (_, index) => from + (to - from) * index / STEPS), 0, 1].sort((one, other) => one - other);
  const loss = (/** @type {number} */ place) => reportLoss(density(place), density(place - 1));
  const rows = Array.from({ length: 11 }, (_, index) => from + (to - from) * index / 10);
  const points = (/** @type {number} */ answer) => places.map((place) => /** @type {XY} */ ([place, density(place - answer)]));
  const beyond = points(0).filter(([place]) => loss(place) > epsilon);
  return {
    name: say("reports.curves", { scale: number(scale) }),
    x: { title: say("reports.report"), from, to },
    y: { title: say("density"), from: 0, to: 1.15 * density(0), format: chance },
    marks: [
      area(beyond, "bright"),
      curve(points(0), "bright"), curve(points(1), "ink", 1),
      label({ text: "0", at: [0, density(0)], dx: -3, dy: -6, anchor: "end" }), // apart, also where the two stand close together
      label({ text: "1", at: [1, density(0)], dx: 3, dy: -6 }),
    ],
    table: {
      head: [say("reports.report"), say("reports.density", { answer: 0 }), say("reports.density", { answer: 1 }), say("loss")],
      rows: rows.map((place) => [number(place, 2), chance(density(place)), chance(density(place - 1)), fixed(loss(place), 3)]),
    },
  };
}
