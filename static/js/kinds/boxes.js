/** Several choices: checkboxes, and a small wheel for each box, or for those that are drawn. */

import { brightWeight, picture } from "../devices/device.js";
import { code, element, filler, live, say, words } from "../page/page.js";
import { isFormWithinLoss, row } from "../chance/compact_form.js";
import { between } from "../chance/curve.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { isLogarithm, isWithinLoss } from "../chance/loss.js";
import { labels } from "./options.js";
import { randomize, TOTAL } from "../chance/randomize.js";
import { NOT_DRAWN, randomizeBoxes } from "../chance/sample.js";
import { FIRST, SECOND, stage, wheel } from "../devices/wheel.js";

/** What randomizes one box that is reported on, and how many are. @param {Question} question @returns {Plain & {sampled: number}} */
function box({ box: drawn, sampled, columns }) {
  if (drawn) return { ...drawn, sampled: sampled ?? 0 };
  const column = /** @type {any} */ (columns[0]);
  return { weights: column.form.rows ?? [], loss: column.loss, epsilon: column.epsilon, sampled: columns.length };
}

/** @type {Kind["reports"]} */
export const reports = ({ form }) => row(/** @type {Form} */ (form), 0).length;

/** @param {Question} question */
export function keepsWord(question) {
  const { weights, loss, epsilon, sampled } = box(question);
  const { columns, options = [], scope, epsilon: stated = 0 } = question;
  return columns.length === options.length && Number.isInteger(sampled) && sampled >= 1 && sampled <= columns.length
    && brightWeight("spinner_coin", weights) >= 0 && isWithinLoss(weights, loss) && isLogarithm(epsilon, loss)
    // The losses of the boxes that are reported on add up.
    && (scope === "box" ? epsilon : sampled * epsilon) <= stated + 1e-9
    && columns.every(isKept)
    // Without a draw every column is randomized as the first one is.
    && (Boolean(question.box) || columns.every(({ form }) => JSON.stringify(form) === JSON.stringify(columns[0]?.form)));
}

/** @param {Column} column */
const isKept = ({ form, loss, epsilon }) => (
  form !== undefined && loss !== undefined && isFormWithinLoss(form, loss) && isLogarithm(epsilon, loss));

/** @type {Kind["promises"]} */
export function promises(question) {
  const { weights: [no = [], yes = []], loss, sampled } = box(question);
  return Array(sampled).fill({ loss, pairs: [between(no, yes)] });
}

/** @param {Question} question @returns {Device} */
export function device(question) {
  const { weights, sampled } = box(question);
  const half = (weights[0]?.[1] ?? 0) / TOTAL;
  const wheels = question.columns.map((_, index) => {
    const disc = wheel(1 - 2 * half, [{ share: half, said: () => "○" }, { share: half, said: () => "●" }], true);
    const chip = element("span.chip");
    return { disc, chip, node: element("span.small-wheel", element("b.number", String(index + 1)), disc.node, chip) };
  });
  const made = stage("wheels", wheels.map(({ node }) => node),
    [[1 - 2 * half, words("kind.boxes.keep")], [2 * half, words("kind.boxes.dark")]],
    (/** @type {(Picture & {report: number} | null)[]} */ shown) => wheels.flatMap(({ disc, chip, node }, index) => {
      const turned = shown[index];
      node.classList.toggle("left-out", !turned);
      if (!turned) {
        return [disc.node.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: SECOND / 2 })];
      }
      const { report } = turned;
      live(() => { chip.textContent = say(`answer.${report}`); });
      return [
        ...disc.turn(turned.side ?? 2, turned.place, SECOND / 2),
        // Not before the wheel has stopped.
        chip.animate([{ opacity: 0 }, { opacity: 0, offset: (FIRST + SECOND / 2) / (FIRST + SECOND) }, { opacity: 1 }], { duration: FIRST + SECOND }),
      ];
    }));
  if (question.box) made.node.append(element("p.hint", words("kind.boxes.drawn", () => ({ sampled, boxes: wheels.length }))));
  return made;
}

/** @param {Question} question @returns {Controls} */
export function controls(question) {
  const inputs = question.columns.map((_, index) => element("input", { type: "checkbox", autocomplete: "off", "data-answer": index }));
  return {
    inputs,
    nodes: [element("p.hint", words("kind.boxes.all")), ...labels(question).map((label, index) => (
      element("label.choice", /** @type {Node} */ (inputs[index]), element("span.numbered", label))))],
    read: () => ({ answer: inputs.map(({ checked }) => Number(checked)) }),
  };
}

/** @type {Kind["invented"]} */
export const invented = ({ columns, options = [] }) => ({
  answer: columns.map((_, box) => Number(box === 0)), said: () => options[0]?.[code()] ?? "" });

/** @param {Question} question @param {number[]} answers @param {() => number} drawWord */
export function draw(question, answers, drawWord) {
  const { weights, sampled } = box(question);
  const words = Array.from({ length: sampled + Number(sampled < answers.length) }, drawWord);
  const { reports, drawn, spent } = randomizeBoxes(weights, sampled, answers, words);
  return {
    reports: Object.fromEntries(question.columns.map(({ name }, index) => [name, reports[index] ?? NOT_DRAWN])),
    picture: answers.map((answer, index) => {
      const turn = drawn.indexOf(index);
      return turn < 0 ? null : { ...picture("spinner_coin", weights, answer, spent[turn] ?? 0), report: reports[index] };
    }),
  };
}

/** @param {Question} question */
export const explain = (question) => words(question.box ? "kind.boxes.sampled" : "kind.boxes.each");

/** @type {Kind["list"]} */
export const list = (_question, _codes, said) => element("ul.reports", ...said.map((report) => element("li", filler(report))));

/** @type {Kind["recorded"]} */
export function recorded(question, index, report) {
  return say("kind.boxes.report", {
    box: question.options?.[index]?.[code()] ?? "",
    report: report === NOT_DRAWN ? say("kind.boxes.left_out") : say(`answer.${report}`),
  });
}

/** @type {Kind["odds"]} */
export function odds(question, drawWord) {
  const { weights, epsilon, sampled } = box(question);
  const [reports, single] = [promises(question), promises(question).slice(0, 1)];
  const yes = () => say("answer.1");
  return {
    yes,
    shares: [1, 0].map((answer) => ({
      of: question.box ? "kind.boxes.of_drawn" : "kind.boxes.of",
      answer: () => say(`answer.${answer}`),
      share: (weights[answer]?.[1] ?? 0) / TOTAL,
      trial: () => randomize(weights, answer, drawWord()) === 1,
    })),
    so: words(timesTelling(single) > 90 ? "odds.nearly" : "odds.so", () => ({ yes: yes() })),
    bound: words("kind.boxes.bound", () => ({ n: timesRight(single), all: timesRight(reports) })),
    exact: words("kind.boxes.epsilon", () => ({ box: epsilon.toFixed(4), question: (sampled * epsilon).toFixed(4) })),
  };
}
