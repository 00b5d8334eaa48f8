/** What was sent in the practice survey, ringed among two hundred people, all others of whom are made up. */

import { randomize, TOTAL } from "../chance/randomize.js";
import { element } from "../page/page.js";
import { crowd } from "../lessons/drawing/crowd.js";
import { cast } from "../lessons/drawing/people.js";
import { drawWords } from "../lessons/random.js";

const PEOPLE = 200;
const YES = 60; // of the others, who would answer Yes

/**
 * @param {HTMLElement} place with a span in each language that holds the words
 * @param {Channel} channel of the question @param {0 | 1} sent
 * @returns {() => void} says it in the language that is chosen now
 */
export function ringed(place, channel, sent) {
  const { answers } = cast([[PEOPLE - 1 - YES, 0], [YES, 0]]);
  const words = drawWords(answers.length);
  const reports = [...answers.map((answer, person) => /** @type {0 | 1} */ (randomize(channel, answer, words[person] ?? 0))), sent];
  const yes = reports.filter(Boolean).length;
  const coins = PEOPLE * (channel[0]?.[1] ?? 0) / TOTAL; // n (1 - p)/2: who has a No sends Yes only by the coin
  const shown = crowd("");
  place.replaceChildren(...place.querySelectorAll("h2"), element("div", shown.node));
  shown.people(reports.map(() => null));
  shown.ring(PEOPLE - 1);
  const tell = () => {
    const { name = "", yes: left = "", no: right = "", said = "" } = /** @type {HTMLElement} */ (place.querySelector(`[lang="${document.documentElement.lang}"]`)).dataset;
    const fill = (/** @type {string} */ sentence, /** @type {Record<string, number>} */ values) => sentence.replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
    place.querySelector("svg")?.setAttribute("aria-label", name);
    shown.heads([fill(left, { n: yes }), fill(right, { n: PEOPLE - yes })]);
    shown.say(fill(said, { yes, coins: Math.round(coins) }));
  };
  tell();
  // It stands at the end of the page, and begins once somebody is there.
  const seen = new IntersectionObserver(async ([entry]) => {
    if (!entry?.isIntersecting) return;
    seen.disconnect();
    if (await shown.turn(reports)) await shown.sort(reports);
  }, { threshold: 0.5 });
  seen.observe(shown.node);
  return tell;
}
