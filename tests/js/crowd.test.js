import assert from "node:assert/strict";
import test from "node:test";

import { cast, MOST, places, room, shuffled } from "../../static/js/lessons/drawing/people.js";

/** @param {{answers: number[], reports: number[]}} dots @returns {number[][]} `counts[answer][report]` */
function counted({ answers, reports }) {
  const counts = [[0, 0], [0, 0]];
  answers.forEach((answer, dot) => {
    const row = counts[answer] ?? [];
    row[reports[dot] ?? 0] = (row[reports[dot] ?? 0] ?? 0) + 1;
  });
  return counts;
}

test("up to 200 people have a dot each, and their counts are those of the dots", () => {
  for (const counts of [[[105, 35], [15, 45]], [[200, 0], [0, 0]], [[0, 0], [0, 1]], [[3, 4], [2, 1]]]) {
    assert.deepEqual(counted(cast(counts)), counts);
  }
});

test("of more people the dots are in proportion, and both totals are rounded as they are", () => {
  for (const counts of [[[10_512, 3488], [1490, 4510]], [[0, 0], [5049, 14_951]], [[333, 334], [333, 1]], [[149, 51], [51, 149]], [[0, 50], [50, 101]]]) {
    const people = counts.flat().reduce((sum, count) => sum + count, 0);
    const [[, noYes = 0] = [], [yesNo = 0, yesYes = 0] = []] = counts;
    const { answers, reports } = cast(counts);
    const dots = Math.min(MOST, people);
    assert.equal(answers.length, dots);
    assert.equal(answers.filter(Boolean).length, Math.round(dots * (yesNo + yesYes) / people));
    assert.equal(reports.filter(Boolean).length, Math.round(dots * (noYes + yesYes) / people));
  }
});

test("dots are mixed: every order is a permutation, and two are not alike", () => {
  assert.deepEqual([...shuffled(200)].sort((a, b) => a - b), Array.from({ length: 200 }, (_, index) => index));
  assert.notDeepEqual(shuffled(200), shuffled(200));
});

for (const dots of [1, 2, 10, 17, 100, 199, 200]) {
  test(`${dots} dots have a place each, within the room, however they are sorted`, () => {
    const { rows, columns } = room(dots);
    const order = shuffled(dots);
    for (let yes = 0; yes <= dots; yes += 1) {
      const sides = order.map((place) => /** @type {0 | 1} */ (place < yes ? 1 : 0));
      const points = places(sides, dots);
      assert.equal(new Set(points.map(String)).size, dots);
      for (const [x, y] of points) assert.ok(x >= 0.5 && x <= columns - 0.5 && y >= 0.5 && y <= rows - 0.5, `${x}, ${y}`);
      const left = points.filter((_, dot) => sides[dot] === 1).map(([x]) => x);
      const right = points.filter((_, dot) => sides[dot] === 0).map(([x]) => x);
      if (left.length && right.length) assert.ok(Math.max(...left) + 1 < Math.min(...right), "a gap between the blocks");
      const onTheRight = points.filter((_, dot) => sides[dot] === 0).map(([x]) => Math.floor(x));
      assert.deepEqual(onTheRight, onTheRight.toSorted((a, b) => a - b)); // nobody walks past another of the same side
      assert.equal(Math.max(0, ...left.map((x) => x + 0.5)), Math.ceil(yes / rows)); // the width of a block is its count
    }
  });

  test(`${dots} dots in one crowd keep clear of each other`, () => {
    const points = places(null, dots);
    points.forEach(([x, y], dot) => points.slice(0, dot).forEach(([a, b]) => assert.ok(Math.hypot(x - a, y - b) > 0.8, `${dot}`)));
  });
}
