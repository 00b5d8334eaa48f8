/** What every picture of chance has, the wheel and the coins: the same whatever the answer is. */

import { TOTAL } from "../chance/randomize.js";
import { brightWeight } from "./device.js";
import { drawing, element, filler, hundredths, live, words } from "../page/page.js";

/** Milliseconds: the wheel or the first coin, then the second coin or the glow of the bright side. */
export const FIRST = 2900;
export const SECOND = 1400;

/** The caption says in words all that the drawing shows. @type {Stage} */
export function stage(name, nodes, key, start) {
  const node = element("figure.wheel-figure",
    element(`div.device.${name}`, { "aria-hidden": true }, ...nodes),
    ...(key.length ? [element("figcaption.key", ...key.map(([share, said], dark) => element(dark ? "p.dark" : "p.bright",
      element("b", filler(() => percent(share))), element("span", said))))] : []));
  /** @type {Animation[]} */
  let running = [];
  const skip = () => running.forEach((animation) => animation.finish());
  return {
    node,
    skip,
    async show(picture) {
      // The last one only waits: it makes every spin last the same, and costs nothing meanwhile.
      running = [...start(picture), node.animate([], { delay: FIRST + SECOND })];
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) skip();
      await Promise.all(running.map((animation) => animation.finished));
      // Not before: what follows from it could be seen while the wheel still turns.
      node.classList.add("still", picture.bright ? "kept" : "chance");
    },
  };
}

/** @param {number} share */
export const percent = (share) => `${hundredths(share)}%`;

/** The last position is set at once; the animation only leads up to it. @type {Lead} */
export function lead(node, frames, timing) {
  node.style.transform = String(frames.at(-1)?.["transform"]);
  return node.animate(frames, { ...timing, fill: "backwards" });
}

const TURNS = 4;
/** The share of the time for which a hand pushes, and the speed afterwards, where 1 is the mean. */
const HAND = 0.12;
const SPEED = 2.6;
/** The share of the way when the hand lets go: the speed is the same before and after. */
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
        // A single wheel has figures, which stay upright, and a pointer that rattles.
        ...(small ? [] : [...labels.map((figure) => lead(figure, roll(-turns), timing)), lead(pointer, rattle(turns), timing)]),
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

/** The words' circle stays on their slice. In a sector that ends at the pointer, at 91, the largest is at 91/(1 + sine). @type {Fit} */
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

/** A hand pushes evenly, then friction stops the wheel: cubics in time, as Bezier curves with thirds are. @type {Motion} */
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

/** The share of its time that a coin flies; then it settles. */
const FLIGHT = 0.78;
/** A body that is thrown: slower as it rises, faster as it falls, evenly both. */
const UP = "cubic-bezier(.3333, .6667, .6667, 1)";
const DOWN = "cubic-bezier(.3333, 0, .6667, .3333)";

/** @type {MakeDevice} */
export function device(mechanism, weights) {
  const share = brightWeight(mechanism, weights) / TOTAL;
  const coins = mechanism === "coin";
  const first = coins ? coin("1", words("mechanism.coin.tails"), words("mechanism.coin.heads"), "first")
    : wheel(share, [{ share: 1 - share, said: () => percent(1 - share) }]);
  const second = mechanism === "spinner" ? null : coin(coins ? "2" : "?", words("answer.1"), words("answer.0"), "second");
  return stage(mechanism, [first.node, ...(second ? [second.node] : [])],
    [[share, words(coins ? "mechanism.coin.bright" : "wheel.bright")], [1 - share, words(`mechanism.${mechanism}.dark`)]],
    ({ bright, side, place }) => [
      ...first.turn(Number(bright), place),
      ...(side === null || !second ? [] : second.turn(side, 0, FIRST, SECOND)),
    ]);
}

/** It lies with its cover up until it is tossed. @type {Coin} */
function coin(cover, front, back, name) {
  const top = element("span.face.cover", cover);
  const body = element("span.coin-body", element("span.face.front", front), element("span.face.back", back), top);
  const flying = element("span.flying", body);
  const shadow = element("span.shadow");
  return {
    node: element(`span.coin.${name}`, shadow, flying),
    turn(up, _place, delay = 0, duration = FIRST) {
      const timing = { delay, duration };
      const turns = up ? 1440 : 1620;
      /** @param {string} low @param {string} high @returns {Keyframe[]} */
      const thrown = (low, high) => [
        { transform: low, easing: UP },
        { transform: high, offset: FLIGHT / 2, easing: DOWN },
        { transform: low, offset: FLIGHT },
        { transform: low },
      ];
      top.style.opacity = "0";
      return [
        lead(flying, thrown("none", "translateY(-3.4rem) scale(1.14)"), timing),
        lead(shadow, thrown("none", "translateY(.5rem) scale(.6)"), timing),
        // It turns evenly while it flies, then rocks a little.
        lead(body, [0, turns - 16, turns + 9, turns - 4, turns].map((angle, rock) => (
          { transform: `rotateX(${angle}deg)`, offset: rock ? FLIGHT + ((1 - FLIGHT) * (rock - 1)) / 3 : 0, easing: rock ? "ease-in-out" : "linear" })), timing),
        // The cover is gone when the coin is seen from its edge for the first time.
        top.animate([1, 1, 0, 0].map((opacity, at) => ({ opacity, offset: [0, edge(turns), edge(turns), 1][at] ?? 1 })), { ...timing, fill: "backwards" }),
      ];
    },
  };
}

/** The share of the time after which a coin has turned by 90 degrees. @param {number} turns in degrees */
const edge = (turns) => (FLIGHT * 90) / turns;
