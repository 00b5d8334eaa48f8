/** The front page: a wheel for one answer, and a crowd of dots for two hundred. Nothing is sent or kept. */

import { part } from "../lessons/places.js";
import { many } from "./two_hundred.js";
import { calm, oneAnswer } from "./one_answer.js";

const crowd = many();
part("many").replaceChildren(crowd.node);
const answer = oneAnswer(() => {
  document.getElementById("many")?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  void crowd.begin();
});
part("spin").replaceChildren(answer.node);
void answer.example();
