/** What all answers together show, from the integers that are published: as survey/privacy/budget.py adds up. */

import assert from "node:assert/strict";
import test from "node:test";

import * as boxes from "../../static/js/kinds/boxes.js";
import * as choice from "../../static/js/kinds/choice.js";
import * as number from "../../static/js/kinds/number.js";
import { candidates } from "../../static/js/chance/dearest_draws.js";
import { mostTelling } from "../../static/js/chance/guess.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import { keepsLimit, refusal, sumUp, total } from "../../static/js/respond/definition.js";
import * as yesNo from "../../static/js/kinds/yes_no.js";
import { vectors } from "./vectors.js";

const KINDS = { yes_no: yesNo, choice, boxes, number };
const ONE = Math.log(3);

/** @param {any[]} questions @param {any} [budget] @returns {Surveyed} */
const survey = (questions, budget) => /** @type {any} */ ({
  definition: { questions, budget, guess: { right: 0.5, most_telling: 0.5 } },
  kinds: new Map(questions.map((question) => [question, KINDS[/** @type {keyof typeof KINDS} */ (question.kind)]])),
});

/** The same with the figures of its integers. @param {Surveyed} page @returns {Surveyed} */
const stated = ({ definition, kinds }) => {
  const { right, epsilon } = total({ definition, kinds });
  return { definition: { ...definition, guess: { right, most_telling: mostTelling(epsilon) } }, kinds };
};

/** Most of the chance for the own answer, in eighths of all words. @param {number} truthful */
const plain = (truthful) => {
  const [most, least] = [truthful * TOTAL / 8, (8 - truthful) * TOTAL / 8];
  return { weights: [[most, least], [least, most]], loss: [most, least], epsilon: Math.log(most / least) };
};
const COINS = plain(6);

/** @param {any} [column] @param {any} [rest] */
const yesOrNo = (column, ...rest) => ({ kind: "yes_no", mechanism: "spinner_coin", columns: [{ name: "a", ...COINS, ...column }, ...rest] });

/** Three boxes, each as private as the coins. @param {any} [question] @param {any} [column] of the last box */
const ticked = (question, column) => {
  const { weights: rows, ...promise } = COINS;
  const box = { form: { form: "rows", answers: 2, knots: 2, rows }, ...promise };
  return {
    kind: "boxes", scope: "box", epsilon: ONE, options: Array(3).fill({ en: "" }),
    columns: [{ name: "b1", ...box }, { name: "b2", ...box }, { name: "b3", ...box, ...column }], ...question,
  };
};

/** A wheel with as many slices as there are answers. */
const WHEEL = vectors("form").forms.find((/** @type {any} */ { form }) => (
  form.form === "windows" && form.windows.length === 1 && form.windows[0][0] === form.answers && form.windows[0][1] === 1));

/** @param {any} [column] */
const chosen = (column) => ({
  kind: "choice", mechanism: "wheel", options: Array(WHEEL.form.answers).fill({ en: "" }),
  columns: [{ name: "c", form: WHEEL.form, loss: WHEEL.loss, epsilon: Math.log(WHEEL.loss[0] / WHEEL.loss[1]), ...column }],
});

const GAUSSIAN = vectors("form").deltas.find((/** @type {any} */ { ok }) => ok);

/** @param {any} [column] */
const measured = (column) => ({
  kind: "number", mechanism: "gaussian", low: 0, high: GAUSSIAN.form.answers - 1, step: 1,
  columns: [{
    name: "n", form: GAUSSIAN.form, ratio: GAUSSIAN.ratio, delta_weight: GAUSSIAN.delta_weight, delta: 1e-5,
    epsilon: Math.log(GAUSSIAN.ratio[0] / GAUSSIAN.ratio[1]), ...column,
  }],
});

/** @param {any} question */
const keepsWord = (question) => {
  const { definition, kinds } = survey([question]);
  return refusal(definition, kinds) === null;
};

/** @param {number} figure @param {number} other */
const near = (figure, other) => assert.ok(Math.abs(figure - other) < 1e-12, `${figure} is not ${other}`);

test("two coins of 3 to 1: right 75 times in 100 on average, 90 times after two that agree", () => {
  const { epsilon, delta, all, telling, alone } = total(stated(survey([yesOrNo(), yesOrNo()])));
  near(epsilon, 2 * ONE);
  assert.deepEqual([delta, all, telling, alone], [0, 75, 90, 75]);
});

test("and over waves, of all questions as of one alone", () => {
  const { epsilon, all, telling, alone } = total(stated(survey([yesOrNo(), yesOrNo(plain(5))], { waves: 3 })));
  near(epsilon, 3 * (ONE + Math.log(5 / 3)));
  assert.deepEqual([all, telling, alone], [86, 100, 85]); // 0.8558; 125 of 126; 27 of 32
});

