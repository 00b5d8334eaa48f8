/** Linked questions: one wheel decides for all their answers together. */

import { combinations, numbers, randomizeLinked, wheelOf } from "../chance/linked.js";
import { isFormWithinLoss, row } from "../chance/compact_form.js";
import { between } from "../chance/curve.js";
import { timesRight, timesTelling } from "../chance/guess.js";
import { isLogarithm } from "../chance/loss.js";
import { TOTAL } from "../chance/randomize.js";
import { slicePicture, sliceWeights } from "../devices/slices.js";
import { percent, stage, wheel } from "../devices/wheel.js";
import { brief, names } from "./names.js";
import { code, say, words } from "../page/page.js";

/** How many answers are named by a word; more by their number. */
const NAMED = 4;

/** What is said of so many answers. @param {string} key @param {readonly unknown[]} answers @returns {Filler} */
export const said = (key, { length }) => words(`linked.${key}.${length > NAMED ? "more" : length}`, () => ({ n: length }));

/** The share of the wheel that is bright. @param {Linking} linked */
export function shareOf(linked) {
  const { keep } = sliceWeights(wheelOf(linked, linked.sizes));
  return keep / TOTAL;
}

/** @param {Kind} kind @param {Question} question @param {Linking} linked @returns {Kind} */
export function dressed(kind, question, linked) {
  const joint = /** @type {Wheeled} */ (linked.wheels[0]);
  const first = linked.questions[0] === question;
  return {
    ...kind,
    reports: () => sizeOf(question) + Number(linked.skip),
    // The first, of the fewest combinations, tells the most: all that is said is said of it.
    keepsWord: () => (!linked.coins || sliceWeights(joint.form).keep * 2 === TOTAL) && linked.wheels.every(({ form, loss, epsilon }) => (
      isWheel(form) && form.answers >= joint.form.answers && isFormWithinLoss(form, joint.loss) && isFormWithinLoss(form, loss) && isLogarithm(epsilon, loss)))
      && numbers(linked.sizes, linked.asked).every((number) => linked.wheels.some(({ form }) => form.answers === number + Number(linked.skip))),
    // All of them make one report: it counts once.
    promises: () => (first ? [{ loss: joint.loss, pairs: pairsOf(joint.form) }] : []),
    recorded: (_, index, report) => recorded(kind, question, index, report),
  };
}

/** The number of answers of each of its columns. @param {Question} question */
const sizeOf = (question) => (question.kind === "boxes" ? 2 : names(question).length);

/** @param {Section} section @returns {Linking} */
export function linking({ questions, asked, skip, by_hand, wheels = [] }) {
  const sizes = questions.flatMap((question) => question.columns.map(() => sizeOf(question)));
  return { questions, asked: asked ?? sizes.length, wheels, coins: by_hand === "coin", skip: skip === "randomized", sizes };
}

/** Every combination but its own is as likely. @param {Form} form */
const isWheel = (form) => form.form === "windows" && form.windows.length === 1 && form.windows[0]?.[0] === form.answers && form.windows[0][1] === 1;

/** No two combinations are told apart better than any two others. @param {WindowsForm} form */
const pairsOf = (form) => [between(row(form, 0), row(form, form.answers - 1))];

/** Bright, all answers stand; dark, chance picks all: which combination it picks is said by what is sent. @param {Linking} linked */
function device(linked) {
  const share = shareOf(linked);
  const disc = wheel(share, [{ share: 1 - share, said: () => percent(1 - share) }]);
  return stage("linked", [disc.node], [[share, said("bright", linked.sizes)], [1 - share, said("dark", linked.sizes)]],
    (/** @type {Picture} */ { bright, place }) => disc.turn(Number(bright), place));
}

/** As it is seen beside the words: small. @param {Linking} linked */
export function smallWheel(linked) {
  const share = shareOf(linked);
  return wheel(share, [{ share: 1 - share }], true).node;
}

/** @param {Linking} linked @param {Picture} picture */
const explain = ({ sizes }, { bright }) => said(bright ? "kept" : "chance", sizes);

