/** One share at three places: the way of an answer, where chance is added to it, and how far each estimate is off. */

import { drawing } from "../../page/page.js";
import { spinnerCoin } from "../../theory/response.js";
import { ticks } from "../drawing/scale.js";
import { fixed, number, say } from "../words.js";
import { error, floor, MODELS, own } from "./errors.js";

/** @typedef {import("./errors.js").Model} Model */
/** @typedef {{people: number, epsilon: number, model: Model}} Shown */

export const SHARE = 0.3;
const STATIONS = /** @type {const} */ (["device", "shuffler", "server", "published"]);
/** At which station chance is added, and who there has to be trusted. */
const CHANCE = { local: 0, shuffled: 0, central: 2 };
const TRUSTED = { local: -1, shuffled: 1, central: 2 };
const WAY = { y: 42, radius: 15, chance: 11, trusted: 21 };
const ROWS = { top: 118, height: 44, foot: 44 };
const HEIGHT = ROWS.top + MODELS.length * ROWS.height + ROWS.foot;
const NARROW = 420;
const HALF = 0.5;

/** @param {string} name @param {number} x @param {number} y @param {string} anchor @param {string} words */
const text = (name, x, y, anchor, words) => drawing("text", { class: name, x, y, "text-anchor": anchor }, document.createTextNode(words));

/** @param {number} width @param {number} station */
const stationAt = (width, station) => 44 + (width - 88) * station / (STATIONS.length - 1);

/**
 * The way of an answer: bright as long as it is the answer itself, dark once it has met chance.
 *
 * @param {Shown} now @param {number} width @param {number} chance where chance stands, at a station or on its way between two
 */
function way(now, width, chance) {
  const { model } = now;
  const at = (/** @type {number} */ station) => stationAt(width, station);
  const met = at(chance);
  const bypass = model !== "shuffled";
  return [
    drawing("path", { class: "way answer", d: `M${at(0)} ${WAY.y}H${met}` }),
    drawing("path", { class: "way report", d: `M${met} ${WAY.y}H${at(3)}` }),
    ...STATIONS.flatMap((name, station) => {
      const unused = bypass && name === "shuffler";
      const look = unused ? "unused" : station < chance ? "answer" : station > chance ? "report" : "both";
      const trusted = TRUSTED[model] === station;
      return [
        ...(trusted ? [drawing("circle", { class: "trusted", cx: at(station), cy: WAY.y, r: WAY.trusted }), text("trusted-word", at(station), WAY.y - WAY.trusted - 8, "middle", say("picture.trusted"))] : []),
        drawing("circle", { class: `station ${look}`, cx: at(station), cy: WAY.y, r: unused ? 4 : WAY.radius }),
        text(unused ? "tick" : "plot-label", at(station), WAY.y + 36, "middle", say(`picture.${name}`)),
      ];
    }),
    wheel(met, brightShare(now)),
  ];
}

/** How much of the device's wheel keeps the answer: with a shuffler nearly all. A server adds its chance without a wheel. @param {Shown} now */
function brightShare({ model, epsilon, people }) {
  const each = own(model, epsilon, people);
  return each === null ? HALF : spinnerCoin(each);
}

/** A wheel with a bright side and a dark one: here chance is added. @param {number} x @param {number} bright its share */
function wheel(x, bright) {
  const turn = 2 * Math.PI * (1 - bright);
  const end = `${(WAY.chance * Math.sin(turn)).toFixed(2)} ${(-WAY.chance * Math.cos(turn)).toFixed(2)}`;
  return drawing("g", { class: "chance", transform: `translate(${x} ${WAY.y})` },
    drawing("circle", { r: WAY.chance, class: "chance-bright" }),
    drawing("path", { class: "chance-dark", d: `M0 0V${-WAY.chance}A${WAY.chance} ${WAY.chance} 0 ${bright < HALF ? 1 : 0} 1 ${end}Z` }),
    drawing("circle", { r: WAY.chance, class: "chance-rim" }));
}

/** One estimate with two standard errors either way, as far as the axis goes; beyond it an arrow leads on. @param {Model} shown @param {number} row @param {Shown} now @param {(share: number) => number} x */
function bar(shown, row, { people, epsilon, model }, x) {
  const y = ROWS.top + row * ROWS.height + 30;
  const reach = 2 * error(shown, SHARE, epsilon, people);
  const [low, high] = [SHARE - reach, SHARE + reach];
  const [from, to] = [x(Math.max(0, low)), x(Math.min(1, high))];
  const ends = (low < 0 ? arrow(from, y, 1) : cap(from, y)) + (high > 1 ? arrow(to, y, -1) : cap(to, y));
  const asked = 2 * floor(SHARE, people);
  const [without, upTo] = [x(Math.max(0, SHARE - asked)), x(Math.min(1, SHARE + asked))];
  return drawing("g", { class: `estimate${shown === model ? " chosen" : ""}`, "data-model": shown },
    drawing("rect", { class: "band", x: without, y: y - 11, width: upTo - without, height: 22 }), // not behind the words
    text("estimate-name", x(0), y - 15, "start", say(`picture.${shown}`)),
    text("estimate-value", x(1), y - 15, "end", say("picture.value", { share: number(100 * SHARE), reach: inHundred(reach) })),
    drawing("path", { class: "estimate-bar", d: `M${from} ${y}H${to}${ends}` }),
    drawing("circle", { class: "point bright", cx: x(SHARE), cy: y, r: 5 }));
}

/** @param {number} x @param {number} y */
const cap = (x, y) => `M${x} ${y - 7}v14`;

/** @param {number} x its point @param {number} y @param {number} back towards where it comes from, 1 or -1 */
const arrow = (x, y, back) => `M${x + 8 * back} ${y - 7}L${x} ${y}L${x + 8 * back} ${y + 7}`;

/** So many of a hundred, with the same digits wherever they stand below each other. @param {number} share */
export const inHundred = (share) => fixed(100 * share, 2);

/**
 * @param {SVGSVGElement} svg @param {Shown} now @param {number} width in pixels @param {number} [chance] the station of chance, while it moves
 */
export function draw(svg, now, width, chance = CHANCE[now.model]) {
  const [left, right] = [4, width - 12];
  const x = (/** @type {number} */ share) => left + (right - left) * share;
  const bottom = ROWS.top + MODELS.length * ROWS.height;
  const places = ticks({ title: "", from: 0, to: 100 }, width < NARROW ? 5 : 11);
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  svg.replaceChildren(
    ...way(now, width, chance),
    drawing("path", { class: "axis", d: `M${left} ${bottom}H${right}${places.map((value) => `M${x(value / 100)} ${bottom}v5`).join("")}` }),
    ...places.map((value) => text("tick", x(value / 100), bottom + 20, value ? value === 100 ? "end" : "middle" : "start", number(value))),
    text("axis-title", right, bottom + 40, "end", say("picture.axis")),
    ...MODELS.map((shown, row) => bar(shown, row, now, x)),
  );
}

/** Where chance stands. @param {Model} model */
export const chanceAt = (model) => CHANCE[model];