test("what is read is the published figure, which is that of the integers up to what two grids differ", () => {
  /** @param {number} right @param {number} [most_telling] */
  const published = (right, most_telling = 0.75) => {
    const { definition, kinds } = survey([yesOrNo()]);
    return { definition: { ...definition, guess: { right, most_telling } }, kinds };
  };
  assert.equal(total(published(0.7504)).all, 76);
  for (const [right, kept] of [[0.75, true], [0.7504, true], [0.7496, true], [0.7494, false], [0.7506, false], [NaN, false]]) {
    assert.equal(keepsLimit(published(/** @type {number} */ (right))), kept, String(right));
  }
  assert.equal(keepsLimit(published(0.75, 0.7)), false);
  const { definition, kinds } = survey([yesOrNo()]);
  delete definition.guess;
  assert.equal(keepsLimit({ definition, kinds }), false, "none at all");
});

test("alone, the worst question counts", () => {
  assert.equal(total(survey([yesOrNo(), yesOrNo(plain(7)), yesOrNo()])).alone, 88); // 7 of 8
});

test("of sampled boxes those that are drawn count, and every independent box does", () => {
  assert.equal(total(stated(survey([ticked({ box: COINS, sampled: 2 })]))).all, 75);
  assert.equal(total(stated(survey([ticked()]))).all, 85); // 27 of 32
});

test("where real coins may be used, what promises less counts", () => {
  assert.equal(total(stated(survey([yesOrNo({ ...plain(5), by_hand: COINS })]))).all, 75);
  assert.equal(total(stated(survey([yesOrNo({ ...plain(7), by_hand: COINS })]))).all, 88);
});

test("the Gaussian counts with its ratio, and its delta in every wave", () => {
  const found = total(survey([measured(), yesOrNo()], { waves: 2 }));
  near(found.epsilon, 2 * (Math.log(GAUSSIAN.ratio[0] / GAUSSIAN.ratio[1]) + ONE));
  near(found.delta, 2e-5);
  assert.ok(found.beyond > found.delta, "a loss above epsilon is likelier than delta");
  assert.equal(found.telling, 99); // 66.5 of 67.5
  assert.ok(found.right < 0.97);
  assert.equal(total(survey(Array(3).fill(measured({ delta: 0.4 })))).delta, 1);
});

test("a hundred questions over a thousand waves are certain", () => {
  assert.equal(total(stated(survey(Array.from({ length: 100 }, () => yesOrNo(plain(7))), { waves: 1000 }))).all, 100);
});

test("a survey keeps its limit up to what a logarithm can tell, and no further", () => {
  assert.equal(keepsLimit(stated(survey([yesOrNo()]))), true);
  for (const [limit, kept] of [[ONE, true], [ONE * (1 - 1e-10), true], [ONE * (1 - 1e-8), false], [2, true], [0, false], [-2, false]]) {
    assert.equal(keepsLimit(stated(survey([yesOrNo()], { limit }))), kept);
  }
  assert.equal(keepsLimit(stated(survey([yesOrNo()], { limit: 2, waves: 2 }))), false);
  const small = plain(4 + 2 ** -26);
  assert.equal(keepsLimit(stated(survey([yesOrNo(small)], { limit: small.epsilon * 0.99 }))), false, "however small it is");
});

test("waves that are no number of times are no way around the limit", () => {
  for (const waves of [0, -1, 0.5, NaN, "1", null, 1001]) assert.equal(keepsLimit(survey([yesOrNo()], { limit: 0.5, waves })), false);
});

/** @param {any[]} sections @param {number} [asked] @param {any} [budget] @returns {Surveyed} */
const parted = (sections, asked, budget) => {
  const { kinds } = survey(sections.flatMap(({ questions }) => questions));
  return /** @type {any} */ ({ definition: { sections, asked, candidates, budget, guess: { right: 0.5, most_telling: 0.5 } }, kinds });
};
const [EVEN, SHARP] = [yesOrNo(), yesOrNo(plain(7))]; // ln 3 and ln 7
const PARTS = [{ questions: [EVEN] }, { questions: [SHARP] }, { questions: [yesOrNo(), yesOrNo()] }];

for (const { name, sections, asked, waves, ...expected } of vectors("total").cases) {
  test(`the total, ${name}`, () => {
    const { epsilon, delta } = sumUp(sections, asked, waves);
    near(epsilon, expected.epsilon);
    near(delta, expected.delta);
  });
}

