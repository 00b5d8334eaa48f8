/** The wheel: drawn to scale from the integers, the same whatever the answer is. Its light stands still while it turns. */

import { drawing, element } from "../page/element.js";
import { live } from "../page/language.js";
import { FIRST, lead, percent } from "./stage.js";

const TURNS = 4;
/** The share of the time for which a hand pushes the wheel, and its speed afterwards, where 1 would be the mean. */
const HAND = 0.12;
const SPEED = 2.6;
/** The share of the way that the wheel has come when the hand lets go: the speed is the same before and after. */
const PUSHED = (SPEED * HAND) / (2 * (1 - HAND) + SPEED * HAND);
const PEGS = 20;
/** Degrees by which a peg pushes the pointer aside. */
const LEAN = 17;
let drawn = 0;

/** Dark slices begin at the pointer and run clockwise, as in the mark; the bright one is last. @type {Wheel} */
export function wheel(bright, dark, small = false) {
  const [light, night] = [`light-${++drawn}`, `night-${drawn}`];
  const slices = [...dark, { share: bright, said: () => percent(bright) }];
  const starts = slices.map((_, index) => dark.slice(0, index).reduce((sum, { share }) => sum + share, 0));
  const end = 1 - bright;
  const labels = slices.flatMap(({ share, said = () => "", room }, index) => {
    if (small && !dark[index]) return [];
    const { size, radius } = room ? fit(room, said(), 13, 82) : fit(share, said(), 21, 60);
    return size ? [label(dark[index] ? "on-night" : "on-bright", point((starts[index] ?? 0) + share / 2, radius), size, said)] : [];
  });
  const disc = drawing("svg", { viewBox: "-120 -120 240 240" },
    drawing("defs", {},
      drawing("radialGradient", { id: light }, drawing("stop", { class: "flame" }), drawing("stop", { class: "amber", offset: 1 })),
      drawing("pattern", { id: night, width: 17, height: 17, patternUnits: "userSpaceOnUse", patternTransform: "rotate(30)" },
        circle("star", 1.1, { cx: 4, cy: 4 }), circle("star", 0.6, { cx: 12.5, cy: 12.5 }))),
    drawing("circle", { r: 100, fill: `url(#${light})` }),
    circle("rays", 62, { pathLength: 720 }),
    drawing("path", { class: "night", d: sector(0, end) }),
    drawing("path", { d: sector(0, end), fill: `url(#${night})` }),
    ...dark.flatMap(({ share }, index) => (index % 2 ? [drawing("path", { class: "odd", d: sector(starts[index] ?? 0, share) })] : [])),
    drawing("path", { class: dark.length > 12 ? "seam fine" : "seam", d: starts.map((turn) => `M0 0L${point(turn)}`).join("") }),
    circle("ticks", 103, { pathLength: 100 }),
    circle("pegs", 110, { pathLength: PEGS }));
  const turning = element("div.turning", disc, ...labels);
  const pointer = drawing("svg", { class: "pointing", viewBox: "-12 -134 24 48" }, drawing("path", { class: "pointer", d: "M0-92L-8.5-121a8.5 8.5 0 1 1 17 0z" }));
  return {
    node: element("div.wheel", element("span.halo"), element("div.drum", turning), element("span.hub"), pointer),
    turn(slice, place, delay = 0, duration = FIRST) {
      // A twentieth is left free at both ends of a slice, so that one can see which one it is.
      const turns = TURNS - (starts[slice] ?? 0) - (0.05 + 0.9 * place) * (slices[slice]?.share ?? 0);
      const timing = { delay, duration };
      return [
        lead(turning, roll(turns), timing),
        // A single wheel has figures, which stay upright like the cabins of a big wheel, and a pointer that rattles.
        ...(small ? [] : [...labels.map((each) => lead(each, roll(-turns), timing)), lead(pointer, rattle(turns), timing)]),
      ];
    },
  };
}

/** @type {Circle} */
const circle = (name, r, rest) => drawing("circle", { class: name, r, ...rest });

/** @type {Point} */
const point = (turn, radius = 100) => [radius * Math.sin(2 * Math.PI * turn), -radius * Math.cos(2 * Math.PI * turn)];

/** @type {Sector} */
function sector(start, share) {
  const part = Math.min(share, 0.99999); // an arc that ends where it starts would not be drawn
  return `M0 0L${point(start)}A100 100 0 ${part > 0.5 ? 1 : 0} 1 ${point(start + part)}Z`;
}

/** The circle around the words stays on their slice however the wheel stands. In a sector that ends at the pointer, at 91, the largest is at 91/(1 + sine). @type {Fit} */
export function fit(share, words, most, near) {
  const sine = Math.sin(Math.PI * Math.min(share, 0.5));
  const reach = Math.hypot(0.29 * words.length, 0.36); // half the diagonal of words of size 1
  const radius = most * reach <= near * sine ? near : 91 / (1 + sine);
  const size = Math.min(most, (radius * sine) / reach);
  return { size: size < 10 || !words ? 0 : size, radius };
}

/** @type {Label} */
function label(name, [x, y], size, said) {
  const node = element(`span.figure.${name}`);
  node.style.cssText = `left: ${50 + x / 2.4}%; top: ${50 + y / 2.4}%; font-size: ${size / 2.4}cqw`;
  live(() => { node.textContent = said(); });
  return node;
}

/** A hand pushes evenly, then friction stops the wheel: cubics in time, as Bezier curves with control points at thirds are. @type {Motion} */
const roll = (turns) => [
  { transform: "rotate(0deg)", easing: "cubic-bezier(.3333, 0, .6667, .3333)" },
  { transform: `rotate(${360 * turns * PUSHED}deg)`, offset: HAND, easing: `cubic-bezier(.3333, ${SPEED / 3}, .6667, 1)` },
  { transform: `rotate(${360 * turns}deg)` },
];

/** How far the wheel has turned after a share of the time: the same as a formula. @param {number} time */
function turned(time) {
  if (time < HAND) return PUSHED * (time / HAND) ** 2;
  const rest = (time - HAND) / (1 - HAND);
  return 1 - (1 - PUSHED) * (1 - rest) ** 2 * (1 - (SPEED - 2) * rest);
}

/** Every peg takes the pointer along for half of the way to the next. @type {Motion} */
function rattle(turns) {
  return Array.from({ length: 121 }, (_, frame) => {
    const [time, passed] = [frame / 120, (turned(frame / 120) * turns * PEGS) % 1];
    return { transform: `rotate(${-LEAN * Math.min(1, 12 * (1 - time)) * (passed < 0.5 ? 2 * passed : 0)}deg)` };
  });
}
