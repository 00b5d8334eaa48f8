/** A number: a number field, and a strip of where its record may land, or a wheel with two ends. */

import { code, element, filler, live, own, rarely, say, words } from "../page/page.js";
import { answers, isFormWithinLoss, randomizeForm, row } from "../chance/compact_form.js";
import { isGuarantee, isWithinDelta } from "../chance/gaussian.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { isLogarithm } from "../chance/loss.js";
import { hardestPairs } from "../chance/hardest_pairs.js";
import { TOTAL } from "../chance/randomize.js";
import { slicePicture, sliceWeights } from "../devices/slices.js";
import { stage, wheel } from "../devices/wheel.js";
import { strip } from "../devices/strip.js";
import { isAmbiguous, readDecimal } from "./decimal.js";
import { reportPlaces } from "./report_places.js";

/** @param {Question} question @returns {{name: string, form: Form, epsilon: number, loss: number[], ratio?: number[], delta?: number, delta_weight?: number}} */
const only = ({ columns: [column] }) => /** @type {any} */ (column);
/** @param {Question} question @returns {{low: number, high: number, step: number, unit?: Texts}} */
const grid = (question) => /** @type {any} */ (question);
/** @param {Question} question @param {Form} form @returns {form is WindowsForm & {ends: 2}} */
const isOneBit = ({ mechanism }, form) => mechanism === "one_bit" && form.form === "windows";

/** @type {Kind["reports"]} */
export const reports = ({ form }) => row(/** @type {Form} */ (form), 0).length;

/** @param {Question} question */
export function keepsWord(question) {
  const { form, loss, epsilon, ratio, delta, delta_weight: weight } = only(question);
  const { low, high, step } = grid(question);
  if (question.columns.length !== 1 || !form || answers(form) !== Math.round((high - low) / step) + 1) return false;
  if (isOneBit(question, form) && sliceWeights(form).keep < 0) return false;
  return ratio
    ? isWithinDelta(form, ratio, weight ?? TOTAL) && isGuarantee(epsilon, delta ?? 0, ratio, weight ?? TOTAL)
    : isFormWithinLoss(form, loss) && isLogarithm(epsilon, loss);
}

/** @type {Kind["promises"]} */
export function promises(question) {
  const { form, loss, ratio, delta, delta_weight } = only(question);
  return [ratio ? { loss: ratio, delta, delta_weight, pairs: hardestPairs(form) } : { loss, pairs: hardestPairs(form, loss) }];
}

/** How many count after the point. @param {Question} question */
const digits = (question) => (String(grid(question).step).split(".")[1] ?? "").length;

/** @param {Question} question @param {number} number */
function quantity(question, number, unit = grid(question).unit) {
  const said = number.toLocaleString(own(), { maximumFractionDigits: digits(question), useGrouping: false });
  const after = unit?.[code()] ?? "";
  return after && !/^[가-힣%]/u.test(after) ? `${said} ${after}` : said + after; // a Korean counter follows at once
}

/** @param {Question} question @param {number} share of the range, from 0 at its low end */
export const at = (question, share, unit = grid(question).unit) => (
  quantity(question, grid(question).low + share * (grid(question).high - grid(question).low), unit));

/** @param {Question} question @returns {Device} */
export function device(question) {
  const { form } = only(question);
  const { unit } = grid(question);
  if (isOneBit(question, form)) {
    const { send, keep } = sliceWeights(form);
    const disc = wheel(keep / TOTAL, [0, 1].map((end) => ({ share: send / TOTAL, said: () => quantity(question, end ? grid(question).high : grid(question).low, {}) })));
    return stage("slices", [disc.node], [[keep / TOTAL, words("kind.number.keep")], [send / TOTAL, words("kind.number.send", () => ({ low: at(question, 0, {}), high: at(question, 1) }))]],
      (/** @type {Picture} */ { side, place }) => disc.turn(side ?? 2, place));
  }
  const values = reportPlaces(form);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  /** @param {number} value */
  const place = (value) => (value - least) / (most - least);
  /** Without the unit, which stands under the axis. @param {number} value */
  const mark = (value) => ({ at: place(value), name: () => at(question, value, {}) });
  return strip({
    places: values.map(place),
    columns: "windows" in form ? form.windows[0]?.[0] ?? 0 : values.length,
    // The ends of the range, and those of the strip where they are elsewhere.
    marks: [...new Set([0, 1, least, most])].map(mark),
    rows: [0, 0.5, 1].map((share) => {
      const answer = Math.round(share * (answers(form) - 1));
      return { ...mark(answer / (answers(form) - 1)), shares: row(form, answer).map((weight) => weight / TOTAL) };
    }),
    ...(unit ? { unit: filler(() => unit[code()] ?? "") } : {}),
    caption: words(least < 0 ? "kind.number.beyond" : "kind.number.strip"),
  });
}

