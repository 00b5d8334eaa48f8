import assert from "node:assert/strict";
import test from "node:test";

import { difference, PEOPLE, reach, scatters, survey } from "../../static/js/lessons/asked_together/pair.js";
import { COUNTS, PURPOSES, reported, SCATTERED, truth } from "../../static/js/lessons/made_to_order/channels.js";
import { seeded } from "../../static/js/lessons/random.js";

const SURVEYS = 400;
const BAND = 2.690; // the normal quantile at 1 - 0.05/(2 · 7)

/** Enough words for each of the surveys. */
const WORDS = Array.from({ length: SURVEYS }, (_, seed) => Uint32Array.from({ length: 8000 }, seeded(seed)));

/** Four standard errors about 95%, and what is beyond it for bands that hold at seven cuts. @param {number} held */
const isAsSaid = (held) => assert.ok(held >= 0.905 && held <= 0.995, String(held));

test("95 of 100 surveys find the difference within the band, on one wheel and on two", () => {
  const { value, slope } = difference(PEOPLE);
  const known = scatters(2, slope);
  const found = WORDS.map((words) => survey(2, [2000], words));
  for (const way of /** @type {const} */ (["joint", "apart"])) {
    isAsSaid(found.filter((differences) => Math.abs((differences[way][0] ?? 0) - value) <= reach(known[way], 2000)).length / SURVEYS);
  }
});

test("95 of 100 bands hold the whole curve, whatever the channel was made for", () => {
  for (const purpose of PURPOSES) {
    const held = WORDS.map((words) => reported(purpose, words.subarray(0, 6000))).filter((reports) => (
      COUNTS[purpose].every((counts, cut) => {
        const share = reports.reduce((sum, report) => sum + (counts[report] ?? 0), 0) / reports.length;
        return Math.abs(share - truth(cut)) <= BAND * Math.sqrt((SCATTERED[purpose][cut] ?? 0) / reports.length);
      })));
    isAsSaid(held.length / SURVEYS);
  }
});
