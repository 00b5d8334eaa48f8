import assert from "node:assert/strict";
import test from "node:test";

import { drawReceipt, writeBody } from "../../static/js/respond/sending.js";
import { Session } from "../../static/js/respond/session.js";

const COLUMNS = ["first", "second"].map((name) => (
  { name, weights: [[3, 1], [1, 3]].map((row) => row.map((quarter) => quarter * 2 ** 30)), loss: [3, 1], epsilon: Math.log(3), codes: 2 }));
const [FIRST, SECOND] = [COLUMNS.slice(0, 1), COLUMNS.slice(1)];
const FINGERPRINT = "ab".repeat(32);
const RECEIPT = "0123456789abcdef".repeat(2);
const receipt = () => RECEIPT;

/** A browser's storage, as far as a session needs it. */
function storage() {
  /** @type {Map<string, string>} */
  const items = new Map();
  return /** @type {Storage} */ (/** @type {unknown} */ ({
    items,
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => items.set(key, value),
    removeItem: (/** @type {string} */ key) => items.delete(key),
  }));
}

test("a report is drawn once: a reload finds it and draws no other", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(FIRST, () => ({ first: 1 }));
  for (let reload = 0; reload < 500; reload += 1) {
    const session = new Session(kept, FINGERPRINT, COLUMNS, receipt);
    session.lock(FIRST, () => assert.fail("drawn again"));
    assert.deepEqual({ ...session.kept.reports }, { first: 1 });
  }
});

test("all columns of a question are locked together, and one that has a report keeps it", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(SECOND, () => ({ second: 0 }));
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt);
  session.lock(COLUMNS, () => ({ first: 1, second: 1 }));
  assert.deepEqual({ ...session.kept.reports }, { first: 1, second: 0 });
});

test("what is kept is the reports, the receipt and nothing else", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(SECOND, () => ({ second: 0 }));
  assert.deepEqual(JSON.parse(kept.getItem(`candor ${FINGERPRINT}`) ?? ""), { reports: { second: 0 }, receipt: RECEIPT });
});

test("a report that the survey cannot give is not taken from storage", () => {
  for (const report of [2, -1, 0.5, "1", null, {}]) {
    const kept = storage();
    kept.setItem(`candor ${FINGERPRINT}`, JSON.stringify({ reports: { first: report, another: 1 } }));
    assert.deepEqual({ ...new Session(kept, FINGERPRINT, COLUMNS, receipt).kept.reports }, {});
  }
});

test("the receipt is drawn with the first report, and stays: a copy of the tab sends under the same number", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(FIRST, () => ({ first: 1 }));
  const copy = new Session(kept, FINGERPRINT, COLUMNS, () => assert.fail("a second receipt"));
  copy.lock(SECOND, () => ({ second: 0 }));
  assert.equal(copy.kept.receipt, RECEIPT);
});

test("a question may have the name of something that every object inherits", () => {
  const columns = [{ ...COLUMNS[0], name: "constructor" }];
  const session = new Session(storage(), FINGERPRINT, /** @type {Column[]} */ (columns), receipt);
  assert.equal("constructor" in session.kept.reports, false);
  session.lock(/** @type {Column[]} */ (columns), () => ({ constructor: 1 }));
  assert.equal(session.kept.reports["constructor"], 1);
});

test("another survey's session is another one, and forgetting removes one's own key only", () => {
  const kept = storage();
  kept.setItem("somebody else's", "x");
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt);
  session.lock(FIRST, () => ({ first: 1 }));
  assert.deepEqual({ ...new Session(kept, "cd".repeat(32), COLUMNS, receipt).kept.reports }, {});
  session.forget();
  assert.deepEqual(JSON.stringify(session.kept), '{"reports":{}}');
  assert.equal(kept.getItem(`candor ${FINGERPRINT}`), null);
  assert.equal(kept.getItem("somebody else's"), "x");
});

test("where the browser keeps nothing the lock fails, so that nothing drawn is shown", () => {
  const kept = storage();
  kept.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  assert.throws(() => new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(FIRST, () => ({ first: 1 })), DOMException);
});

test("a receipt is 32 hexadecimal digits from four words, zeros and all", () => {
  const words = [0, 1, 0xabcdef, 2 ** 32 - 1];
  assert.equal(drawReceipt(() => words.shift() ?? assert.fail("a fifth word")), "000000000000000100abcdefffffffff");
});

test("the body has its fields in the survey's order, every report as wide as the largest", () => {
  const columns = [...COLUMNS, { name: "many", epsilon: 1, codes: 12 }];
  assert.equal(
    writeBody(FINGERPRINT, "0".repeat(32), columns, { many: 7, second: 0, first: 1 }),
    `fingerprint=${FINGERPRINT}&receipt=${"0".repeat(32)}&first=1&second=0&many=07`,
  );
});

test("two respondents' bodies are equally long", () => {
  const lengths = [0, 1].map((report) => writeBody(FINGERPRINT, "0".repeat(32), COLUMNS, { first: report, second: report }).length);
  assert.equal(lengths[0], lengths[1]);
});
