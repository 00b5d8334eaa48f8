import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import test from "node:test";

import { vectors } from "./vectors.js";

const FOLDER = new URL("../../static/js/theory/", import.meta.url);
const SUBJECTS = readdirSync(FOLDER).filter((file) => file.endsWith(".js") && file !== "requirements.js").map((file) => file.slice(0, -3));

/** Numbers within the tolerance, in the same places. @param {any} actual @param {any} expected @param {any} tolerance @param {string} place */
function close(actual, expected, tolerance, place) {
  if (typeof expected !== "number") {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), place);
    for (const key of Object.keys(expected)) close(actual[key], expected[key], tolerance, `${place}[${key}]`);
    return;
  }
  const most = tolerance.absolute ?? (tolerance.relative ?? 1e-12) * Math.abs(expected);
  assert.equal(typeof actual, "number", place);
  assert.ok(Math.abs(actual - expected) <= most, `${place}: ${actual} instead of ${expected}`);
}

for (const subject of SUBJECTS) {
  const module = await import(new URL(`${subject}.js`, FOLDER).href);
  const table = existsSync(new URL(`../vectors/theory/${subject}.json`, import.meta.url)) ? vectors(`theory/${subject}`) : {};

  test(`${subject}: every function has cases`, () => {
    const functions = Object.keys(module).filter((name) => typeof module[name] === "function");
    assert.deepEqual(functions.sort(), Object.keys(table).sort());
  });

  for (const [name, cases] of Object.entries(table)) {
    test(`${subject}.${name} gives what Python gives, and refuses what it refuses`, () => {
      assert.ok(cases.length > 0);
      for (const { arguments: given, result, refused, ...tolerance } of cases) {
        const place = `${name}(${JSON.stringify(given)})`;
        if (refused === undefined) close(module[name](...given), result, tolerance, place);
        else assert.throws(() => module[name](...given), (error) => error instanceof RangeError && error.message.startsWith(`${refused} must be`), place);
      }
    });
  }
}
