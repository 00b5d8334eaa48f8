/** What survives a reload: final reports, the body once it may have gone out, the place. Never an answer or a word. */

import { code, element } from "../page/page.js";

const PREFIX = "candor ";

export class Session {
  /** @param {Storage} storage @param {string} fingerprint @param {readonly Column[]} columns @param {() => string} receipt @param {string} address */
  constructor(storage, fingerprint, columns, receipt, address = "") {
    this.storage = storage;
    this.key = PREFIX + fingerprint;
    this.columns = columns;
    this.receipt = receipt;
    this.address = address;
    const { reports, ...kept } = this.read(this.key);
    this.kept = { ...kept, reports: nothing() };
    this.kept.reports = this.possible(reports);
  }

  /** @param {string} key @returns {Partial<Kept>} */
  read(key) {
    return JSON.parse(this.storage.getItem(key) ?? "{}");
  }

  /** Those reports that this survey can give. @param {unknown} reports */
  possible(reports) {
    const [found, possible] = [Object.assign(nothing(), reports), nothing()];
    for (const { name, codes } of this.asked) {
      const report = found[name] ?? -1;
      if (Number.isInteger(report) && report >= 0 && report < codes) possible[name] = report;
    }
    return possible;
  }

  /** Those of drawn sections only once they are drawn. */
  get asked() {
    return this.columns.filter(({ part }) => part === undefined || this.kept.set?.includes(part));
  }

  /** Once for a browsing session: drawing until the questions suit bends every estimate. @param {() => number[]} draw */
  ask(draw) {
    if (!this.kept.set) this.keep({ set: draw() });
  }

  get begun() {
    return this.asked.some(({ name }) => name in this.kept.reports);
  }

  get complete() {
    return this.asked.every(({ name }) => name in this.kept.reports);
  }

  /** @type {KeepChange} */
  keep(change) {
    const kept = { ...this.kept, ...change };
    this.storage.setItem(this.key, JSON.stringify(kept));
    this.kept = kept;
  }

  /** Final: a column that has a report keeps it. Copies of this tab share the receipt. @type {LockReports} */
  lock(columns, draw) {
    if (columns.every(({ name }) => name in this.kept.reports)) return;
    const reports = Object.assign(nothing(), draw(), this.kept.reports);
    this.keep({ reports, receipt: this.kept.receipt ?? this.receipt(), address: this.address, open: true });
  }

  /** @param {boolean} open */
  open(open) {
    if (this.begun) this.keep({ open: open || undefined });
  }

  /** Of the tab that draws, or of one that has discarded. @param {Kept} newer */
  adopt({ reports, receipt, body = this.kept.body, discarded, set = this.kept.set }) {
    this.kept.set = set;
    const all = Object.assign(this.kept.reports, this.possible(reports));
    this.keep({ reports: all, receipt, body, discarded: body ? undefined : discarded, address: this.address, open: true });
  }

  /**
   * It is not sent, and nothing is drawn again: whoever draws until the record suits bends every estimate. What may
   * have left cannot be discarded. @param {boolean} discarded false takes it back
   */
  discard(discarded) {
    if (!this.kept.body) this.keep({ discarded: discarded || undefined, open: undefined });
  }

  /** In a hurry: it counts as discarded, and no value is kept but what may have left. What is asked stays drawn. */
  leave() {
    const { begun, kept: { body, open: _open, receipt: _receipt, reports: _reports, ...marks } } = this;
    if (body) return;
    if (begun) marks.discarded = true;
    if (Object.keys(marks).length) this.storage.setItem(this.key, JSON.stringify(marks));
    else this.storage.removeItem(this.key);
    this.kept = { ...marks, reports: nothing() };
  }

  /** Stored: a mark without values is left. Who takes part again is asked the same. */
  finish() {
    const mark = { sent: true, address: this.address, set: this.kept.set };
    this.storage.setItem(this.key, JSON.stringify(mark));
    this.kept = { ...mark, reports: nothing() };
  }

  /** What has left under other fingerprints. */
  earlier() {
    return Object.keys(this.storage).filter((key) => key.startsWith(PREFIX) && key !== this.key).map((key) => this.read(key))
      .filter(({ address, body, sent }) => address === this.address && (body || sent));
  }
}

/** No inherited names: a question may be called `constructor`. @returns {Record<string, number>} */
const nothing = () => Object.create(null);

/** One tab of a survey may draw. Tabs tell each other what sessions keep. */
export class Tabs {
  owner = false;
  since = 0;
  /** @type {Promise<boolean> | undefined} */
  asking = undefined;

