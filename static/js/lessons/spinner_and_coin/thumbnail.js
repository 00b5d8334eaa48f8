/** The picture of this lesson, small: the wheel grows dark as epsilon falls. */

import { drawing } from "../../page/page.js";
import { spinnerCoin } from "../../theory/response.js";
import { disc } from "../drawing/flat_wheel.js";

export const thumbnail = () => drawing("svg", { viewBox: "0 0 120 80" },
  ...[3, 1, 0.3].flatMap((epsilon, place) => disc(22 + 38 * place, 40, 16, spinnerCoin(epsilon))));
