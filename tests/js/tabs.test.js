import assert from "node:assert/strict";
import test from "node:test";

import { AskingTabs } from "../../static/js/respond/tabs_without_locks.js";
import { Tabs } from "../../static/js/respond/tabs.js";

const SECOND = 1000;
let surveys = 0;

/** Tabs of one browser that has no locks, each with what it tells. @param {number} count @param {Told} [told] */
function tabs(count, told = { reports: {} }) {
  const name = `candor ${surveys += 1}`;
  return Array.from({ length: count }, () => {
    /** @type {Told[]} */
    const heard = [];
    return { heard, tab: new AskingTabs(name, () => told, (other) => { heard.push(other); }) };
  });
}

/** As when it is closed. @param {AskingTabs} tab */
function end(tab) {
  tab.release();
  tab.channel.close();
}

/** @param {{tab: AskingTabs}[]} opened */
const close = (opened) => opened.forEach(({ tab }) => end(tab));

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("a tab that is alone may draw, after a second", async () => {
  const [{ tab }] = /** @type {any} */ (tabs(1));
  const start = performance.now();
  assert.equal(await tab.claim(), true);
  assert.ok(performance.now() - start > SECOND * 0.99);
  end(tab);
});

test("of tabs that ask at the same time one may draw", async () => {
  const opened = tabs(4);
  assert.deepEqual((await Promise.all(opened.map(({ tab }) => tab.claim()))).filter(Boolean), [true]);
  close(opened);
});

test("while one may draw no other may, until it is closed", async () => {
  const opened = tabs(2, { reports: { first: 1 }, receipt: "r" });
  const [one, two] = /** @type {any} */ (opened);
  assert.equal(await one.tab.claim(), true);
  assert.equal(await two.tab.claim(), false);
  assert.deepEqual(two.heard.at(-1), { reports: { first: 1 }, receipt: "r" });
  assert.equal(await one.tab.claim(), true);
  end(one.tab);
  assert.equal(await two.tab.claim(), true);
  close([two]);
});

test("a tab that was frozen while another came draws no more", async () => {
  const opened = tabs(2);
  const [frozen, later] = /** @type {any} */ (opened);
  assert.equal(await frozen.tab.claim(), true);
  const { onmessage } = frozen.tab.channel;
  /** @type {any[]} */
  const waiting = [];
  frozen.tab.channel.onmessage = (/** @type {any} */ event) => waiting.push(event);
  assert.equal(await later.tab.claim(), true);
  frozen.tab.channel.onmessage = onmessage;
  for (const event of waiting) onmessage?.call(frozen.tab.channel, event);
  await wait(20);
  assert.deepEqual(await Promise.all([frozen.tab.claim(), later.tab.claim()]), [false, true]);
  close(opened);
});

test("a tab in which it has ended says so to whoever asks", async () => {
  const name = `candor ${surveys += 1}`;
  const ended = new AskingTabs(name, () => ({ reports: {}, ended: true }), () => {});
  /** @type {Told[]} */
  const heard = [];
  const next = new AskingTabs(name, () => ({ reports: {} }), (other) => { heard.push(other); });
  assert.equal(await next.claim(), true);
  assert.deepEqual(heard, [{ reports: {}, ended: true }]);
  end(ended);
  end(next);
});

test("a tab that is asked for twice at once, as by a double press, keeps the lock that it got", async (context) => {
  let held = false;
  /** @param {string} _name @param {object} _options @param {(lock: object | null) => Promise<void> | null} use */
  const request = async (_name, _options, use) => {
    const free = !held;
    held = true;
    await wait(5);
    await use(free ? {} : null);
    if (free) held = false;
  };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks: { request } } });
  context.after(() => Reflect.deleteProperty(globalThis, "navigator"));
  const tab = new Tabs(`candor ${surveys += 1}`, () => ({ reports: {} }), () => {});
  assert.deepEqual(await Promise.all([tab.claim(), tab.claim()]), [true, true]);
  assert.equal(await tab.claim(), true);
  tab.release();
  tab.channel.close();
});
