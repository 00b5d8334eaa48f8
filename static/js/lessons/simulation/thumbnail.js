/** The picture of this lesson, small: what is true, what is recorded of it on average, and what follows from that. */

import { drawing } from "../../page/page.js";
import { estimate, spinnerCoin } from "../../theory/response.js";
import { reportShare } from "../../theory/spread.js";

const [SHARE, PEOPLE] = [0.3, 100]; // pixels for everybody

export const thumbnail = () => {
  const p = spinnerCoin(1);
  const noisy = reportShare(SHARE, p);
  return drawing("svg", { viewBox: "0 0 120 80" },
    ...[SHARE, noisy, estimate(noisy, p)].map((share, row) => drawing("rect", {
      class: `bar ${["bright", "dark", "accent"][row]}`, x: 10, y: 11 + 21 * row, width: PEOPLE * share * 2, height: 15 })));
};
