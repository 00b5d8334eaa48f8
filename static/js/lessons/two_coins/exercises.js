/** The exercises on two coins. */

import { exercise } from "../exercise_sets.js";
import { up } from "../rounding.js";
import { epsilonOf, estimate, TWO_COINS } from "../../theory/response.js";
import { countDeviation } from "../../theory/spread.js";

export const one = exercise({ people: [200, 1000, 400, 2000, 600], recorded: [36, 42, 31, 54, 28, 47, 39] }, ({ people, recorded }) => {
  const [yes, coins] = [people * recorded / 100, people / 4];
  return { yes: [yes, 0], half: [people / 2, 0], coins: [coins, 0], left: [yes - coins, 0], estimate: [people * estimate(yes / people, TWO_COINS), 0] };
});

export const two = exercise({ margin: [5, 2, 3, 2.5, 4, 6, 1.5] }, ({ margin }) => {
  const needed = 7500 / margin ** 2; // (3/4)/(margin/100)^2
  const people = up(needed, 0);
  return { fraction: [margin / 100, 3], needed: [needed, 1], people: [people, 0], off: [countDeviation(people, 0.75) / TWO_COINS, 1] };
});

export const three = exercise({ sides: [6, 4, 8, 10, 12, 20, 5] }, ({ sides }) => {
  const [yesOfYes, yesOfNo] = [0.5 + 0.5 / sides, 0.5 / sides];
  const chances = [[1 - yesOfNo, yesOfNo], [1 - yesOfYes, yesOfYes]];
  return {
    yes_yes: [yesOfYes, 4], yes_no: [yesOfNo, 4], no_no: [1 - yesOfNo, 4], no_yes: [1 - yesOfYes, 4],
    times: [yesOfYes / yesOfNo, 2], no_times: [(1 - yesOfNo) / (1 - yesOfYes), 2], epsilon: [epsilonOf(chances), 2],
  };
});
