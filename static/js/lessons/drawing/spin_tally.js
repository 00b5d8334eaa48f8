/** Spins that are counted while they come: bars that grow towards what is expected, and two standard errors about it. */

import { randomize } from "../../chance/randomize.js";
import { countDeviation } from "../../theory/spread.js";
import { grow } from "./grow.js";
import { band, bar, label, line } from "./marks.js";
import { plot } from "./plot.js";
import { drawWords } from "../random.js";
import { number, say } from "../words.js";

export const SPINS = 1000;
const TIME = 1000; // milliseconds
const HALF = 0.42; // of what stands about a bar

/** @typedef {{words: string, counts: ArrayLike<number>, chance: number, look: Look}} Row `counts[n]` after n spins */

/** How often a report came among the first n spins, for every n. @param {Channel} channel @param {number} answer @param {number} report */
export function running(channel, answer, report) {
  const counts = new Uint16Array(SPINS + 1);
  drawWords(SPINS).forEach((word, spin) => { counts[spin + 1] = (counts[spin] ?? 0) + Number(randomize(channel, answer, word) === report); });
  return counts;
}

/** What is expected of so many spins, and two standard errors. @param {number} chance @returns {[number, number]} */
export const expected = (chance) => [SPINS * chance, 2 * countDeviation(SPINS, chance)];

/** A figure that is hidden until something was counted. */
export function tally() {
  const figure = plot("", 0.5);
  let turn = 0;
  figure.node.hidden = true;

  /** @param {string} caption @param {string} across @param {readonly Row[]} rows @param {number} spins so many have come */
  function draw(caption, across, rows, spins) {
    const shown = rows.map(({ words, counts, chance, look }, index) => {
      const [mean, twice] = expected(chance);
      return { words, look, place: index + 1, count: counts[spins] ?? 0, mean, twice };
    });
    figure.draw({
      caption: `${caption} ${say("tally.caption")}`,
      name: shown.map(({ words, count, mean, twice }) => say("tally.row", { words, count: number(count), expected: number(mean, 0), twice: number(twice, 0) })).join(" "),
      x: { title: across, from: 0.4, to: rows.length + 0.6, ticks: shown.map(({ place }) => place), format: (value) => shown[value - 1]?.words ?? "" },
      y: { title: say("tally.count"), from: 0, to: SPINS },
      marks: shown.flatMap(({ place, count, mean, twice, look }) => [
        bar({ x: place, y: count, width: 0.55, look }),
        band([[place - HALF, mean - twice, mean + twice], [place + HALF, mean - twice, mean + twice]]),
        line([place - HALF, mean], [place + HALF, mean], "accent", 0),
        label({ text: number(count), at: [place, Math.max(count, mean + twice)], dy: -8, anchor: "middle" })]),
      table: () => ({ caption, head: [across, say("tally.count"), say("tally.expected"), say("tally.twice")],
        rows: shown.map(({ words, count, mean, twice }) => [words, number(count), number(mean, 1), number(twice, 1)]) }),
    });
  }

  return {
    node: figure.node,
    clear() {
      turn += 1;
      figure.node.hidden = true;
    },
    /** @param {string} caption @param {string} across @param {readonly Row[]} rows @returns {Promise<boolean>} whether nothing came in between */
    run(caption, across, rows) {
      const mine = ++turn;
      figure.node.hidden = false;
      return grow(TIME, (share) => {
        if (mine !== turn) return false;
        draw(caption, across, rows, Math.round(share * SPINS));
        return true;
      });
    },
  };
}
