/** What survives a reload: reports that are final, and the body once it may have gone out. Never an answer or a word. */

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

  /** Once for a browsing session: whoever draws again until the questions suit bends every estimate. @param {() => number[]} draw */
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

  /** In a hurry: it counts as discarded, and no value is kept but what may have left. */
  leave() {
    const { begun, kept: { body, open: _open, receipt: _receipt, reports: _reports, set, ...marks } } = this;
    if (body) return;
    if (begun) marks.discarded = true;
    const some = Object.keys(marks).length > 0; // a set by itself would only show that somebody was here
    if (some) this.storage.setItem(this.key, JSON.stringify({ ...marks, set }));
    else this.storage.removeItem(this.key);
    this.kept = { ...marks, set: some ? set : undefined, reports: nothing() };
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
