/** The opening of the lesson: people toss, are sorted, lose the coins' share, are doubled, and uncovered. A real draw each time. */

import { element } from "../../page/page.js";
import { button } from "../controls/controls.js";
import { up } from "../rounding.js";
import { crowd } from "../drawing/crowd.js";
import { grow } from "../drawing/grow.js";
import { cast } from "../drawing/people.js";
import { drawWords } from "../random.js";
import { number, say } from "../words.js";
import { analysis, deviation, survey } from "./survey.js";

/** @typedef {import("../drawing/people.js").Side} Side */

const COUNTING = 1000; // milliseconds
const READING = 2400; // milliseconds for a sentence, where all steps are played
const STEPS = /** @type {const} */ (["toss", "sort", "take", "double", "uncover"]);

/** @returns {{node: HTMLElement, toolbar: HTMLElement, meet(people: number, yes: number): void}} `meet` brings new people, `yes` of whom would answer yes */
export function opening() {
  const shown = crowd(say("crowd"));
  const scale = element("p.hint", { "data-value": "scale" });
  const next = button("", () => { playing += 1; void step(); }, "", "step");
  const all = button(say("stage.all"), playAll, "plain", "play");
  let [people, yes, taken, playing, counting] = [0, 0, 0, 0, 0];
  let counted = { yes: 0, no: 0 };
  /** @type {{answers: Side[], reports: Side[]}} */
  let dots = { answers: [], reports: [] };
  /** @type {Side[]} where each dot stands once the coins' share is away */
  let stay = [];
  let result = analysis([[1, 0], [0, 0]]);

  const said = (/** @type {string} */ key, /** @type {Record<string, number>} */ values) => say(key, written(values));
  /** The counts above the blocks, which grow or shrink from those before. @param {string} key @param {{yes: number, no: number}} counts */
  function heads(key, counts) {
    const mine = ++counting;
    const before = counted;
    counted = counts;
    const show = (/** @type {number} */ share) => {
      if (mine !== counting) return false;
      const [yesNow, noNow] = [between(before.yes, counts.yes, share), between(before.no, counts.no, share)];
      shown.heads([said(`heads.${key}_yes`, { count: yesNow }), said(`heads.${key}_no`, { count: noNow })]);
      return true;
    };
    if (key === "meet") show(1); // as fast as the control that brings them
    else void grow(COUNTING, show);
  }

  /** Each step changes the words at once, and says whether its movement came to its end. */
  const work = {
    toss() {
      const counts = survey(yes, drawWords(people));
      result = analysis(counts);
      dots = cast(counts);
      shown.people(dots.answers);
      counting += 1;
      counted = { yes: 0, no: 0 };
      shown.heads([say("heads.toss_yes"), say("heads.toss_no")]);
      shown.say(say("told.toss"));
      return shown.turn(dots.reports);
    },
    sort() {
      heads("sort", result.sorted);
      shown.say(said("told.sort", result.sorted));
      return shown.sort(dots.reports);
    },
    take() {
      const away = Math.round(dots.reports.length * result.coins / people);
      stay = without(dots.reports, away);
      heads("take", result.left);
      shown.say(said("told.take", { both: 2 * result.coins, coins: result.coins, ...result.left }));
      return shown.sort(stay);
    },
    double() {
      const { estimate, left } = result;
      const reach = 2 * deviation(people);
      const { sides, from } = doubled(stay, inDots(estimate));
      heads("double", { yes: estimate, no: people - estimate });
      const outside = estimate < 0 || estimate > people ? say("told.outside") : "";
      shown.say(`${said("told.double", { left: left.yes, estimate, band: up(reach, 0) })} ${outside}`.trim());
      shown.mark({ at: inDots(estimate), low: inDots(estimate - reach), high: inDots(estimate + reach) });
      return shown.sort(sides, from);
    },
    async uncover() {
      heads("uncover", { yes, no: people - yes });
      shown.say(said("told.uncover", { truth: yes, estimate: result.estimate, off: Math.abs(result.estimate - yes), typical: rounded(deviation(people)) }));
      return await shown.turn(dots.answers) && shown.sort(dots.answers);
    },
  };

  const inDots = (/** @type {number} */ count) => count * dots.reports.length / people;

  /** The next one, or new people after the last. */
  async function step() {
    const name = STEPS[taken];
    if (!name) {
      meet(people, yes);
      return true;
    }
    taken += 1;
    label();
    return work[name]();
  }

  async function playAll() {
    if (taken === STEPS.length) meet(people, yes);
    const mine = ++playing;
    while (taken < STEPS.length && await step() && mine === playing) {
      if (taken < STEPS.length) await pause();
      if (mine !== playing) return; // something else was asked for meanwhile
    }
  }

  const label = () => next.replaceChildren(say(`stage.${STEPS[taken] ?? "again"}`));

  /** @param {number} count @param {number} those */
  function meet(count, those) {
    [people, yes, taken] = [count, those, 0];
    playing += 1;
    const { answers } = cast([[count - those, 0], [those, 0]]);
    dots = { answers, reports: answers };
    shown.people(answers);
    heads("meet", { yes: those, no: count - those });
    shown.say(said("told.meet", { n: count, yes: those }));
    scale.textContent = count > answers.length ? said("scale", { n: count / answers.length }) : say("one");
    label();
  }

  return { node: element("div", shown.node, scale), toolbar: element("div.toolbar", next, all), meet };
}

/** @param {Record<string, number>} values */
const written = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, number(value)]));

/** @param {number} from @param {number} to @param {number} share */
const between = (from, to, share) => Math.round(from + (to - from) * share);

/** To two digits that count. @param {number} value */
const rounded = (value) => Number(value.toPrecision(2));

/** Some of each side away: those at the inner edge of a block, so that the others stay where they are. @param {readonly Side[]} sides @param {number} away */
function without(sides, away) {
  const keep = sides.filter((side) => side === 1).length - away;
  const met = [0, 0];
  return sides.map((side) => {
    if (side === null) return null;
    const before = met[side] ?? 0;
    met[side] = before + 1;
    return (side ? before < keep : before >= away) ? side : null;
  });
}

/**
 * Who is away comes back as the twin of somebody who stayed, until so many stand on the side of yes.
 *
 * @param {readonly Side[]} stay @param {number} wanted may lie outside of what there is
 * @returns {{sides: Side[], from: (number | undefined)[]}}
 */
function doubled(stay, wanted) {
  const partners = [0, 1].map((side) => stay.flatMap((reported, dot) => (reported === side ? [dot] : [])));
  const met = [0, 0];
  let missing = Math.round(Math.min(stay.length, Math.max(0, wanted))) - (partners[1]?.length ?? 0);
  /** @type {(number | undefined)[]} */
  const from = [];
  const sides = stay.map((side, dot) => {
    if (side !== null) return side;
    const twin = missing > 0 ? 1 : 0;
    missing -= twin;
    from[dot] = partners[twin]?.[(met[twin] ?? 0) % Math.max(1, partners[twin]?.length ?? 0)];
    met[twin] = (met[twin] ?? 0) + 1;
    return twin;
  });
  return { sides, from };
}

/** Time to read; none for somebody who wants less motion, who has the single steps. */
const pause = () => new Promise((done) => {
  setTimeout(done, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : READING);
});