test("of sections that are drawn the dearest count, whichever a person gets", () => {
  const { epsilon, all, telling, alone, parts, asked } = total(stated(parted(PARTS, 1)));
  near(epsilon, 2 * ONE); // two questions at ln 3 are more than one at ln 7 at most, and less on average
  assert.deepEqual([all, telling, alone, parts, asked], [88, 90, 88, 3, 1]);
  assert.equal(total(parted(PARTS, 3)).parts, 0, "all of them are no draw");
  near(total(parted(PARTS, 2)).epsilon, 2 * ONE + Math.log(7));
  near(total(parted(PARTS)).epsilon, 3 * ONE + Math.log(7));
});

test("a section that is always asked is not one of those drawn", () => {
  const always = [{ always: true, questions: [SHARP] }, ...PARTS];
  near(total(parted(always, 1)).epsilon, Math.log(7) + 2 * ONE);
  assert.equal(total(parted(always, 1)).parts, 3);
  assert.equal(keepsLimit(stated(parted([{ always: true, questions: [SHARP] }]))), true, "all of it asked of everybody");
});

test("the limit holds for the dearest draw", () => {
  assert.equal(keepsLimit(stated(parted(PARTS, 1, { limit: 2.2 }))), true);
  assert.equal(keepsLimit(stated(parted(PARTS, 1, { limit: 2.1 }))), false);
  assert.equal(keepsLimit(stated(parted(PARTS, 2, { limit: 2.2 }))), false);
});

test("asking no number of sections is no way around the limit", () => {
  for (const asked of [0, -1, 0.5, "1", null]) {
    assert.equal(keepsLimit(parted(PARTS, /** @type {any} */ (asked), { limit: 9 })), false, String(asked));
  }
  for (const asked of [4, NaN, {}]) near(total(parted(PARTS, /** @type {any} */ (asked))).epsilon, 3 * ONE + Math.log(7));
});

test("what keeps its word is not refused", () => {
  for (const question of [yesOrNo(), yesOrNo({ ...plain(5), by_hand: COINS }), ticked(), ticked({ box: COINS, sampled: 2 }), chosen(), measured()]) {
    assert.equal(keepsWord(question), true, JSON.stringify(question));
  }
});

/** @type {Record<string, any>} a survey that states less than it costs, or what cannot be checked */
const REFUSED = {
  "a box whose decimal is not that of its integers": ticked({}, { epsilon: 0 }),
  "a box without a loss": ticked({}, { loss: undefined }),
  "half a sampled box": ticked({ box: COINS, sampled: 1.5 }),
  "sampled boxes in writing": ticked({ box: COINS, sampled: "2" }),
  "real coins that state no loss": yesOrNo({ by_hand: { ...COINS, loss: [1, 1], epsilon: 0 } }),
  "real coins with a decimal of their own": yesOrNo({ by_hand: { ...COINS, epsilon: 0.1 } }),
  "real coins without a loss": yesOrNo({ by_hand: { weights: COINS.weights } }),
  "real coins that no coin is like": yesOrNo({ by_hand: plain(4) }),
  "a column without a loss": yesOrNo({ loss: undefined }),
  "a column without weights": yesOrNo({ weights: undefined }),
  "a second column": yesOrNo({}, { name: "b", codes: 2, loss: [1, TOTAL - 1] }),
  "a choice without a loss": chosen({ loss: undefined }),
  "a number without a ratio": measured({ ratio: undefined }),
  "a negative delta": measured({ delta: -1e-5 }),
  "a delta below its words": measured({ delta: GAUSSIAN.delta_weight / TOTAL / 2 }),
  "no delta": measured({ delta: undefined }),
  "no words of delta": measured({ delta_weight: undefined }),
};
for (const [name, question] of Object.entries(REFUSED)) {
  test(`the page refuses ${name}`, () => assert.equal(keepsWord(question), false));
}

test("what nobody has checked does not count: not where it has no place either", () => {
  const stray = { ratio: [1, 1], delta: -1, delta_weight: -1e9, sampled: 0, epsilon: -1, box: plain(4) };
  /** @type {[any, any][]} */
  const pairs = [
    [yesOrNo(), { ...yesOrNo(stray), ...stray }],
    [ticked(), ticked({}, stray)],
    [ticked({ box: COINS, sampled: 2 }), ticked({ box: { ...stray, ...COINS }, sampled: 2 })],
    [chosen(), { ...chosen(stray), ...stray }],
    [measured(), { ...measured({ loss: [1, 1], by_hand: plain(4), epsilon: 0 }), ...stray }],
  ];
  for (const [own, more] of pairs) assert.deepEqual(total(survey([more])), total(survey([own])));
});
