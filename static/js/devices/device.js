/** What the wheel and the coins show. It follows from the word that fixed the report; nothing else is drawn. */

import { randomize, TOTAL } from "../chance/randomize.js";

/** The bright side in words out of 2**32, the same whatever the answer is. @type {BrightWeight} */
export function brightWeight(mechanism, channel) {
  const [[, sendYes = 0] = [], [sendNo = 0] = []] = channel;
  const keep = mechanism === "spinner" ? TOTAL - sendYes : TOTAL - sendYes - sendNo;
  if (channel.length !== 2 || sendYes !== sendNo || keep < 0 || (mechanism === "coin" && keep * 2 !== TOTAL)) {
    throw new RangeError(`channel must be one that ${mechanism} can give, got ${JSON.stringify(channel)}`);
  }
  return keep;
}

/** @type {Depict} */
export function picture(mechanism, channel, answer, word) {
  brightWeight(mechanism, channel);
  const report = randomize(channel, answer, word);
  const weight = channel[answer]?.[report] ?? 0;
  const offset = word - (report === 1 ? channel[answer]?.[0] ?? 0 : 0);
  // The first words of every column are the slice that sends its report under either answer; what is left
  // of the true answer's column keeps it. Warner's wheel has no such slice for the answer itself.
  const slice = mechanism === "spinner" && report === answer ? 0 : channel[1 - report]?.[report] ?? 0;
  const bright = offset >= slice;
  return {
    bright,
    side: bright || mechanism === "spinner" ? null : report,
    place: bright ? (offset - slice + 0.5) / (weight - slice) : (offset + 0.5) / slice,
  };
}
