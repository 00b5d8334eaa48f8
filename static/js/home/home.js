/** The front page: a wheel for one answer, and a crowd of dots for two hundred. Nothing is sent or kept. */

import { part } from "../learn/parts.js";
import { many } from "./many.js";
import { calm, one } from "./one.js";

const crowd = many();
part("many").replaceChildren(crowd.node);
part("spin").replaceChildren(one(() => {
  document.getElementById("many")?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  void crowd.begin();
}));