  /** @param {string} name @param {() => Kept} kept @param {Heard} heard */
  constructor(name, kept, heard) {
    this.name = name;
    this.kept = kept;
    this.heard = heard;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.hear(data);
  }

  tell(ask = false, kept = this.kept()) {
    this.channel.postMessage({ ask, owner: this.owner, since: this.since, kept });
  }

  /** @param {Told} told */
  hear({ ask, owner, kept }) {
    if (owner || kept.body || kept.sent || kept.discarded) this.heard(kept);
    if (ask && (this.owner || this.since || this.kept().sent || this.kept().discarded)) this.tell();
  }

  /** Once for a double press: a lock is refused to its own tab too. @returns {Promise<boolean>} whether this tab may draw */
  claim() {
    this.asking ??= this.ask().finally(() => { this.asking = undefined; });
    return this.asking;
  }

  /** The lock is held as long as the tab lives. */
  async ask() {
    this.owner ||= await new Promise((resolve, reject) => {
      navigator.locks.request(this.name, { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        return lock && new Promise((drop) => { this.drop = drop; });
      }).catch(reject);
    });
    if (!this.owner) this.tell(true);
    return this.owner;
  }

  /** @param {unknown} [_] */
  drop(_) {}

  release() {
    this.drop(0);
    this.owner = false;
    this.since = 0;
  }
}

/** Milliseconds until an answer is late, and until none is expected any more. */
export const LATE = 5_000;
const PATIENCE = 30_000;
const OUTCOMES = ["stored", "stale", "different", "closed", "busy", "refused"];

/** @type {DrawReceipt} */
export function drawReceipt(draw) {
  return Array.from({ length: 4 }, () => draw().toString(16).padStart(8, "0")).join("");
}

/** Every report as wide as the largest, so that the length says nothing; the last code where not asked. @type {WriteBody} */
export function writeBody(fingerprint, receipt, columns, reports, more = []) {
  const fields = columns.map(({ name, codes, part }) => {
    const notAsked = part === undefined ? undefined : codes - 1;
    return [name, String(reports[name] ?? notAsked).padStart(String(codes - 1).length, "0")];
  });
  return new URLSearchParams([["fingerprint", fingerprint], ["receipt", receipt], ...more, ...fields]).toString();
}

/** @type {Fill} */
export function fill(form, body) {
  form.replaceChildren(...Array.from(new URLSearchParams(body), ([name, value]) => (
    element("input", { type: "hidden", name, value, autocomplete: "off" }))));
}

/** A new frame leaves no step for Back to return to. What it replaces says nothing more. @type {Send} */
export function send(form) {
  document.getElementById("sending")?.remove();
  const frame = element("iframe", { id: "sending", name: "sending", hidden: true });
  document.body.append(frame);
  return new Promise((resolve) => {
    const finish = () => frame.isConnected && resolve(readOutcome(frame)); // the first one counts
    setTimeout(finish, PATIENCE);
    frame.addEventListener("load", () => frame.contentDocument?.URL !== "about:blank" && finish());
    // Not form.submit(): a question may be called `submit`.
    HTMLFormElement.prototype.submit.call(form);
  });
}

/** A page of the browser's own, such as "no connection", has no document. @param {HTMLIFrameElement} frame */
function readOutcome({ contentDocument }) {
  const page = contentDocument?.body;
  const outcome = page?.dataset["outcome"] ?? "";
  return page && OUTCOMES.includes(outcome) ? { outcome, said: [...page.querySelectorAll("section")] } : { outcome: "unknown", said: [] };
}

/** Consent was given to this survey, and not to what it has become. */
const survey = () => document.body.dataset["fingerprint"];
const state = () => (history.state?.survey === survey() ? history.state : null);

/** The introduction, one question at a time, or everything first. @returns {string} */
export const here = () => state()?.place ?? "welcome";

/** The language chosen before a reload. @returns {string} */
export const spoken = () => String(history.state?.language ?? "");

/** Never an answer, a word or a report. Browsers allow only so many changes. @param {string} [place] */
export function note(place = here()) {
  if (place !== state()?.place || code() !== spoken()) history.replaceState({ survey: survey(), place, language: code() }, "");
}

/** One entry a place, and none where nobody shall see that somebody was there. @param {string} place @param {unknown} [exit] */
export function enter(place, exit) {
  if (place !== here()) history[exit ? "replaceState" : "pushState"]({ survey: survey(), place, language: code() }, "");
}
