import assert from "node:assert/strict";
import test from "node:test";

import { row } from "../../static/js/chance/compact_form.js";
import { timesRight, timesTelling } from "../../static/js/chance/guess.js";
import { TOTAL } from "../../static/js/chance/randomize.js";
import * as choice from "../../static/js/kinds/choice.js";
import * as number from "../../static/js/kinds/number.js";
import { vectors } from "./vectors.js";

const forms = vectors("form").forms;

/**
 * A question whose channel is the one of that name.
 *
 * @param {string} name
 */
function question(name) {
  const { form, loss } = forms.find((/** @type {{name: string}} */ vector) => vector.name === name);
  const answers = form.form === "tails" ? form.tails.length : form.answers;
  return /** @type {any} */ ({
    kind: "number", low: 0, high: answers - 1, step: 1, options: Array(answers).fill({ en: "option" }),
    mechanism: name.startsWith("one bit") ? "one_bit" : "", columns: [{ name: "q", form, loss, epsilon: 1 }],
  });
}

/** @type {[typeof choice | typeof number, string[]][]} */
const REACHED = [
  [choice, ["wheel 3, as with a randomized skip", "wheel 50", "subset 10", "subset 12 of size 6", "exponential 7"]],
  [number, ["one bit", "one bit, 1001 points", "laplace 2", "laplace 11", "hybrid 21, two windows", "hybrid 201"]],
];

for (const [kind, names] of REACHED) {
  for (const name of names) {
    test(`${name}: the dots show the record that tells most`, () => {
      const asked = question(name);
      const [one, other] = kind.odds(asked, () => 0).shares.map(({ share }) => share);
      const right = Math.ceil((100 * (one ?? 0)) / ((one ?? 0) + (other ?? 0)) - 1e-4);
      assert.equal(right, timesTelling(kind.promises(asked)));
      assert.ok(timesRight(kind.promises(asked)) <= right, "and on average a guess is right no more often");
      assert.ok((one ?? 0) > 0.001, "and a record that people do get");
    });
  }
}

for (const name of ["gaussian 21", "gaussian 201"]) {
  test(`${name}: the dots show what tells its two ends apart best`, () => {
    const asked = { ...question(name) };
    asked.columns = [{ ...asked.columns[0], ratio: [3, 1], delta: 1e-6, delta_weight: 4295 }];
    const [one = 0, other = 0] = number.odds(asked, () => 0).shares.map(({ share }) => share);
    const [low, high] = [0, asked.columns[0].form.answers - 1].map((answer) => row(asked.columns[0].form, answer));
    // The best guess from even odds is right (1 + D)/2 of the time, D being the total variation distance.
    const distance = /** @type {number[]} */ (high).reduce((sum, weight, report) => sum + Math.max(0, weight - (low?.[report] ?? 0)), 0) / TOTAL;
    assert.ok(Math.abs(one - other - distance) < 1e-9);
  });
}

for (const name of ["laplace 11", "hybrid 201", "subset 10"]) {
  test(`${name}: a trial counts the record that the dots show`, () => {
    let word = -(2 ** 19);
    const kind = name.startsWith("subset") ? choice : number;
    const [{ share, trial }] = /** @type {[Share]} */ (kind.odds(question(name), () => word += 2 ** 20).shares);
    const counted = Array.from({ length: 4096 }, trial).filter(Boolean).length;
    assert.ok(Math.abs(counted / 4096 - share) < 0.01, `${counted} of 4096 against ${share}`);
  });
}
