import assert from "node:assert/strict";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { ESLint } from "eslint";

const eslint = new ESLint({
  cwd: fileURLToPath(new URL("../..", import.meta.url)),
  overrideConfigFile: fileURLToPath(new URL("eslint.config.js", import.meta.url)),
});

/** @param {string} file @param {string} text @returns {Promise<(string | null)[]>} the rules that it breaks */
async function broken(file, text) {
  const [result] = await eslint.lintText(text, { filePath: `static/js/${file}.js` });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}

test("what an auditor reads imports no other room", async () => {
  const page = 'import "../page/page.js";\n';
  assert.deepEqual(await broken("chance/other", page), ["no-restricted-imports"]);
  assert.deepEqual(await broken("kinds/other", page), []);
});

test("a lesson reaches into no other room from its own folder", async () => {
  assert.deepEqual(await broken("lessons/noise/other", 'import "../../respond/session.js";\n'), ["no-restricted-imports"]);
  assert.deepEqual(await broken("lessons/noise/other", 'import "../words.js";\n'), []);
});

test("a lesson keeps nothing, connects nowhere and does nothing when it is left", async () => {
  const left = 'addEventListener("pagehide", () => sessionStorage.clear());\nfetch("/");\n';
  assert.deepEqual(await broken("lessons/other", left), ["no-restricted-syntax", "no-restricted-globals", "no-restricted-globals"]);
});

test("nothing that respondents load connects or has a second source of chance", async () => {
  assert.deepEqual(await broken("respond/other", 'fetch("/");\nMath.random();\n'), ["no-restricted-globals", "no-restricted-properties"]);
});

test("a report is drawn without floating point", async () => {
  assert.deepEqual(await broken("chance/randomize", "Math.log(2);\n"), ["no-restricted-properties"]);
});

test("a name that says nothing is refused wherever it names more than what stands beside it", async () => {
  const names = `${["const kept = 1;", "export const most = (one) => ({ found: one, given() {} });", "", "", "", ""].join("\n")}\nexport const least = kept;\n`;
  assert.deepEqual(await broken("results/each", names), Array(5).fill("candor/vague-names"));
  assert.deepEqual(await broken("results/other", "for (const each of [1]) say(\"count\", { one: each });\n"), ["no-undef"]);
});
