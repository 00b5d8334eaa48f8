/** What a picture showed before it began to change: the curve that stays behind as a ghost. */

const PAUSE = 900; // milliseconds without a change, after which the next one begins anew

/**
 * @template Values
 * @returns {(values: Values) => Values | undefined} takes what is shown now, gives what was shown before the first of these changes
 */
export function former() {
  /** @type {Values | undefined} */
  let kept;
  /** @type {Values | undefined} */
  let last;
  let at = 0;
  return (values) => {
    const now = performance.now();
    if (last && now - at > PAUSE) kept = last;
    [last, at] = [values, now];
    return kept;
  };
}
