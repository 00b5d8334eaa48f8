/** The wheel and the coins: drawn to scale from the integers, the same whatever the answer is. */

import { brightWeight } from "./device.js";
import { drawing, element } from "../page/element.js";
import { filler, hundredths, live, words } from "../page/language.js";
import { TOTAL } from "../chance/randomize.js";

/** Milliseconds: the wheel or the first coin, then the second coin or the glow of the bright side. */
export const FIRST = 2900;
export const SECOND = 1400;
const TURNS = 6;
let drawn = 0;

/** @type {MakeDevice} */
export function device(mechanism, weights) {
  const share = brightWeight(mechanism, weights) / TOTAL;
  const coins = mechanism === "coin";
  const first = coins ? coin("1", words("mechanism.coin.tails"), words("mechanism.coin.heads"), "first")
    : wheel(share, [{ share: 1 - share, said: () => percent(1 - share) }]);
  const second = mechanism === "spinner" ? null : coin(coins ? "2" : "?", words("answer.1"), words("answer.0"), "second");
  return stage(mechanism, [first.node, ...(second ? [second.node] : [])],
    [[share, words(coins ? "mechanism.coin.bright" : "wheel.bright")], [1 - share, words(`mechanism.${mechanism}.dark`)]],
    ({ kept, side, place }) => [
      ...first.turn(Number(kept), place),
      ...(side === null || !second ? [] : second.turn(side, 0, FIRST, SECOND)),
    ]);
}

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
      // Nothing moves in the last one: it makes every spin last the same.
      running = [...start(picture), node.animate([], { duration: FIRST + SECOND })];
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) skip();
      await Promise.all(running.map((animation) => animation.finished));
      // Not before: what follows from it could be seen while the wheel still turns.
      node.classList.add("still", picture.kept ? "kept" : "chance");
    },
  };
}

/** @param {number} share */
const percent = (share) => `${hundredths(share)}%`;

/** Dark slices begin at the pointer and run clockwise, as in the mark; the bright one is last. @type {Wheel} */
export function wheel(bright, dark) {
  const [light, night] = [`light-${++drawn}`, `night-${drawn}`];
  const slices = [...dark, { share: bright, said: () => percent(bright) }];
  const starts = slices.map((_, index) => dark.slice(0, index).reduce((sum, { share }) => sum + share, 0));
  const end = 1 - bright;
  const labels = slices.map(({ share, said }, index) => (
    label(dark[index] ? "on-night" : "on-bright", (starts[index] ?? 0) + share / 2, share, said, dark.length > 1 && index < dark.length)));
  const disc = drawing("g", {},
    circle("rim", 113),
    drawing("circle", { r: 100, fill: `url(#${light})` }),
    circle("rays", 62, { pathLength: 720 }),
    drawing("path", { class: "night", d: sector(0, end) }),
    drawing("path", { d: sector(0, end), fill: `url(#${night})` }),
    ...dark.flatMap(({ share }, index) => (index % 2 ? [drawing("path", { class: "odd", d: sector(starts[index] ?? 0, share) })] : [])),
    circle("ticks", 106.5, { pathLength: 100 }),
    circle("ticks long", 106.5, { pathLength: 100 }),
    drawing("path", { class: dark.length > 12 ? "seam fine" : "seam", d: starts.map((turn) => `M0 0L${point(turn)}`).join("") }),
    ...labels);
  const node = drawing("svg", { class: "wheel", viewBox: "-120 -134 240 256" },
    drawing("defs", {},
      drawing("radialGradient", { id: light }, drawing("stop", { class: "flame" }), drawing("stop", { class: "amber", offset: 1 })),
      drawing("pattern", { id: night, width: 17, height: 17, patternUnits: "userSpaceOnUse", patternTransform: "rotate(30)" },
        circle("star", 1.1, { cx: 4, cy: 4 }), circle("star", 0.6, { cx: 12.5, cy: 12.5 }))),
    circle("halo", 116), disc, circle("hub", 10), circle("pin", 3),
    drawing("path", { class: "pointer", d: "M0-92L-8.5-121a8.5 8.5 0 1 1 17 0z" }));
  return {
    node,
    turn(slice, place, delay = 0, duration = FIRST) {
      // A twentieth is left free at both ends of a slice, so that one can see which one it is.
      const angle = 360 * (TURNS - (starts[slice] ?? 0) - (0.05 + 0.9 * place) * (slices[slice]?.share ?? 0));
      // The figures stay upright, like the cabins of a big wheel.
      return [disc, ...labels].map((each, index) => spin(each, "rotate", index ? -angle : angle,
        { delay, duration, easing: "cubic-bezier(.1, .55, .12, 1)" }));
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

/** None on too small a slice. @type {Label} */
function label(name, middle, share, said, narrow) {
  const [x, y] = point(middle, narrow ? 78 : 60);
  const text = drawing("text", { class: name, x, y });
  if (narrow) text.style.fontSize = `${Math.min(20, 400 * share)}px`;
  if (narrow || share > 0.13) live(() => { text.textContent = said(); });
  return text;
}

/** It lies with its cover up until it is tossed. @type {Coin} */
function coin(cover, front, back, name) {
  const top = element("span.face.cover", cover);
  const body = element("span.coin-body", element("span.face.front", front), element("span.face.back", back), top);
  const node = element(`span.coin.${name}`, body);
  return {
    node,
    turn(up, _place, delay = 0, duration = FIRST) {
      const timing = { delay, duration, fill: /** @type {const} */ ("backwards") };
      top.style.opacity = "0";
      return [
        spin(body, "rotateX", up ? 1440 : 1620, { delay, duration, easing: "cubic-bezier(.2, .6, .4, 1)" }),
        top.animate([{ opacity: 1 }, { opacity: 0, offset: 0.05 }, { opacity: 0 }], timing),
        node.animate([
          { transform: "none", easing: "cubic-bezier(.2, .7, .5, 1)" },
          { transform: "translateY(-3.2rem) scale(1.12)", offset: 0.45, easing: "cubic-bezier(.5, 0, .8, .4)" },
          { transform: "none", offset: 0.88 },
          { transform: "none" },
        ], timing),
      ];
    },
  };
}

/** The last position is set at once; the animation only leads up to it. @type {Spin} */
export function spin(node, axis, angle, timing) {
  const transform = `${axis}(${angle}deg)`;
  node.style.transform = transform;
  return node.animate([{ transform: `${axis}(0deg)` }, { transform }], { ...timing, fill: "backwards" });
}
