import assert from "node:assert/strict";
import test from "node:test";

import { drawReceipt, writeBody } from "../../static/js/respond/session.js";
import { Session } from "../../static/js/respond/session.js";

const COLUMNS = ["first", "second"].map((name) => (
  { name, weights: [[3, 1], [1, 3]].map((row) => row.map((quarter) => quarter * 2 ** 30)), loss: [3, 1], epsilon: Math.log(3), codes: 2 }));
const [FIRST, SECOND] = [COLUMNS.slice(0, 1), COLUMNS.slice(1)];
const FINGERPRINT = "ab".repeat(32);
const RECEIPT = "0123456789abcdef".repeat(2);
const receipt = () => RECEIPT;

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

test("what is kept is the reports, the receipt, where they go, and that the tab is in use", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one").lock(SECOND, () => ({ second: 0 }));
  assert.deepEqual(JSON.parse(kept.getItem(`candor ${FINGERPRINT}`) ?? ""),
    { reports: { second: 0 }, receipt: RECEIPT, address: "/s/one", open: true });
});

test("a session that the version before kept goes on", () => {
  const kept = storage();
  kept.setItem(`candor ${FINGERPRINT}`, JSON.stringify({ reports: { first: 1 }, receipt: RECEIPT }));
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  assert.equal(session.kept.open, undefined);
  session.lock(COLUMNS, () => ({ first: 0, second: 1 }));
  assert.deepEqual({ ...session.kept.reports }, { first: 1, second: 1 });
  assert.equal(session.kept.receipt, RECEIPT);
});

test("what may have left is forgotten when it is stored, and never otherwise", () => {
  const kept = storage();
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  session.lock(COLUMNS, () => ({ first: 1, second: 0 }));
  session.keep({ body: "first=1&second=0" });
  session.discard(true);
  assert.equal(new Session(kept, FINGERPRINT, COLUMNS, receipt).kept.body, "first=1&second=0");
  session.finish();
  assert.deepEqual(JSON.parse(kept.getItem(`candor ${FINGERPRINT}`) ?? ""), { sent: true, address: "/s/one" });
  assert.equal(session.begun, false);
});

test("what was sent to the same address under another fingerprint is found, and nothing else is", () => {
  const kept = storage();
  for (const [print, entry] of /** @type {[string, Partial<Kept>][]} */ ([
    ["left", { address: "/s/one", body: "first=1" }], ["stored", { address: "/s/one", sent: true }],
    ["unsent", { address: "/s/one" }], ["another survey", { address: "/s/two", body: "first=0" }], [FINGERPRINT, { address: "/s/one", body: "own" }],
  ])) kept.setItem(`candor ${print}`, JSON.stringify(entry));
  kept.setItem("somebody else's", "no JSON");
  const found = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one").earlier();
  assert.deepEqual(found.map(({ body, sent }) => body ?? sent), ["first=1", true]);
});

test("a copy takes over what its original has drawn, and stays marked as a copy", () => {
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, receipt).lock(FIRST, () => ({ first: 1 }));
  const copy = new Session(kept, FINGERPRINT, COLUMNS, receipt);
  copy.adopt({ reports: { first: 1, second: 0, third: 1 } });
  assert.deepEqual({ ...new Session(kept, FINGERPRINT, COLUMNS, receipt).kept.reports }, { first: 1, second: 0 });
  assert.equal(copy.kept.open, true);
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

test("what is discarded is not drawn again, and taking it back restores the same reports", () => {
  const kept = storage();
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  session.lock(COLUMNS, () => ({ first: 1, second: 0 }));
  session.discard(true);
  const reloaded = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  assert.equal(reloaded.kept.discarded, true);
  reloaded.lock(COLUMNS, () => assert.fail("drawn again"));
  reloaded.discard(false);
  const { discarded, receipt: number, reports } = new Session(kept, FINGERPRINT, COLUMNS, receipt).kept;
  assert.deepEqual([discarded, number, { ...reports }], [undefined, RECEIPT, { first: 1, second: 0 }]);
});

test("a tab that hears of a discard takes over its reports, so that it draws none of its own", () => {
  const discarded = new Session(storage(), FINGERPRINT, COLUMNS, receipt);
  discarded.lock(COLUMNS, () => ({ first: 1, second: 0 }));
  discarded.discard(true);
  const kept = storage();
  new Session(kept, FINGERPRINT, COLUMNS, () => assert.fail("a receipt of its own"), "/s/one").adopt(discarded.kept);
  const other = new Session(kept, FINGERPRINT, COLUMNS, () => assert.fail("a receipt of its own"));
  assert.equal(other.kept.discarded, true);
  other.lock(COLUMNS, () => assert.fail("drawn again"));
  other.adopt({ ...discarded.kept, discarded: undefined, body: "first=1&second=0" });
  other.discard(true);
  assert.deepEqual([other.kept.body, other.kept.discarded], ["first=1&second=0", undefined]);
});

test("whoever leaves in a hurry leaves no values behind, and is not drawn for again", () => {
  const kept = storage();
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  session.leave();
  assert.equal(kept.getItem(`candor ${FINGERPRINT}`), null);
  session.lock(FIRST, () => ({ first: 1 }));
  session.leave();
  assert.deepEqual(JSON.parse(kept.getItem(`candor ${FINGERPRINT}`) ?? ""), { address: "/s/one", discarded: true });
  session.open(false); // as the page does when it goes
  assert.deepEqual(JSON.parse(kept.getItem(`candor ${FINGERPRINT}`) ?? ""), { address: "/s/one", discarded: true });
  const sending = new Session(storage(), FINGERPRINT, COLUMNS, receipt);
  sending.keep({ body: "first=1&second=0" });
  sending.leave();
  assert.equal(sending.kept.body, "first=1&second=0");
});

test("another survey's session is another one, and leaves other keys alone", () => {
  const kept = storage();
  kept.setItem("somebody else's", "x");
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt);
  session.lock(FIRST, () => ({ first: 1 }));
  assert.deepEqual({ ...new Session(kept, "cd".repeat(32), COLUMNS, receipt).kept.reports }, {});
  assert.equal(kept.getItem("somebody else's"), "x");
});

test("where the browser keeps nothing the lock fails, so that nothing drawn is shown", () => {
  const kept = storage();
  kept.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt);
  assert.throws(() => session.lock(FIRST, () => ({ first: 1 })), DOMException);
  assert.equal(session.begun, false);
});

test("who discards in a tab that has sent before is still known to have sent", () => {
  const kept = storage();
  const session = new Session(kept, FINGERPRINT, COLUMNS, receipt, "/s/one");
  session.finish();
  session.lock(FIRST, () => ({ first: 1 }));
  session.discard(true);
  assert.equal(new Session(kept, FINGERPRINT, COLUMNS, receipt).kept.sent, true);
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
