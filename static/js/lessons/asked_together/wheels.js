/** One wheel for both answers, and two wheels for one each: the wheels of the product, spun with made-up answers. */

import { drawWord, walk } from "../../chance/randomize.js";
import { picture } from "../../devices/device.js";
import { slicePicture } from "../../devices/slices.js";
import { percent, stage, wheel } from "../../devices/wheel.js";
import { element, forget, words } from "../../page/page.js";
import { wheelWeights } from "../../theory/exponential.js";
import { weights } from "../../theory/response.js";
import { brightOfEach, brightOfOne, COMBINATIONS } from "./pair.js";

/** @typedef {{report: number, turns: Picture[]}} Spin a pair of reports, and where each wheel stops */
/** @typedef {"joint" | "apart"} Way */

/** @type {Record<Way, {wheels: number, bright: (epsilon: number) => number, spin: (epsilon: number, answer: number) => Spin}>} */
const WAYS = {
  joint: {
    wheels: 1,
    bright: brightOfOne,
    spin(epsilon, answer) {
      const row = wheelWeights(COMBINATIONS, epsilon)[answer] ?? [];
      const word = drawWord();
      const report = walk(row, word);
      return { report, turns: [slicePicture(row, Math.min(...row), report, word)] };
    },
  },
  apart: {
    wheels: 2,
    bright: brightOfEach,
    spin(epsilon, answer) {
      const channel = weights(epsilon / 2);
      const spins = [answer >> 1, answer & 1].map((own) => {
        const word = drawWord();
        return { report: walk(channel[own] ?? [], word), turn: picture("spinner_coin", channel, own, word) };
      });
      return { report: spins.reduce((before, { report }) => 2 * before + report, 0), turns: spins.map(({ turn }) => turn) };
    },
  },
};

/** @param {Way} name */
export function spinnable(name) {
  const node = element("div.spinnable");
  const { wheels, bright, spin } = WAYS[name];
  /** @type {Device | undefined} */
  let shown;
  let epsilon = 0;
  const redraw = () => {
    forget();
    const share = bright(epsilon);
    const discs = Array.from({ length: wheels }, () => wheel(share, [{ share: 1 - share, said: () => percent(1 - share) }]));
    shown = stage(`${name}-wheels`, discs.map((disc) => disc.node), [[share, words(`way.${name}.bright`)], [1 - share, words(`way.${name}.dark`)]],
      (/** @type {any} */ { turns }) => discs.flatMap((disc, place) => disc.turn(Number(turns[place].bright), turns[place].place)));
    node.replaceChildren(shown.node);
    return shown;
  };
  return {
    node,
    /** @param {number} now */
    show(now) {
      epsilon = now;
      redraw();
    },
    /** Null where something else has come in between. @param {number} answer a combination @returns {Promise<Spin | null>} */
    async spin(answer) {
      const device = redraw();
      const spun = spin(epsilon, answer);
      await device.show(/** @type {any} */ ({ bright: spun.turns.every((turn) => turn.bright), turns: spun.turns }));
      return device === shown ? spun : null;
    },
  };
}
