/** The exercises on removed names. */

import { exercise } from "../exercise_sets.js";
import { laplaceDeviation, laplaceScale } from "../../theory/noise.js";

export const one = exercise({ people: [10_000, 5000, 20_000, 30_000], years: [80, 90, 70] }, ({ people, years }) => {
  const kinds = 365 * years * 2;
  return { kinds: [kinds, 0], average: [people / kinds, 2], others: [people - 1, 0], alone: [100 * (1 - 1 / kinds) ** (people - 1), 1] };
});

export const two = exercise({ flu: [60, 55, 65], asthma: [30, 20, 25, 15] }, ({ flu, asthma }) => {
  const [rest, third] = [100 - flu - asthma, 100 / 3];
  const [less, more, most] = [flu - third, third - asthma, third - rest];
  return { rest: [rest, 0], third: [third, 1], less: [less, 1], more: [more, 1], most: [most, 1], distance: [(less + more + most) / 2, 1], times: [third / rest, 1] };
});

const [WEEKS, QUARTERS] = [52, 4];

export const three = exercise({ ill: [300, 120, 200], limit: [1, 2, 0.5, 1.5] }, ({ ill, limit }) => {
  const [weekly, quarterly] = [laplaceDeviation(laplaceScale(WEEKS, limit)), laplaceDeviation(laplaceScale(QUARTERS, limit))];
  return {
    b: [WEEKS / limit, 1], deviation: [weekly, 1], percent: [100 * weekly / ill, 1],
    quarter_b: [QUARTERS / limit, 2], quarter_deviation: [quarterly, 1], quarter_percent: [100 * quarterly / ill, 1],
  };
});
