/** Counts that grow: something drawn again and again until it is whole. */

/** Fast at first, and slow at the end. @param {number} share */
const eased = (share) => 1 - (1 - share) ** 3;

/**
 * @param {number} milliseconds
 * @param {(share: number) => boolean | void} draw from 0 to 1; false where something else has come in between
 * @returns {Promise<boolean>} whether it came to its end; at once for somebody who wants no motion
 */
export function grow(milliseconds, draw) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return Promise.resolve(draw(1) !== false);
  return new Promise((done) => {
    /** @type {number | undefined} */
    let begun;
    const frame = (/** @type {number} */ now) => {
      begun ??= now;
      const share = Math.min(1, (now - begun) / milliseconds);
      if (draw(eased(share)) === false) done(false);
      else if (share < 1) requestAnimationFrame(frame);
      else done(true);
    };
    requestAnimationFrame(frame);
  });
}
