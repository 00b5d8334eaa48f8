/**
 * A crowd of dots. Each dot is a person, or as many people as the page says: it has an answer that can be covered, chance
 * turns it over and shows what is recorded, and it walks to the others who were recorded alike.
 *
 *     const shown = crowd(name);                                      // a figure; it needs the style sheet crowd.css
 *     const { answers, reports } = cast([[no_no, no_yes], [yes_no, yes_yes]]); // people.js: dots for people who were counted
 *     shown.people(answers);                                          // everybody's answer can be seen
 *     shown.heads(["Yes: 60", "No: 140"]); shown.say(sentence);           // words above, and one sentence below, which is read out
 *     if (!await shown.turn(reports)) return;                         // every dot turns, and shows the record
 *     if (!await shown.sort(reports)) return;                         // two blocks: Yes on the left, No on the right
 *     shown.mark({ at: 66, low: 42, high: 90 });                      // an estimate of Yes with its band, in dots
 *     await shown.peek(answers);                                      // the answer of each dot, within its record
 *
 * Whatever moves is a promise: true at its end, false where something else was begun in between, so that who awaits it
 * stops. What comes next begins at once from the last place. Somebody who wants less motion sees every end at once.
 * Dots are moved frame by frame: animations of the browser's own would make a layer of each, and take twice as long.
 * It takes its words from who calls it, and needs no catalogue of its own.
 */

import { drawing, element } from "../../page/page.js";
import { places, room } from "./people.js";
import { set, tell } from "./renew.js";

/** @typedef {import("./people.js").Side} Side */

const MOVE = 650; // milliseconds of each dot
const SPREAD = 450; // milliseconds between the first and the last
const RADIUS = 0.4; // of a column
const CORE = 0.19;
const RING = 0.58;
const TALLER = 0.15; // a dot that turns its edge
const SMALLER = 0.8; // a dot that goes away
const LOOK = { 1: "yes", 0: "no", null: "covered" };

/**
 * A dot, and where it is: x, y, and how much of it is there, from 0 to 1. Its core is made when somebody looks into it.
 *
 * @typedef {{node: SVGGElement, face: SVGCircleElement, look?: string, core?: SVGCircleElement | undefined, at: readonly number[]}} Dot
 */

