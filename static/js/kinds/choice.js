/** One choice: radios, and a wheel, cards or a strip, after the form that the channel is published in. */

import { cards } from "../devices/cards.js";
import { isFormWithinLoss, randomizeForm, row } from "../chance/compact_form.js";
import { radios } from "./group.js";
import { words } from "../page/language.js";
import { isLogarithm, timesRight } from "../chance/loss.js";
import { labels, legend, names } from "./options.js";
import { TOTAL } from "../chance/randomize.js";
import { slicePicture, sliceWeights } from "../devices/slices.js";
import { stage, wheel } from "../devices/spinner.js";
import { strip } from "../devices/strip.js";

/** @param {Question} question @returns {Column & {form: Form, loss: number[]}} */
const only = ({ columns: [column] }) => /** @type {any} */ (column);

/** @type {Kind["reports"]} */
export const reports = ({ form }) => row(/** @type {Form} */ (form), 0).length;

/** @param {Question} question */
export function keepsWord(question) {
  const { form, loss, epsilon } = only(question);
  const answers = names(question).length;
  const fits = form.form === "windows"
    ? form.windows.length === 1 && form.windows[0]?.[0] === answers && form.windows[0][1] === 1 && sliceWeights(form).keep >= 0
    : form.form !== "tails";
  return fits && question.columns.length === 1 && form.form !== "tails" && form.answers === answers
    && isFormWithinLoss(form, loss) && isLogarithm(epsilon, loss);
}

/** @type {Kind["promises"]} */
export const promises = (question) => [{ loss: only(question).loss }];

/** @param {Question} question @returns {Device} */
export function device(question) {
  const { form } = only(question);
  const made = form.form === "windows" ? slices(question, form)
    : form.form === "subsets" ? cards(form) : scale(question, form);
  made.node.append(legend(question));
  return made;
}

/** @param {Question} question @param {WindowsForm} form */
function slices(question, form) {
  const { send, keep } = sliceWeights(form);
  const share = send / TOTAL;
  const numbers = names(question).map((_, index) => ({ share, said: () => String(index + 1) }));
  const disc = wheel(keep / TOTAL, numbers);
  return stage("slices", [disc.node], [[keep / TOTAL, words("kind.choice.keep")], [share, words("kind.choice.send")]],
    (/** @type {Picture} */ { side, place }) => disc.turn(side ?? numbers.length, place));
}

/** @param {Question} question @param {Form} form */
function scale(question, form) {
  const count = names(question).length;
  const shown = count > 7 ? [0, 1, 2, 3, 4].map((part) => Math.round(part * (count - 1) / 4)) : [...Array(count).keys()];
  const places = Array.from({ length: count }, (_, report) => report / (count - 1));
  return strip({
    places,
    columns: count,
    marks: count > 12 ? [0, count - 1] : [...places.keys()],
    name: (mark) => String(mark + 1),
    rows: shown.map((answer) => ({ at: places[answer] ?? 0, name: () => String(answer + 1), shares: row(form, answer).map((weight) => weight / TOTAL) })),
    caption: words("kind.choice.scale"),
  });
}

/** @param {Question} question */
export const controls = (question) => radios(labels(question).map((label, answer) => [answer, label]));

/** @type {Kind["draw"]} */
export function draw(question, answer, drawWord) {
  const { name, form } = only(question);
  const word = drawWord();
  const report = randomizeForm(form, answer, word);
  return {
    reports: { [name]: report },
    picture: form.form === "windows" ? slicePicture(row(form, answer), sliceWeights(form).send, report, word) : { report },
  };
}

/** @type {Kind["explain"]} */
export function explain(question, { kept, side }, reports) {
  const { name, form } = only(question);
  const how = form.form === "windows" ? (kept ? "kept" : "sent") : form.form === "subsets" ? "set" : "landed";
  return words(`kind.choice.${how}`, () => ({ n: Number(side) + 1, report: recorded(question, 0, reports[name] ?? 0) }));
}

/** @type {Kind["recorded"]} */
export function recorded(question, _index, report) {
  const { form } = only(question);
  const all = names(question);
  if (form.form !== "subsets") return all[report]?.() ?? "";
  const mask = form.masks[report] ?? 0;
  return all.flatMap((name, index) => (mask >> index & 1 ? [name()] : [])).join(", ");
}

/** Yes or the first option as it is recorded from people of that answer, and of no or the last. @type {Kind["odds"]} */
export function odds(question, drawWord) {
  const { form, epsilon } = only(question);
  const [all, n] = [names(question), timesRight(promises(question))];
  const [one, other] = question.kind === "yes_no" ? [1, 0] : [0, all.length - 1];
  const yes = () => all[one]?.() ?? "";
  /** @param {number} report */
  const counts = (report) => (form.form === "subsets" ? ((form.masks[report] ?? 0) & 1) === 1 : report === one);
  return {
    yes,
    shares: [one, other].map((answer) => ({
      of: form.form === "subsets" ? "kind.choice.of" : "odds.of",
      answer: () => all[answer]?.() ?? "",
      share: row(form, answer).reduce((sum, weight, report) => sum + (counts(report) ? weight : 0), 0) / TOTAL,
      trial: () => counts(randomizeForm(form, answer, drawWord())),
    })),
    so: words(n > 90 ? "kind.choice.little" : "odds.so", () => ({ yes: yes() })),
    bound: words("kind.choice.between", () => ({ n })),
    exact: words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
  };
}
