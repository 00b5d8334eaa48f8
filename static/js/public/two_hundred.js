/** Two hundred people: each spins by the product's own draw, and the total comes out close. */

import { randomize } from "../chance/randomize.js";
import { button, element } from "../page/page.js";
import { up } from "../lessons/rounding.js";
import { crowd } from "../lessons/drawing/crowd.js";
import { grow } from "../lessons/drawing/grow.js";
import { cast } from "../lessons/drawing/people.js";
import { drawWords } from "../lessons/random.js";
import { analysis, CHANNEL, deviation } from "../lessons/two_coins/survey.js";
import { fixed, number, say } from "../lessons/words.js";
import { calm } from "./one_answer.js";

const PEOPLE = 200;
const MANY = 20_000;
const YES = 60;
const [FEWEST, MOST] = [40, 160]; // no estimate is below none or above all but once in a thousand draws
const COUNTING = 1000; // milliseconds
const READING = 2200; // milliseconds to see who they are

export function many() {
  const shown = crowd(say("many.name"));
  const close = element("p.quiet", { "data-value": "close" });
  const press = button("many.spin", "spin-all", () => { if (spun) others(); else void spin(); });
  /** @type {(0 | 1)[]} */
  let answers = [];
  let spun = false;

  /** @param {number} yes how many of them did it */
  function meet(yes) {
    ({ answers } = cast([[PEOPLE - yes, 0], [yes, 0]]));
    spun = false;
    shown.people(answers);
    shown.heads(heads("", yes, PEOPLE - yes));
    shown.say(say("many.meet", { yes: number(yes), people: number(PEOPLE) }));
    press.replaceChildren(say("many.spin"));
    close.textContent = "";
  }

  const others = () => meet(FEWEST + (drawWords(1)[0] ?? 0) % (MOST - FEWEST + 1));

  async function spin() {
    spun = true;
    const these = answers;
    press.replaceChildren(say("many.again"));
    const words = drawWords(PEOPLE);
    const reports = answers.map((answer, person) => /** @type {0 | 1} */ (randomize(CHANNEL, answer, words[person] ?? 0)));
    const counts = [[0, 0], [0, 0]];
    answers.forEach((answer, person) => {
      const row = counts[answer] ?? [];
      row[reports[person] ?? 0] = (row[reports[person] ?? 0] ?? 0) + 1;
    });
    const result = analysis(counts);
    shown.heads(["", ""]);
    shown.say(say("many.turning"));
    if (!await shown.turn(reports)) return;
    void grow(COUNTING, (share) => {
      const { yes, no } = result.sorted;
      if (these !== answers) return false; // others have come in between
      shown.heads(heads("sent_", Math.round(share * yes), Math.round(share * no)));
      return true;
    });
    if (!await shown.sort(reports)) return;
    tell(result);
  }

  /** @param {ReturnType<typeof analysis>} result */
  function tell({ coins, sorted, left, estimate }) {
    const yes = answers.filter(Boolean).length;
    const reach = 2 * deviation(PEOPLE);
    shown.mark({ at: estimate, low: estimate - reach, high: estimate + reach });
    shown.say(say("many.found", {
      chance: number(coins), sent: number(sorted.yes), left: number(left.yes), estimate: number(estimate), yes: number(yes), off: number(Math.abs(estimate - yes)) }));
    const band = up(reach, 0); // in whole people, and the points are those of so many
    close.textContent = say("many.close", {
      people: number(band), points: fixed(100 * band / PEOPLE, 1),
      many: number(MANY), many_points: fixed(up(200 * deviation(MANY) / MANY, 1), 1) });
  }

  meet(YES);
  return {
    node: element("div.two-hundred", shown.node, element("div", press, close)),
    /** With other people, where these have spun. */
    async begin() {
      if (spun) others();
      press.focus({ preventScroll: true });
      const these = answers;
      if (!calm()) await new Promise((done) => { setTimeout(done, READING); });
      if (!spun && these === answers) void spin();
    },
  };
}

/** @param {string} what @param {number} yes @param {number} no @returns {[string, string]} */
const heads = (what, yes, no) => [say(`many.${what}yes`, { n: number(yes) }), say(`many.${what}no`, { n: number(no) })];
