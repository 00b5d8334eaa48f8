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
 * It takes its words from who calls it, and needs no catalogue of its own.
 */

import { drawing, element } from "../page/page.js";
import { places, room } from "./people.js";

/** @typedef {import("./people.js").Side} Side */

const MOVE = 650; // milliseconds of each dot
const SPREAD = 450; // milliseconds between the first and the last
const RADIUS = 0.4; // of a column
const EASE = "cubic-bezier(.45, .05, .25, 1)";
const LOOK = { 1: "yes", 0: "no", null: "covered" };

/** @typedef {{node: SVGGElement, face: SVGCircleElement, core: SVGCircleElement}} Dot */

/** @param {string} name what can be seen, for somebody who cannot see it; the sentence under it says what happens */
export function crowd(name) {
  const layer = drawing("g");
  const range = drawing("g");
  const svg = drawing("svg", { class: "crowd-dots", role: "img", "aria-label": name }, range, layer);
  const heads = element("div.crowd-heads");
  const said = element("p.crowd-said", { role: "status" });
  const node = element("figure.crowd", heads, svg, element("figcaption", said));
  /** @type {Dot[]} */
  let dots = [];
  /** @type {Animation[]} */
  let running = [];
  let latest = 0;

  /** What is under way comes to its end at once. */
  function halt() {
    latest += 1;
    for (const each of running) each.finish();
    running = [];
  }

  /** The end is set at once; the animations only lead up to it. @param {(Animation | null)[]} leading */
  async function play(leading) {
    running = leading.filter((each) => each !== null);
    const turn = latest;
    await Promise.all(running.map(({ finished }) => finished));
    return turn === latest;
  }

  /** @param {Element} part @param {Keyframe[]} frames @param {number} dot @param {number} [duration] */
  function lead(part, frames, dot, duration = MOVE) {
    if (still()) return null;
    return part.animate(frames, { duration, delay: SPREAD * dot / dots.length, easing: EASE, fill: "backwards" });
  }

  /** @param {readonly Side[] | null} sides @param {readonly (number | undefined)[]} from */
  function arrange(sides, from = []) {
    halt();
    const before = dots.map(({ node: each }) => ({ transform: each.style.transform, opacity: each.style.opacity }));
    return play(places(sides, dots.length).map(([x, y], index) => {
      const dot = /** @type {Dot} */ (dots[index]);
      const gone = sides !== null && (sides[index] ?? null) === null;
      const twin = dots[from[index] ?? -1];
      if (twin) dot.face.setAttribute("class", twin.face.getAttribute("class") ?? "face");
      const start = before[from[index] ?? index] ?? {};
      const end = { transform: gone ? `${before[index]?.transform} scale(.2)` : `translate(${x.toFixed(3)}px, ${y.toFixed(3)}px)`, opacity: gone ? "0" : "1" };
      Object.assign(dot.node.style, end);
      return lead(dot.node, [start, end], index);
    }));
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
      if (dots.length !== faces.length) {
        dots = faces.map(() => {
          const [face, core] = [drawing("circle", { r: RADIUS }), drawing("circle", { class: "core", r: 0.19 })];
          return { node: drawing("g", { class: "dot" }, face, core), face, core };
        });
        layer.replaceChildren(...dots.map(({ node: each }) => each));
      }
      const all = places(sides, dots.length);
      dots.forEach((dot, index) => {
        const [x, y] = /** @type {readonly [number, number]} */ (all[index]);
        Object.assign(dot.node.style, { transform: `translate(${x.toFixed(3)}px, ${y.toFixed(3)}px)`, opacity: "1" });
        dot.face.setAttribute("class", `face ${look(faces[index])}`);
        dot.core.setAttribute("class", "core");
      });
      range.replaceChildren();
    },

    /** Every dot turns like a coin, and shows another face: 1, 0, or `null` for covered. @param {readonly Side[]} faces */
    turn(faces) {
      halt();
      return play(dots.map(({ face, core }, index) => {
        const [from, to] = [face.classList.item(1) ?? "covered", look(faces[index])];
        face.setAttribute("class", `face ${to}`);
        core.setAttribute("class", "core");
        const [before, after] = [from, to].map((each) => ({ fill: `var(--dot-${each})`, stroke: `var(--rim-${each})` }));
        return lead(face, [
          { transform: "none", ...before }, { transform: "scale(0, 1.15)", offset: 0.5, ...before },
          { transform: "scale(0, 1.15)", offset: 0.5, ...after }, { transform: "none", ...after }], index);
      }));
    },

    /** Nobody shows anything. */
    cover() {
      return this.turn(dots.map(() => null));
    },

    /** The answers, small within what is recorded. @param {readonly Side[]} answers */
    peek(answers) {
      halt();
      return play(dots.map(({ core }, index) => {
        core.setAttribute("class", `core ${look(answers[index])}`);
        return lead(core, [{ transform: "scale(0)" }, { transform: "none" }], index, MOVE / 2);
      }));
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

    /** An estimate of side 1 and how far it reaches, in dots, over the blocks; `null` takes it away. @param {{at: number, low: number, high: number} | null} found */
    mark(found) {
      const { rows, columns } = room(dots.length);
      const across = (/** @type {number} */ count) => Math.min(columns, Math.max(0, count / rows));
      range.replaceChildren(...(found ? [
        drawing("rect", { class: "crowd-range", x: across(found.low), width: across(found.high) - across(found.low), y: -0.3, height: rows + 0.6 }),
        drawing("path", { class: "crowd-mark", d: `M${across(found.at)} -.5V${rows + 0.5}` }),
      ] : []));
    },

    /** Words above the left block and the right one, each with a dot of its colour; of an empty one nothing is shown. @param {readonly [string, string]} words */
    heads([left, right]) {
      heads.replaceChildren(element("p", left), element("p", right));
    },

    /** What happened, read out. @param {string} sentence */
    say(sentence) {
      if (said.textContent !== sentence) said.textContent = sentence;
    },

    halt,
  };
}

/** @param {Side | undefined} face */
const look = (face) => LOOK[/** @type {"1" | "0" | "null"} */ (String(face ?? null))];

/** Whether somebody wants less motion. */
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
