/** The wheel and the coins of yes and no: the same whatever the answer is. */

import { brightWeight } from "./device.js";
import { element } from "../page/element.js";
import { words } from "../page/language.js";
import { TOTAL } from "../chance/randomize.js";
import { FIRST, lead, percent, SECOND, stage } from "./stage.js";
import { wheel } from "./wheel.js";

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
    ({ kept, side, place }) => [
      ...first.turn(Number(kept), place),
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
