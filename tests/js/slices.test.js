import assert from "node:assert/strict";
import test from "node:test";

import { row } from "../../static/js/chance/compact_form.js";
import { TOTAL, walk } from "../../static/js/chance/randomize.js";
import { numbered } from "../../static/js/devices/dial.js";
import { slicePicture, sliceWeights } from "../../static/js/devices/slices.js";
import { reportPlaces } from "../../static/js/kinds/report_places.js";
import { vectors } from "./vectors.js";

/** @type {{name: string, form: WindowsForm}[]} */
const wheels = vectors("form").forms.filter((/** @type {any} */ { form }) => (
  form.form === "windows" && form.windows.length === 1 && form.windows[0][1] === 1 && (form.windows[0][0] === form.answers || form.windows[0][0] === 2)));

for (const { name, form } of wheels) {
  test(`the slices of the wheel are as long as the integers say, whatever the answer is: ${name}`, () => {
    const { send, keep, slices } = sliceWeights(form);
    for (const answer of [0, 1, form.answers - 1]) {
      const weights = row(form, answer);
      let [start, kept, sent] = [0, 0, 0];
      weights.forEach((weight, report) => {
        // Where the slice of the report ends and the bright one begins.
        const cut = start + send;
        const end = start + weight;
        for (const word of [start, cut - 1, cut, end - 1]) {
          if (word < start || word >= end) continue;
          const shown = slicePicture(weights, send, report, word);
          assert.equal(walk(weights, word), report);
          assert.equal(shown.bright, word >= cut);
          assert.equal(shown.side, shown.bright ? null : report);
          assert.ok(shown.place > 0 && shown.place < 1);
        }
        [start, kept, sent] = [end, kept + end - cut, sent + send];
      });
      assert.equal(kept, keep);
      assert.equal(sent, send * slices);
      assert.equal(kept + sent, TOTAL);
    }
  });
}

test("there are wheels among the vectors", () => {
  assert.ok(wheels.length >= 3);
});

for (const { name, form } of vectors("form").forms) {
  if (form.form.includes("sets") || (form.form === "rows" && form.knots === form.answers)) continue;
  test(`the reports of a number stand in order, and at its ends on average: ${name}`, () => {
    const places = reportPlaces(form);
    const answers = form.answers ?? form.tails.length;
    const mean = (/** @type {number} */ answer) => row(form, answer).reduce((sum, weight, report) => sum + (places[report] ?? 0) * weight, 0) / TOTAL;
    if (form.form === "tails") {
      assert.deepEqual([places[0], places.at(-1)], [0, 1]);
    } else {
      assert.ok(Math.abs(mean(0)) < 1e-6);
      assert.ok(Math.abs(mean(answers - 1) - 1) < 1e-6);
    }
    assert.ok(places.every(Number.isFinite));
  });
}

test("narrow slices are numbered as on a dial, and no number reaches where the bright side begins", () => {
  /** @param {number} share @param {number} count */
  const named = (share, count) => numbered(share, count).flatMap(({ said, room = share }, place) => (
    said ? [{ said: said(), free: Math.min(place + 0.5, count - place - 0.5) * share - room / 2 }] : []));
  assert.deepEqual(named(0.09, 5).map(({ said }) => said), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(named(0.0096, 50).map(({ said }) => said), ["5", "10", "15", "20", "25", "30", "35", "40", "45"]);
  assert.deepEqual(named(0.0001, 50), []);
  for (const count of [12, 13, 20, 35, 50]) {
    for (const dark of [0.1, 0.3, 0.6, 0.95]) {
      for (const { said, free } of named(dark / count, count)) assert.ok(free > -1e-12, `${said} of ${count} on ${dark}`);
    }
  }
});
