/** The wheel and the coins of the product, spun with a made-up answer: the same drawing, the same draw. */

import { picture } from "../../devices/device.js";
import { element, forget } from "../../page/page.js";
import { drawWord, randomize } from "../../chance/randomize.js";
import { device } from "../../devices/wheel.js";

/**
 * @param {string} mechanism spinner_coin, spinner or coin
 * @returns {{
 *   node: HTMLElement,
 *   show(weights: Channel): void,
 *   spin(answer: number, speed?: number): Promise<{report: number, bright: boolean} | null>,
 * }} `spin` gives null where something else has come in between; at a speed of 2 it lasts half as long
 */
export function spinnable(mechanism) {
  const node = element("div.spinnable");
  /** @type {Channel} */
  let channel = [];
  /** @type {Device | undefined} */
  let shown;
  const redraw = () => {
    forget(); // the words of the wheel that goes; this page keeps one language
    shown = device(mechanism, channel);
    node.replaceChildren(shown.node);
    return shown;
  };
  return {
    node,
    show(weights) {
      channel = weights;
      redraw();
    },
    async spin(answer, speed = 1) {
      const word = drawWord();
      const spun = redraw();
      const seen = picture(mechanism, channel, answer, word);
      const turned = spun.show(seen);
      if (speed !== 1) for (const turning of spun.node.getAnimations({ subtree: true })) turning.playbackRate = speed;
      await turned;
      return spun === shown ? { report: randomize(channel, answer, word), bright: seen.bright } : null;
    },
  };
}