/** @param {Question} question @returns {Controls} */
export function controls(question) {
  const { low, high, step, unit } = grid(question);
  const input = element("input.number", {
    // Not type=number: where the browser expects a point, a comma would be dropped, and 12,5 become 125.
    type: "text", autocomplete: "off", spellcheck: "false", maxlength: 30, inputmode: low < 0 ? undefined : step % 1 ? "decimal" : "numeric",
    "data-answer": true, "aria-labelledby": "wording legend", "aria-describedby": "range missing",
  });
  const values = () => ({ low: quantity(question, low, {}), high: at(question, 1), step, value: input.value.trim() });
  const read = () => {
    const steps = (readDecimal(input.value) - low) / step;
    const answer = Math.round(steps);
    // The field holds a decimal, and steps such as 0.1 are not exact in binary.
    const onGrid = Math.abs(steps - answer) < 1e-6 && answer >= 0 && answer <= Math.round((high - low) / step);
    if (onGrid && !isAmbiguous(input.value, digits(question))) return { answer };
    const problem = isAmbiguous(input.value, digits(question)) ? "ambiguous" : input.value.trim() ? "problem" : "missing";
    return { problem: words(`kind.number.${problem}`, values) };
  };
  // What will be locked, in view until the result is.
  const echo = element("p.echo", { role: "status" });
  const understand = () => {
    const { answer } = read();
    echo.textContent = answer === undefined ? "" : say("kind.number.read", { value: quantity(question, low + answer * step) });
  };
  live(understand);
  input.addEventListener("input", understand);
  return {
    inputs: [input],
    nodes: [element("p.hint", { id: "range" }, words("kind.number.range", values)),
      element("p.entry", input, ...(unit ? [element("span", filler(() => unit[code()] ?? ""))] : [])), echo],
    echo,
    read,
    clear() {
      input.value = "";
      understand();
    },
  };
}

/** In the middle of the range. @type {Kind["invented"]} */
export function invented(question) {
  const steps = answers(only(question).form) - 1;
  const answer = Math.round(steps / 2);
  return { answer, said: () => at(question, answer / steps) };
}

/** @type {Kind["draw"]} */
export function draw(question, answer, drawWord) {
  const { name, form } = only(question);
  const word = drawWord();
  const report = randomizeForm(form, answer, word);
  return {
    reports: { [name]: report },
    picture: isOneBit(question, form) ? slicePicture(row(form, answer), sliceWeights(form).send, report, word) : { report },
  };
}

/** @type {Kind["explain"]} */
export function explain(question, { bright }, reports) {
  const { name, form } = only(question);
  const how = !isOneBit(question, form) ? "landed" : bright ? "rounded" : "sent";
  return words(`kind.number.${how}`, () => ({ report: recorded(question, 0, reports[name] ?? 0) }));
}

/** @type {Kind["recorded"]} */
export function recorded(question, _index, report) {
  const { form } = only(question);
  if (isOneBit(question, form)) return say(`kind.number.end_${report}`, { value: at(question, report) });
  return at(question, reportPlaces(form)[report] ?? 0);
}

/**
 * Recorded at the high end or near it, from people at the high end and from those at the low one. Where the bound is
 * e^epsilon to one, that is where these odds are reached. The Gaussian has no such place: there it is the upper half,
 * which tells the two best, and what that makes of a guess.
 *
 * @type {Kind["odds"]}
 */
export function odds(question, drawWord) {
  const { form, ratio, epsilon, delta = 0 } = only(question);
  const values = reportPlaces(form);
  const [low = [], high = []] = [0, answers(form) - 1].map((answer) => row(form, answer));
  const least = ratio ? 0.5 - 1e-9 : telling(values, low, high);
  const top = Math.max(...values);
  /** @param {number} report */
  const counts = (report) => (values[report] ?? 0) >= least;
  const [mean, n] = [timesRight(promises(question)), timesTelling(promises(question))];
  const yes = () => (least === top ? recorded(question, 0, values.indexOf(top)) : say("kind.number.upper", { value: at(question, ratio ? 0.5 : least) }));
  const shares = [high, low].map((weights) => weights.reduce((sum, weight, report) => sum + (counts(report) ? weight : 0), 0) / TOTAL);
  return {
    yes,
    shares: shares.map((share, place) => {
      const answer = place ? 0 : answers(form) - 1;
      return { of: "odds.of", answer: () => at(question, 1 - place), share, trial: () => counts(randomizeForm(form, answer, drawWord())) };
    }),
    so: words((ratio ? mean : n) > 90 ? "kind.number.little" : "kind.number.so"),
    bound: words(ratio ? "kind.number.rare" : "kind.number.between", () => (ratio ? { n, mean } : { n: mean })),
    exact: ratio ? words("kind.number.epsilon", () => ({ epsilon: epsilon.toFixed(4), delta: rarely(delta) }))
      : words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
  };
}

/** From where on a record tells the high end from the low one as well as any can; weights are rounded. @param {number[]} values @param {readonly number[]} low @param {readonly number[]} high */
function telling(values, low, high) {
  const ratios = high.map((weight, report) => weight / (low[report] ?? 1));
  const most = Math.max(...ratios);
  return Math.min(...values.filter((_, report) => (ratios[report] ?? 0) > most * (1 - 1e-5)));
}
