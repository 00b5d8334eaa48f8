/** People as dots: how many of which kind, in what order, and where each of them stands. Nothing here needs a page. */

import { drawWords } from "../random.js";

/** The most dots of a crowd: beyond it each of them stands for several people. */
export const MOST = 200;

/** Yes stands on the left. `null` is a dot that shows nothing, or that is away. @typedef {0 | 1 | null} Side */

/**
 * Dots for people who were counted, mixed: what each would answer, and what was recorded for each. Up to `MOST` people have
 * a dot each, so their counts are exact; of more the dots are in proportion, rounded.
 *
 * @param {readonly (readonly number[])[]} counts people, `counts[answer][report]`, no and yes
 * @returns {{answers: (0 | 1)[], reports: (0 | 1)[]}}
 */
export function cast(counts) {
  const [[noNo = 0, noYes = 0] = [], [yesNo = 0, yesYes = 0] = []] = counts;
  const people = noNo + noYes + yesNo + yesYes;
  const dots = Math.min(MOST, people);
  const share = (/** @type {number} */ count) => Math.round(dots * count / people);
  const yes = share(yesNo + yesYes);
  const recorded = share(noYes + yesYes);
  const both = Math.max(recorded - (dots - yes), Math.min(share(yesYes), yes, recorded)); // so that both totals come out
  const order = shuffled(dots);
  return {
    answers: order.map((place) => (place < yes ? 1 : 0)),
    reports: order.map((place) => (place < both || (place >= yes && place < yes + recorded - both) ? 1 : 0)),
  };
}

/** The numbers below `count` in any order, by Fisher and Yates. @param {number} count */
export function shuffled(count) {
  const order = Array.from({ length: count }, (_, index) => index);
  const words = drawWords(count);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = (words[last] ?? 0) % (last + 1);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

/** Room for so many dots: the columns of two blocks, one of them begun, and a gap. @param {number} dots */
export function room(dots) {
  const rows = Math.max(1, Math.round(Math.sqrt(dots / 2)));
  return { rows, columns: Math.ceil(dots / rows) + 2 };
}

/**
 * Where the dots stand, in columns and rows. One crowd while all are on no side; otherwise two blocks: those of side 1 fill
 * columns from the left, those of side 0 from the right, so that the widths can be compared like bars. Who stood on the left
 * stays further left than the others of the same side. Who is away stands where they stood in the crowd.
 *
 * @param {readonly Side[] | null} sides of each dot, or nobody sorted
 * @param {number} dots @returns {(readonly [number, number])[]}
 */
export function places(sides, dots) {
  const { rows, columns } = room(dots);
  let [yes, no] = [0, sides?.filter((side) => side === 0).length ?? 0];
  return Array.from({ length: dots }, (_, dot) => {
    const side = sides?.[dot] ?? null;
    if (side === null) return loose(dot, dots);
    const before = side ? yes++ : --no;
    const column = Math.floor(before / rows) + 0.5;
    return /** @type {const} */ ([side ? column : columns - column, rows - 0.5 - before % rows]);
  });
}

/** A place in the crowd: a grid, a little out of line, the same every time. @param {number} dot @param {number} dots */
function loose(dot, dots) {
  const { rows, columns } = room(dots);
  const pitch = columns / Math.ceil(dots / rows);
  const astray = (/** @type {number} */ part) => 0.2 * ((dot * part) % 1 - 0.5);
  return /** @type {const} */ ([(Math.floor(dot / rows) + 0.5) * pitch + astray(0.618034), dot % rows + 0.5 + astray(0.754878)]);
}
