/** One choice: radios, and a wheel, cards or a strip, after the form that the channel is published in. */

import { cards } from "../devices/cards.js";
import { isFormWithinLoss, randomizeForm, row } from "../chance/compact_form.js";
import { radios } from "./radios.js";
import { hundredths, say, words } from "../page/page.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { isLogarithm } from "../chance/loss.js";
import { hardestPairs } from "../chance/hardest_pairs.js";
import { brief, names } from "./names.js";
import { labels, legend, order } from "./options.js";
import { TOTAL } from "../chance/randomize.js";
import { numbered } from "../devices/dial.js";
import { slicePicture, sliceWeights } from "../devices/slices.js";
import { stage, wheel } from "../devices/wheel.js";
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
export function promises(question) {
  const { form, loss } = only(question);
  return [{ loss, pairs: hardestPairs(form, loss) }];
}

/** @param {Question} question @returns {Device} */
export function device(question) {
  const { form } = only(question);
  const made = form.form === "windows" ? slices(question, form)
    : form.form === "subsets" ? subset(form) : scale(question, form);
  made.node.append(legend(question));
  return made;
}

/** @param {Question} question @param {WindowsForm} form */
function slices(question, form) {
  const { send, keep } = sliceWeights(form);
  const share = send / TOTAL;
  const shown = order(question);
  const disc = wheel(keep / TOTAL, numbered(share, shown.length));
  return stage("slices", [disc.node], [[keep / TOTAL, words("kind.choice.keep")], [share, words("kind.choice.send")]],
    (/** @type {Picture} */ { side, place }) => disc.turn(side === null ? shown.length : shown.indexOf(side), place));
}

/** @param {SubsetsForm} form */
function subset(form) {
  const { answers, masks } = form;
  const faces = Array.from({ length: answers }, (_, card) => String(card + 1));
  /** @param {number} report */
  const members = (report) => faces.flatMap((_, card) => ((masks[report] ?? 0) >> card & 1 ? [card] : []));
  const n = members(0).length;
  // The chance of a card to be bright: the answer's own, and that of the others, which share what is left.
  const mine = row(form, 0).reduce((sum, weight, report) => sum + ((masks[report] ?? 0) & 1 ? weight : 0), 0) / TOTAL;
  const odds = { n, mine: hundredths(mine), others: hundredths((n - mine) / (answers - 1)) };
  return cards(faces, members, words("kind.choice.mine", () => odds));
}

/** @param {Question} question @param {Form} form */
function scale(question, form) {
  const count = names(question).length;
  const shown = count > 7 ? [0, 1, 2, 3, 4].map((part) => Math.round(part * (count - 1) / 4)) : [...Array(count).keys()];
  /** @param {number} answer */
  const mark = (answer) => ({ at: answer / (count - 1), name: () => String(answer + 1) });
  const all = Array.from({ length: count }, (_, answer) => mark(answer));
  return strip({
    places: all.map(({ at }) => at),
    columns: count,
    marks: count > 12 ? [mark(0), mark(count - 1)] : all,
    rows: shown.map((answer) => ({ ...mark(answer), shares: row(form, answer).map((weight) => weight / TOTAL) })),
    caption: words("kind.choice.scale"),
  });
}

/** @param {Question} question @returns {Controls} */
export function controls(question) {
  const shown = labels(question);
  return radios(order(question).map((answer, place) => [answer, /** @type {Filler} */ (shown[place])]));
}

/** @type {Kind["invented"]} */
export function invented(question) {
  const answer = Number(question.kind === "yes_no");
  return { answer, said: () => brief(names(question)[answer]?.() ?? "") };
}

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
export function explain(question, { bright, side }, reports) {
  const { name, form } = only(question);
  const how = form.form === "windows" ? (bright ? "kept" : "sent") : form.form === "subsets" ? "set" : "landed";
  return words(`kind.choice.${how}`, () => ({ n: order(question).indexOf(Number(side)) + 1, report: brief(recorded(question, 0, reports[name] ?? 0)) }));
}

/** @type {Kind["recorded"]} */
export function recorded(question, _index, report) {
  const { form } = only(question);
  const all = names(question);
  if (form.form !== "subsets") return all[report]?.() ?? "";
  const mask = form.masks[report] ?? 0;
  return all.flatMap((name, index) => (mask >> index & 1 ? [name()] : [])).join(", ");
}

/** Yes or the first option as it is recorded from people of that answer, and of no or the last: what the bound is reached by. @type {Kind["odds"]} */
export function odds(question, drawWord) {
  const { form, epsilon } = only(question);
  const [all, reports] = [names(question), promises(question)];
  const [option, other] = question.kind === "yes_no" ? [1, 0] : [0, all.length - 1];
  const sets = form.form === "subsets";
  /** @param {number} answer */
  const name = (answer) => brief(all[answer]?.() ?? "");
  const yes = () => (sets ? say("kind.choice.without", { one: name(option), other: name(other) }) : name(option));
  /** A set with both options says nothing between them. @param {number} report */
  const counts = (report) => (sets ? ((form.masks[report] ?? 0) & (1 << option | 1 << other)) === 1 << option : report === option);
  return {
    yes,
    shares: [option, other].map((answer) => ({
      of: sets ? "kind.choice.of" : "odds.of",
      answer: () => name(answer),
      share: row(form, answer).reduce((sum, weight, report) => sum + (counts(report) ? weight : 0), 0) / TOTAL,
      trial: () => counts(randomizeForm(form, answer, drawWord())),
    })),
    so: words(timesTelling(reports) > 90 ? "kind.choice.little" : sets ? "kind.choice.so" : "odds.so", () => ({ yes: yes() })),
    bound: words("kind.choice.between", () => ({ n: timesRight(reports) })),
    exact: words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
  };
}
