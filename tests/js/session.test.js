import assert from "node:assert/strict";
import test from "node:test";

import { drawReceipt, writeBody, writeForm } from "../../static/js/respond/sending.js";
import { keyOf, Session } from "../../static/js/respond/session.js";

const COLUMNS = ["first", "second"].map((name) => (
  { name, weights: [[3, 1], [1, 3]].map((row) => row.map((quarter) => quarter * 2 ** 30)), loss: [3, 1], epsilon: Math.log(3), codes: 2 }));
const FINGERPRINT = "ab".repeat(32);
const RECEIPT = "0123456789abcdef".repeat(2);
const receipt = () => RECEIPT;
const KEY = keyOf(FINGERPRINT);

/** A browser's storage, as far as a session needs it: its keys are its own properties. */
class FakeStorage {
  /** @param {string} key */
  getItem(key) { return /** @type {any} */ (this)[key] ?? null; }

  /** @param {string} key @param {string} value */
  setItem(key, value) { /** @type {any} */ (this)[key] = value; }

  /** @param {string} key */
  removeItem(key) { delete /** @type {any} */ (this)[key]; }
}
const storage = () => /** @type {Storage} */ (/** @type {unknown} */ (new FakeStorage()));

/** @param {Storage} tabStorage @param {() => string} [number] */
const session = (tabStorage, number = receipt) => new Session(tabStorage, KEY, COLUMNS, number);
/** @param {Storage} tabStorage */
const stored = (tabStorage) => JSON.parse(tabStorage.getItem(KEY) ?? "null");

test("a report is drawn once: a reload finds it, and a column that has one keeps it", () => {
  const tabStorage = storage();
  session(tabStorage).lock({ first: 1 });
  const reloaded = session(tabStorage, () => assert.fail("a second receipt"));
  assert.deepEqual({ ...reloaded.saved.reports }, { first: 1 });
  reloaded.lock({ first: 0, second: 0 });
  assert.deepEqual({ ...session(tabStorage).saved.reports }, { first: 1, second: 0 });
});

test("one press keeps reports, receipt and body in one step, and nothing else", () => {
  const tabStorage = storage();
  let steps = 0;
  const { setItem } = FakeStorage.prototype;
  tabStorage.setItem = (...entry) => { steps += 1; setItem.call(tabStorage, ...entry); };
  session(tabStorage).lock({ first: 1, second: 0 }, (number, reports) => `${number} ${reports["first"]}${reports["second"]}`);
  assert.deepEqual([steps, stored(tabStorage)], [1, { reports: { first: 1, second: 0 }, receipt: RECEIPT, body: `${RECEIPT} 10` }]);
});

test("once it has arrived nothing is left but what one is asked", () => {
  for (const set of [undefined, [1, 2]]) {
    const tabStorage = storage();
    const mine = session(tabStorage);
    mine.keep({ set });
    mine.lock({ first: 1, second: 0 }, () => "body");
    mine.forget();
    assert.deepEqual([stored(tabStorage), mine.begun], [set ? { set } : null, false]);
  }
});

test("where it is over nothing is left but the word", () => {
  for (const word of ["ended", "stale", "closed"]) {
    const tabStorage = storage();
    const mine = session(tabStorage);
    mine.keep({ set: [1] });
    mine.lock({ first: 1, second: 0 }, () => "body");
    mine.end(word);
    assert.deepEqual(stored(tabStorage), { word });
    assert.equal(session(tabStorage).saved.word, word);
  }
});

test("what another tab sends is taken over under its receipt, with a body of this tab's own, and never to be shown", () => {
  const tabStorage = storage();
  const mine = session(tabStorage);
  mine.lock({ second: 1 });
  mine.adopt({ reports: { first: 1, second: 0, third: 1 }, receipt: "theirs" }, (number, reports) => `${number} ${reports["first"]}${reports["second"]}`);
  assert.deepEqual(stored(tabStorage), { reports: { first: 1, second: 0 }, receipt: "theirs", body: "theirs 10", unseen: true });
});

test("a copy of a tab takes over what its original draws, and keeps its place", () => {
  const tabStorage = storage();
  const copy = session(tabStorage);
  copy.lock({ first: 1 });
  copy.adopt({ reports: { first: 1, second: 0 }, receipt: RECEIPT });
  assert.deepEqual(stored(tabStorage), { reports: { first: 1, second: 0 }, receipt: RECEIPT });
});

test("a copy made after the press keeps the bytes that its original sends, and never shows them", () => {
  const tabStorage = storage();
  const copy = session(tabStorage);
  copy.lock({ first: 1, second: 0 }, () => "sent");
  copy.adopt({ reports: { first: 1, second: 0 }, receipt: RECEIPT }, () => assert.fail("other bytes"));
  assert.deepEqual(stored(tabStorage), { reports: { first: 1, second: 0 }, receipt: RECEIPT, body: "sent", unseen: true });
});

test("a report that the survey cannot give is not taken from storage", () => {
  for (const report of [2, -1, 0.5, "1", null, {}]) {
    const tabStorage = storage();
    tabStorage.setItem(KEY, JSON.stringify({ reports: { first: report, another: 1 } }));
    assert.deepEqual({ ...session(tabStorage).saved.reports }, {});
  }
});

test("a question may have the name of something that every object inherits", () => {
  const columns = /** @type {Column[]} */ ([{ ...COLUMNS[0], name: "constructor" }]);
  const mine = new Session(storage(), KEY, columns, receipt);
  assert.equal("constructor" in mine.saved.reports, false);
  mine.lock(Object.assign(Object.create(null), { constructor: 1 }));
  assert.equal(mine.saved.reports["constructor"], 1);
});

test("two surveys, and two invitations to one, keep apart what they keep", () => {
  const keys = [KEY, keyOf("cd".repeat(32)), keyOf(FINGERPRINT, "0123"), keyOf(FINGERPRINT, "0124")];
  assert.equal(new Set(keys).size, keys.length);
  const tabStorage = storage();
  for (const key of keys) new Session(tabStorage, key, COLUMNS, receipt).keep({ receipt: key });
  for (const key of keys) assert.equal(new Session(tabStorage, key, COLUMNS, receipt).saved.receipt, key);
});

test("where the browser keeps nothing the lock fails, so that nothing drawn is sent or shown", () => {
  const tabStorage = storage();
  tabStorage.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  const mine = session(tabStorage);
  assert.throws(() => mine.lock({ first: 1 }), DOMException);
  assert.equal(mine.begun, false);
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

test("the exact form is as long as what is sent, and has no result and no receipt", () => {
  const columns = [...COLUMNS, { name: "many", epsilon: 1, codes: 12, part: 0 }];
  const form = writeForm(FINGERPRINT, columns, [["invitation-token", "T"]]);
  assert.equal(form, `fingerprint=${FINGERPRINT}&receipt=${"_".repeat(32)}&invitation-token=T&first=_&second=_&many=__`);
  assert.equal(form.length, writeBody(FINGERPRINT, RECEIPT, columns, { first: 0, second: 1 }, [["invitation-token", "T"]]).length);
});