/** @param {Kind} kind @param {Question} question @param {number} index @param {number} report */
function recorded(kind, question, index, report) {
  if (question.kind === "boxes") {
    return report < 2 ? kind.recorded(question, index, report)
      : say("kind.boxes.report", { box: question.options?.[index]?.[code()] ?? "", report: say("linked.skipped") });
  }
  return (names(question)[report] ?? (() => say("linked.skipped")))();
}

/** @param {Linking} linked @param {readonly number[] | undefined} answers @param {() => number} draw */
export function spin(linked, answers, draw) {
  const { questions, sizes } = linked;
  const word = draw();
  const codes = randomizeLinked(linked, sizes, answers, word);
  const form = wheelOf(linked, sizes);
  const { send, slices } = sliceWeights(form);
  const own = answers ? numberOf(answers, sizes) : combinations(sizes);
  const report = codes.every((code, place) => code < (sizes[place] ?? 0)) ? numberOf(codes, sizes) : combinations(sizes);
  const { bright, side, place } = slicePicture(row(form, own), send, report, word);
  return {
    reports: Object.fromEntries(questions.flatMap(({ columns }) => columns).map(({ name }, at) => [name, codes[at] ?? 0])),
    picture: { bright, side: null, place: bright ? place : (Number(side) + place) / slices },
  };
}

/** @param {readonly number[]} answers @param {readonly number[]} sizes */
const numberOf = (answers, sizes) => sizes.reduce((before, size, place) => before * size + (answers[place] ?? 0), 0);

/** What is said and tried of all that are asked together, as if they were one question. @param {Page} page @param {Question} first @param {Linking} linked */
export function together(page, first, linked) {
  const { questions, wheels: [joint], sizes } = linked;
  const { waves = 1 } = page.definition.budget ?? {};
  const { form, loss, epsilon } = /** @type {Wheeled} */ (joint);
  const whole = { ...first, mechanism: "wheel", columns: questions.flatMap(({ columns }) => columns) };
  const reports = [{ loss, pairs: pairsOf(form) }];
  const boxes = first.kind === "boxes";
  const all = boxes ? names({ ...first, options: [] }) : names(first);
  const [option, other] = first.options && !boxes ? [0, all.length - 1] : [1, 0];
  /** @param {number} answer */
  const name = (answer) => brief(all[answer]?.() ?? "");
  const dark = 1 - shareOf(linked);
  for (const question of questions) {
    const kind = /** @type {Kind} */ (page.kinds.get(question));
    page.kinds.set(question, { ...kind, device: () => device(linked), explain: (_, picture) => explain(linked, picture) });
  }
  page.kinds.set(whole, {
    .../** @type {Kind} */ (page.kinds.get(first)),
    recorded: (_, index, report) => {
      const question = /** @type {Question} */ (boxes ? first : questions[index]);
      return /** @type {Kind} */ (page.kinds.get(question)).recorded(question, index, report);
    },
    invented: boxes ? (_) => ({ answer: sizes.map((_, place) => Number(!place)), said: () => brief(first.options?.[0]?.[code()] ?? "") }) : () => ({ answer: sizes.map((_, place) => Number(!questions[place]?.options)), said: () => questions.map((question) => brief(names(question)[Number(!question.options)]?.() ?? "")).join(", ") }),
    draw: (_, answers, draw) => spin(linked, answers, draw),
    odds: (_, draw) => ({
      yes: () => name(option),
      shares: [option, other].map((answer) => ({
        of: boxes ? "kind.boxes.of" : "odds.of",
        answer: () => name(answer),
        share: Number(answer === option) * (1 - dark) + dark / (sizes[0] ?? 1),
        trial: () => spin(linked, [answer, ...sizes.slice(1).map(() => 0)], draw).reports[first.columns[0]?.name ?? ""] === option,
      })),
      so: words("linked.so", () => ({ n: timesTelling(reports, waves) })),
      bound: words("linked.bound", () => ({ n: timesRight(reports) })),
      exact: words("odds.epsilon", () => ({ epsilon: epsilon.toFixed(4) })),
    }),
  });
  return whole;
}
