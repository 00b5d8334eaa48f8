/** Two coins: a crowd that tosses, then one toss, a thousand beside what chance does, and the way from reports back to the share. */

import { element } from "../../page/page.js";
import { epsilonOf, estimate, TWO_COINS } from "../../theory/response.js";
import { price, reportShare } from "../../theory/spread.js";
import { down, up } from "../rounding.js";
import { chanceTable } from "../chance_table.js";
import { button, choices, controls } from "../controls/controls.js";
import { curve, label, line } from "../drawing/marks.js";
import { part } from "../places.js";
import { plot } from "../drawing/plot.js";
import { expected, running, SPINS, tally } from "../drawing/spin_tally.js";
import { fixed, number, say } from "../words.js";
import { spinnable } from "../drawing/spinnable_wheel.js";
import { opening } from "./opening.js";
import { CHANCES, CHANNEL } from "./survey.js";

const HUNDRED = 100; // people, or records
const RANGE = { min: 0, max: HUNDRED, step: 1 };
const CROWDS = /** @type {const} */ ([200, 20_000]);

const coins = spinnable("coin");
const told = element("p.outcome", { role: "status", "data-value": "tossed" });
const counted = tally();
const reports = plot(say("line.caption"), 0.7, { hint: say("line.hint") });
const shareText = element("p.outcome", { "data-value": "share" });
let answer = 1;

async function tossOnce() {
  clear();
  const result = await coins.spin(answer);
  if (!result) return;
  const report = say(`answer.${result.report}`);
  told.textContent = `${say(result.bright ? "kept" : "mechanism.coin.chance", { report })} ${say("chances.recorded", { report })}.`;
}

async function tossMany() {
  clear();
  const yes = running(CHANNEL, answer, 1);
  const rows = [1, 0].map((report) => ({
    words: say(`answer.${report}`), chance: CHANCES[answer]?.[report] ?? 0, look: /** @type {Look} */ (report ? "bright" : "dark"),
    counts: report ? yes : yes.map((count, tosses) => tosses - count) }));
  const whole = await counted.run(say("counts.tosses", { n: number(SPINS), answer: say(`answer.${answer}`) }), say("counts.recorded"), rows);
  if (!whole) return;
  told.textContent = rows.map(({ words, counts, chance }) => {
    const [mean, twice] = expected(chance);
    return say("counts.row", { report: words, count: number(counts[SPINS] ?? 0), expected: number(mean), low: number(down(mean - twice, 0)), high: number(up(mean + twice, 0)) });
  }).join(" ");
}

/** Coins that have not been tossed, with this answer. */
function clear() {
  coins.show(CHANNEL);
  told.textContent = "";
  counted.clear();
}

/** How many of 100 records say Yes, on average. @param {number} share in 100 */
const recorded = (share) => HUNDRED * reportShare(share / HUNDRED, TWO_COINS); // 1/4 + pi/2

/** @param {{share: number}} values in 100 */
function showShare({ share }) {
  const noisy = recorded(share);
  const said = say("line.said", { share: number(share), noisy: number(noisy, 2), back: number(HUNDRED * estimate(noisy / HUNDRED, TWO_COINS), 2) });
  const cost = share > 0 && share < HUNDRED ? say("line.price", { times: number(price(share / HUNDRED, TWO_COINS), 2) }) : "";
  shareText.textContent = `${said} ${cost}`.trim();
  const ends = [0, HUNDRED].map((end) => /** @type {XY} */ ([end, recorded(end)]));
  reports.draw({
    name: said,
    x: { title: say("line.share"), from: 0, to: HUNDRED },
    y: { title: say("line.noisy"), from: 0, to: HUNDRED },
    marks: [line([0, 0], [HUNDRED, HUNDRED]), label({ text: say("line.open"), at: [88, 88], dx: -12, anchor: "end" }), curve(ends),
      label({ text: say("line.formula"), at: [72, recorded(72)], dx: 8, dy: 26 }),
      line([share, 0], [share, noisy]), line([0, noisy], [share, noisy]),
      label({ text: number(noisy, 2), at: [share, noisy], dx: 0, dy: -16, anchor: "middle" })],
    handles: [{ label: say("line.share"), at: [share, noisy], ...RANGE, say: (value) => number(value),
      move: (value) => panel.set("share", Math.round(value)) }],
    table: () => ({ head: [say("line.share"), say("line.noisy")],
      rows: [0, 10, 25, 50, 75, 100].map((percent) => [number(percent), number(recorded(percent), 2)]) }),
  });
}

const crowd = opening();
/** @type {{people: number, truth: number}} how many, and how many of 100 would answer yes */
const asked = { people: CROWDS[0], truth: 30 };
const meet = () => crowd.meet(asked.people, Math.round(asked.people * asked.truth / HUNDRED));
const truth = controls({ truth: { label: say("truth"), ...RANGE, value: asked.truth } }, (values) => { asked.truth = values.truth; meet(); }, [part("result")]);
part("controls").append(truth.node,
  choices("people", say("people"), CROWDS.map((count) => [String(count), number(count)]), String(asked.people), (value) => { asked.people = Number(value); meet(); }),
  crowd.toolbar);
part("result").append(crowd.node);

clear();
part("coin-controls").append(
  choices("answer", say("made_up"), [["1", say("answer.1")], ["0", say("answer.0")]], "1", (value) => { answer = Number(value); clear(); }),
  element("div.toolbar", button(say("once"), tossOnce, "", "once"), button(say("many", { n: number(SPINS) }), tossMany, "plain", "many")));
part("coin-result").append(coins.node, told, counted.node,
  chanceTable(say("chances.caption", { epsilon: fixed(epsilonOf(CHANCES), 4) }), CHANCES));
const panel = controls({ share: { label: say("line.control"), hint: say("line.wanted"), ...RANGE, value: 30 } }, showShare, [part("line")]);
part("share-controls").append(panel.node);
part("line").append(shareText, reports.node);
