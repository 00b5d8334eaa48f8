import assert from "node:assert/strict";
import test from "node:test";

import { direction, hundredths, ofHundred, rarely, say, speak } from "../../static/js/page/page.js";

test("a share is never or always only where it is exactly that", () => {
  assert.deepEqual([0, 1e-9, 0.004, 0.5, 0.994, 0.996, 1 - 1e-9, 1].map((share) => Math.round(ofHundred(share, 1))), [0, 1, 1, 50, 99, 99, 99, 100]);
  assert.deepEqual([0, 1e-9, 0.004, 0.5, 0.996, 1 - 1e-9, 1].map(hundredths), ["0", "0.01", "0.4", "50", "99.6", "99.99", "100"]);
});

test("a small chance has two digits at most, is rounded up and has no exponent", () => {
  assert.deepEqual([1e-5 + 1e-5 + 1e-5, 3e-5, 1e-7, 1.234e-9, 0.0999, 0.05, 1].map(rarely),
    ["0.00003", "0.00003", "0.0000001", "0.0000000013", "0.1", "0.05", "1"]);
});

test("languages of Arabic, Hebrew and a few other scripts run from right to left", () => {
  const languages = ["ar", "he-IL", "fa", "ur", "ckb", "dv", "yi", "az-Arab", "en", "ko", "az", "ru", "zh-Hant", "xx"];
  assert.deepEqual(languages.filter((language) => direction(language) === "rtl"), languages.slice(0, 8));
});

test("a text that runs another way is isolated in a sentence, and no other is changed", () => {
  speak({ en: { reply: "{option}, you said" } }, ["ar"], ["ar"]);
  assert.equal(say("reply", { option: "نعم" }), "\u2068نعم\u2069, you said");
  speak({ ar: { reply: "{option}؟" } }, ["ar"], ["ar"]);
  assert.equal(say("reply", { option: "نعم" }), "نعم؟");
  speak({ en: { reply: "{option}, you said" } }, ["en"], ["en"]);
  assert.equal(say("reply", { option: "\u202eYes" }), "\u2068\u202eYes\u2069, you said");
  assert.equal(say("reply", { option: "Yes" }), "Yes, you said");
});

test("a message is said in the reader's language, and in the first that travels where there is none", () => {
  const messages = { en: { total: "{n} in all" }, ko: { total: "모두 {n}" } };
  speak(messages, ["ko", "en"], ["fr"]);
  assert.equal(say("total", { n: 2 }), "모두 2");
  speak(messages, ["fr"], ["fr"]);
  assert.equal(say("total", { n: 2 }), "2 in all");
  speak({ ko: messages.ko }, ["ko"], ["fr"]);
  assert.equal(say("total", { n: 2 }), "모두 2");
});
