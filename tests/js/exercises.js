/** All sets of numbers of all exercises, for Python to work out again: lesson -> exercise -> what each set shows. */

import { readdirSync } from "node:fs";

import { SETS } from "../../static/js/lessons/exercise_sets.js";

Object.assign(globalThis, { document: { documentElement: { lang: "en" }, getElementById: () => null } });

const LESSONS = new URL("../../static/js/lessons/", import.meta.url);
const files = readdirSync(LESSONS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("/exercises.js"));

/** @type {Record<string, Record<string, Shown[]>>} */
const lessons = {};
for (const file of files) {
  const exercises = /** @type {Record<string, Exercise>} */ (await import(new URL(file, LESSONS).href));
  lessons[file.replace("/exercises.js", "")] = Object.fromEntries(Object.entries(exercises).map(([name, exercise]) => (
    [name, Array.from({ length: SETS }, (_, index) => exercise(index + 1))])));
}
process.stdout.write(JSON.stringify(lessons));
