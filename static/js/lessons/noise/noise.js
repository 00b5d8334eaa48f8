/** Noise for one number: a total with one person and without, and what an epsilon makes of the difference. */

import "./own_number.js";
import { element } from "../../page/page.js";
import { keep } from "../controls/address.js";
import { button, controls } from "../controls/controls.js";
import { wantedNumber } from "../controls/link.js";
import { former } from "../drawing/former_picture.js";
import { grow } from "../drawing/grow.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { fixed, number, say } from "../words.js";
import { raised, uniforms } from "./uniform_noise.js";
import { ACROSS, DISTANCE, EPSILON, WITHOUT, densities, publishedOf, ratios, scaleOf, times, verdict } from "./pictures.js";

/** @typedef {import("./pictures.js").Draw} Draw */

const MANY = 100;
const USUAL = 107; // where the line stands, if the address says nothing
const FALL = 1100; // milliseconds
const ONE_BY_ONE = 0.7; // of that, over which many draws set out

const above = plot(say("total.caption"), 0.5);
const below = plot(say("ratio.caption"), 0.38, { tableCaption: say("ratio.table") });
above.node.classList.add("noise-above");
const said = element("p.outcome", { role: "status", "data-value": "published" });
/** @typedef {import("./pictures.js").Noise} Noise */

/** @type {(noise: Noise) => Noise | undefined} */
const before = former();

let noise = { distance: 4, epsilon: 1 };
/** @type {Draw[]} */
let drawn = [];
/** Where the reader has put the line; where it is undefined, it is at the last draw. @type {number | undefined} */
let chosen = wantedNumber("published", USUAL, { label: say("total.published"), min: ACROSS.from, max: ACROSS.to });

/** @param {typeof noise} values */
function show(values) {
  noise = values;
  const last = drawn.at(-1);
  const shown = { ...noise, drawn, before: before(noise), published: chosen ?? (last ? publishedOf(noise, last) : WITHOUT) };
  above.draw(densities(shown, { label: say("total.distance"), ...DISTANCE, move: (value) => panel.set("distance", value - WITHOUT) }));
  below.draw(ratios(shown, { label: say("total.published"), min: ACROSS.from, max: ACROSS.to, step: 0.1, move: (value) => {
    chosen = value;
    keep("published", value, USUAL);
    show(noise);
  } }));
  said.replaceChildren(...raised([say("total.scale", { distance: number(noise.distance), epsilon: number(noise.epsilon), b: fixed(scaleOf(noise), 2) }),
    verdict(noise, shown.published), say("ratio.never", { most: times(noise.epsilon) })].join(" ")));
}

/** The numbers fall from the top of the picture to where they lie under the curve. @param {number} count */
function draw(count) {
  const [values, heights] = [uniforms(count), uniforms(count)];
  const fresh = values.map((value, index) => ({ value, height: heights[index] ?? 0.5 }));
  drawn = count > 1 ? fresh : [...drawn.slice(1 - MANY), ...fresh];
  chosen = undefined;
  keep("published", USUAL, USUAL);
  show(noise);
  const dots = [...above.node.querySelectorAll(".noise-draw")].slice(-count);
  const apart = count > 1 ? ONE_BY_ONE : 0;
  return grow(count > 1 ? FALL : FALL / 2, (share) => {
    if (dots.some((dot) => !dot.isConnected)) return false;
    dots.forEach((dot, index) => {
      const late = apart * index / dots.length;
      const fallen = Math.min(1, Math.max(0, (share - late) / (1 - apart)));
      dot.setAttribute("transform", `translate(0 ${-(1 - fallen) * Number(dot.getAttribute("cy"))})`);
      dot.classList.toggle("waiting", !fallen);
    });
    return true;
  });
}

const panel = controls({
  distance: { label: say("total.distance"), ...DISTANCE, value: noise.distance },
  epsilon: { label: say("epsilon"), ...EPSILON, value: noise.epsilon },
}, show, [part("result")]);
part("controls").append(panel.node, element("div.toolbar",
  button(say("total.once"), () => draw(1), "", "once"), button(say("total.many", { n: number(MANY) }), () => draw(MANY), "plain", "draw")));
part("result").append(above.node, below.node, said);