/** @param {string} name what can be seen, for somebody who cannot see it; the sentence under it says what happens */
export function crowd(name) {
  const layer = drawing("g");
  const range = drawing("g");
  const [band, estimate] = [drawing("rect", { class: "crowd-range" }), drawing("path", { class: "crowd-mark" })];
  const svg = drawing("svg", { class: "crowd-dots", role: "img", "aria-label": name }, range, layer);
  const heads = [element("p"), element("p")];
  const said = element("p.crowd-said", { role: "status" });
  const node = element("figure.crowd", element("div.crowd-heads", ...heads), svg, element("figcaption", said));
  /** @type {Dot[]} */
  const dots = [];
  /** Brings what is under way to its end at once. */
  let halt = () => {};

  /**
   * One after the other, each dot in its time.
   *
   * @param {(dot: Dot, index: number, share: number) => void} draw `share` from 0 to 1
   * @returns {Promise<boolean>} false where something else was begun before the end
   */
  function play(draw) {
    const shares = dots.map(() => -1);
    const all = (/** @type {number} */ time) => dots.forEach((dot, index) => {
      const share = Math.min(1, Math.max(0, (time - SPREAD * index / dots.length) / MOVE));
      if (share !== shares[index]) draw(dot, index, smooth(share));
      shares[index] = share;
    });
    if (still()) {
      all(Infinity);
      return Promise.resolve(true);
    }
    return new Promise((done) => {
      /** @type {number | undefined} */
      let begun;
      const end = (/** @type {boolean} */ whole) => {
        halt = () => {};
        cancelAnimationFrame(waiting);
        all(Infinity);
        done(whole);
      };
      const frame = (/** @type {number} */ now) => {
        begun ??= now;
        if (now - begun >= MOVE + SPREAD) return end(true);
        all(now - begun);
        waiting = requestAnimationFrame(frame);
      };
      let waiting = requestAnimationFrame(frame);
      all(0);
      halt = () => end(false);
    });
  }

  /** @param {readonly Side[] | null} sides @param {readonly (number | undefined)[]} from */
  function arrange(sides, from = []) {
    halt();
    const starts = dots.map(({ at }, index) => dots[from[index] ?? index]?.at ?? at);
    const ends = places(sides, dots.length).map(([x, y], index) => {
      const [nowX = x, nowY = y] = dots[index]?.at ?? [];
      return sides !== null && (sides[index] ?? null) === null ? [nowX, nowY, 0] : [x, y, 1];
    });
    dots.forEach((dot, index) => {
      const twin = dots[from[index] ?? -1];
      if (twin) wear(dot, twin.look);
    });
    return play((dot, index, share) => {
      const [start = [], end = []] = [starts[index], ends[index]];
      put(dot, end.map((value, part) => (start[part] ?? value) + (value - (start[part] ?? value)) * share));
    });
  }

  return {
    node,

    /**
     * New people, up to 200, at once: what each shows, and where it stands if they are sorted.
     *
     * @param {readonly Side[]} faces @param {readonly Side[] | null} [sides]
     */
    people(faces, sides = null) {
      halt();
      const { rows, columns } = room(faces.length);
      svg.setAttribute("viewBox", `0 -.5 ${columns} ${rows + 1}`);
      svg.style.maxWidth = `${2.6 * columns}rem`; // a few people are not shown as plates
      for (const { node: surplus } of dots.splice(faces.length)) surplus.remove();
      while (dots.length < faces.length) {
        const face = drawing("circle", { r: RADIUS });
        dots.push({ node: drawing("g", { class: "dot" }, face), face, at: [] });
        layer.append(dots.at(-1)?.node ?? face);
      }
      const all = places(sides, dots.length);
      dots.forEach((dot, index) => {
        const at = [...all[index] ?? [], 1];
        if (at.some((value, part) => value !== dot.at[part])) put(dot, at);
        wear(dot, look(faces[index]));
        close(dot);
      });
      range.replaceChildren();
    },

    /** Every dot turns like a coin, and shows another face: 1, 0, or `null` for covered. @param {readonly Side[]} faces */
    turn(faces) {
      halt();
      dots.forEach(close);
      return play((dot, index, share) => {
        const edge = 1 - Math.abs(1 - 2 * share); // 1 where one would see it from its edge
        if (share >= 0.5) wear(dot, look(faces[index]));
        dot.face.style.transform = edge ? `scale(${(1 - edge).toFixed(3)}, ${(1 + TALLER * edge).toFixed(3)})` : "";
      });
    },

    /** Nobody shows anything. */
    cover() {
      return this.turn(dots.map(() => null));
    },

    /** The answers, small within what is recorded. @param {readonly Side[]} answers */
    peek(answers) {
      halt();
      return play((dot, index, share) => {
        if (!share) return close(dot);
        dot.core ??= dot.node.appendChild(drawing("circle", { r: CORE }));
        set(dot.core, { class: `core ${look(answers[index])}` });
        dot.core.style.transform = share < 1 ? `scale(${share.toFixed(3)})` : "";
      });
    },

    /**
     * Into two blocks: side 1 on the left, side 0 on the right, `null` goes away. A dot that comes back is the
     * twin of another, where `from` names one: it comes from its place, and shows the same.
     *
     * @param {readonly Side[]} sides @param {readonly (number | undefined)[]} [from]
     */
    sort: (sides, from) => arrange(sides, from),

    /** Back into one crowd. */
    together: () => arrange(null),

    /** An estimate of side 1 and how far it reaches, in dots, over the blocks; `null` takes it away. @param {{at: number, low: number, high: number} | null} estimated */
    mark(estimated) {
      range.replaceChildren(...(estimated ? [band, estimate] : []));
      if (!estimated) return;
      const { rows } = room(dots.length);
      const across = (/** @type {number} */ count) => Math.min(dots.length, Math.max(0, count)) / rows; // not into the gap
      set(band, { x: across(estimated.low), width: across(estimated.high) - across(estimated.low), y: -0.3, height: rows + 0.6 });
      set(estimate, { d: `M${across(estimated.at)} -.5V${rows + 0.5}` });
    },

    /** A ring around one dot, which goes where it goes. @param {number} index */
    ring(index) {
      dots[index]?.node.append(drawing("circle", { class: "ring", r: RING }));
    },

    /** Words above the left block and the right one, each with a dot of its colour; of an empty one nothing is shown. @param {readonly [string, string]} words */
    heads(words) {
      heads.forEach((head, side) => tell(head, words[side] ?? ""));
    },

    /** What happened, read out. @param {string} sentence */
    say(sentence) {
      tell(said, sentence);
    },

    /** What is under way comes to its end at once. */
    halt: () => halt(),
  };
}

/** @param {Dot} dot @param {readonly number[]} at x, y, and how much of it is there */
function put(dot, at) {
  const [x = 0, y = 0, there = 1] = at;
  dot.at = at;
  const size = there < 1 ? ` scale(${(1 - SMALLER * (1 - there)).toFixed(3)})` : "";
  dot.node.style.transform = `translate(${x.toFixed(3)}px, ${y.toFixed(3)}px)${size}`;
  dot.node.style.opacity = there < 1 ? there.toFixed(3) : "";
}

/** @param {Dot} dot @param {string | undefined} look */
function wear(dot, look = "") {
  if (dot.look !== look) dot.face.setAttribute("class", `outer ${look}`);
  dot.look = look;
}

/** Nothing more is seen of an answer. @param {Dot} dot */
function close(dot) {
  dot.core?.remove();
  dot.core = undefined;
}

/** Slow at both ends. @param {number} share */
const smooth = (share) => share * share * (3 - 2 * share);

/** @param {Side | undefined} face */
const look = (face) => LOOK[/** @type {"1" | "0" | "null"} */ (String(face ?? null))];

/** Whether somebody wants less motion. */
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
