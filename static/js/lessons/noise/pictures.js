/** One total, published with noise: how likely every number is with one person and without, and the ratio of the two. */

import { reportLoss } from "../../theory/loss.js";
import { laplaceDensity, laplaceNoise, laplaceScale } from "../../theory/noise.js";
import { atMost } from "../rounding.js";
import { area, curve, dot, ghost, label, line } from "../drawing/marks.js";
import { fixed, number, say } from "../words.js";
import { draws } from "./uniform_noise.js";

/** @typedef {{distance: number, epsilon: number}} Noise how far one person can move the total, and what is promised */
/** @typedef {{value: number, height: number}} Draw two uniform numbers: they give the noise, and how far below the curve it lies */
/** @typedef {Noise & {published: number, drawn: readonly Draw[], before: Noise | undefined}} Shown */

/** The total without the person. */
export const WITHOUT = 100;
export const DISTANCE = { min: 3, max: 8, step: 0.5 };
export const EPSILON = { min: 0.2, max: 1.5, step: 0.05 };

// The axes are wide and high enough for everything that the controls can ask for, and stand still.
export const ACROSS = { from: 86, to: 118 };
const HIGHEST = laplaceDensity(0, laplaceScale(DISTANCE.min, EPSILON.max));
const TOP = 1.25 * HIGHEST; // above the highest curve there is room for the two names
const MOST = 5; // a round ratio above e^1.5
const FINE = 4; // points for each glass

const ROOM = 110; // pixels that a name takes to the right of its point

const ROWS = [88, 92, 96, 98, 100, 102, 104, 106, 108, 112, 116];
const WHOLE = Array.from({ length: FINE * (ACROSS.to - ACROSS.from) + 1 }, (_, index) => ACROSS.from + index / FINE);

/** @param {Noise} noise */
export const scaleOf = ({ distance, epsilon }) => laplaceScale(distance, epsilon);

/** How likely a number is, for each glass of width: with the person, and without. @param {Noise} noise @param {number} at */
function densitiesAt(noise, at) {
  const b = scaleOf(noise);
  return { mine: laplaceDensity(at - WITHOUT - noise.distance, b), other: laplaceDensity(at - WITHOUT, b) };
}

/** ln of their ratio. @param {Noise} noise @param {number} at */
export function lossAt(noise, at) {
  const { mine, other } = densitiesAt(noise, at);
  return reportLoss(mine, other);
}

/** What is published for a draw. @param {Noise} noise @param {Draw} drawn */
export const publishedOf = (noise, { value }) => WITHOUT + noise.distance + laplaceNoise(value, scaleOf(noise));

/** A number that is drawn within the picture. @param {number} at */
export const within = (at) => Math.min(ACROSS.to, Math.max(ACROSS.from, at));

/** How many times as likely, never below 1; what reaches the bound is written like it. @param {number} loss */
export const times = (loss) => atMost(Math.exp(Math.abs(loss)), 2);

/** The places at which a line bends are always among those that are drawn. @param {Noise} noise */
const places = ({ distance }) => [...WHOLE, WITHOUT + distance].sort((left, right) => left - right);

/** @param {Shown} shown @param {Omit<Handle, "at" | "say">} handle @returns {PlotPicture} */
export function densities(shown, handle) {
  const centre = WITHOUT + shown.distance;
  const roof = 0.93 * TOP;
  /** @param {Noise} noise @param {"mine" | "other"} which */
  const points = (noise, which) => places(noise).map((at) => /** @type {XY} */ ([at, densitiesAt(noise, at)[which]]));
  const { before, drawn, published } = shown;
  const now = densitiesAt(shown, within(published));
  const landed = drawn.map((ball) => ({ at: publishedOf(shown, ball), height: ball.height }))
    .map(({ at, height }) => /** @type {XY} */ ([at, height * densitiesAt(shown, at).mine]));
  const [left, right] = [landed.filter(([at]) => at < ACROSS.from).length, landed.filter(([at]) => at > ACROSS.to).length];
  return {
    name: say("total.name", { without: number(WITHOUT), with: number(centre), b: fixed(scaleOf(shown), 2) }),
    x: { title: "", ...ACROSS },
    y: { title: say("total.density"), from: 0, to: TOP, ticks: [0, 0.05, 0.1, 0.15, 0.2, 0.25], format: (value) => fixed(value, 2) },
    marks: [
      area(points(shown, "other"), "dark"), area(points(shown, "mine"), "bright"),
      ...(before ? [ghost(points(before, "other")), ghost(points(before, "mine"))] : []),
      line([WITHOUT, 0], [WITHOUT, roof], "soft", 0), line([centre, 0], [centre, roof], "soft", 0),
      line([WITHOUT, roof], [centre, roof], "accent", 0),
      curve(points(shown, "other"), "dark", 1), curve(points(shown, "mine"), "bright"),
      line([within(published), 0], [within(published), 0.75 * roof], "accent", 2),
      draws(landed.slice(0, -1), "ink"), draws(landed.slice(-1), "ink", "last"), dot([within(published), now.other], "dark"), dot([within(published), now.mine], "bright"),
      label({ text: say("total.without"), at: [WITHOUT, roof], dx: -9, dy: 5, anchor: "end" }),
      beyond(say("total.with"), [centre, roof]),
      label({ text: "Δ", at: [(WITHOUT + centre) / 2, roof], dy: -12, anchor: "middle" }),
      ...(left ? [label({ text: `← ${number(left)}`, at: [ACROSS.from, 0.62 * TOP], dx: 2 })] : []),
      ...(right ? [label({ text: `${number(right)} →`, at: [ACROSS.to, 0.62 * TOP], dx: -2, anchor: "end" })] : []),
    ],
    handles: [{ ...handle, at: [centre, roof], min: WITHOUT + DISTANCE.min, max: WITHOUT + DISTANCE.max, say: (value) => number(value - WITHOUT) }],
  };
}

/** Words to the right of a point, or above it where there is no room. @param {string} text @param {XY} at @returns {Mark} */
const beyond = (text, at) => (sides) => label({ text, at, dx: 16, dy: sides.right - sides.x(at[0]) < ROOM ? -16 : 5 })(sides);

/** @param {Shown} shown @param {Omit<Handle, "at" | "say">} handle @returns {PlotPicture} */
export function ratios(shown, handle) {
  const { before, epsilon, published } = shown;
  /** @param {Noise} noise */
  const points = (noise) => places(noise).map((at) => /** @type {XY} */ ([at, Math.exp(lossAt(noise, at))]));
  const [low, high] = [Math.exp(-epsilon), Math.exp(epsilon)];
  const at = /** @type {XY} */ ([within(published), Math.exp(lossAt(shown, within(published)))]);
  const most = times(epsilon);
  return {
    name: say("ratio.name", { most, without: number(WITHOUT), with: number(WITHOUT + shown.distance) }),
    x: { title: say("total.published"), ...ACROSS },
    y: { title: say("ratio.title"), from: 1 / MOST, to: MOST, log: true, ticks: [1 / 5, 1 / 2, 1, 2, 5], format: ratio },
    marks: [
      line([ACROSS.from, 1], [ACROSS.to, 1], "soft", 0),
      line([ACROSS.from, low], [ACROSS.to, low], "accent", 1), line([ACROSS.from, high], [ACROSS.to, high], "accent", 1),
      ...(before ? [ghost(points(before))] : []),
      curve(points(shown), "ink"),
      line([at[0], 1 / MOST], [at[0], MOST], "accent", 2),
      label({ text: say("ratio.most", { most }), at: [ACROSS.from, high], dx: 6, dy: -7 }),
      label({ text: say("ratio.least", { most }), at: [ACROSS.to, low], dx: -6, dy: epsilon > 1 ? -7 : 17, anchor: "end" }),
    ],
    handles: [{ ...handle, at, say: (value) => verdict(shown, value) }],
    table: () => ({ head: [say("total.published"), say("total.with"), say("total.without"), say("ratio.title")], rows: ROWS.map((value) => row(shown, value)) }),
  };
}

/** What a published number says of the person, in words. @param {Noise} noise @param {number} at */
export function verdict(noise, at) {
  const loss = lossAt(noise, at);
  const key = Math.abs(loss) < 1e-9 ? "ratio.equal" : loss > 0 ? "ratio.with" : "ratio.without";
  return say(key, { published: fixed(at, 1), times: times(loss) });
}

/** @param {Noise} noise @param {number} at */
function row(noise, at) {
  const { mine, other } = densitiesAt(noise, at);
  return [number(at), fixed(mine, 4), fixed(other, 4), fixed(mine / other, 3)];
}

/** Below 1 as a fraction, and as wide as the numbers of the other picture, so that both stand below each other. @param {number} value */
const ratio = (value) => `\u2007${value < 1 ? `1/${number(1 / value)}` : number(value)}`;
