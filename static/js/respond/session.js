/** What survives a reload: reports that are final, and the body once it may have gone out. Never an answer or a word. */

export class Session {
  /** @param {Storage} storage @param {string} fingerprint @param {readonly Column[]} columns @param {() => string} drawReceipt */
  constructor(storage, fingerprint, columns, drawReceipt) {
    this.storage = storage;
    this.key = `candor ${fingerprint}`;
    this.columns = columns;
    this.drawReceipt = drawReceipt;
    this.kept = this.read();
  }

  /** What an earlier load of this page kept, if it can be what this survey gives. */
  read() {
    /** @type {Kept} */
    const kept = JSON.parse(this.storage.getItem(this.key) ?? "{}");
    const [found, reports] = [Object.assign(nothing(), kept.reports), nothing()];
    for (const { name, codes } of this.columns) {
      const report = found[name] ?? -1;
      if (Number.isInteger(report) && report >= 0 && report < codes) reports[name] = report;
    }
    return { ...kept, reports };
  }

  /** @type {KeepChange} */
  keep(change) {
    this.kept = { ...this.kept, ...change };
    this.storage.setItem(this.key, JSON.stringify(this.kept));
  }

  /** Final: a column that has a report keeps it. The receipt comes with the first: copies of this tab share it. @type {LockReports} */
  lock(columns, draw) {
    if (columns.every(({ name }) => name in this.kept.reports)) return;
    const reports = Object.assign(nothing(), draw(), this.kept.reports);
    this.keep({ reports, receipt: this.kept.receipt ?? this.drawReceipt() });
  }

  forget() {
    this.storage.removeItem(this.key);
    this.kept = { reports: nothing() };
  }
}

/** No inherited names: a question may be called `constructor`. @returns {Record<string, number>} */
const nothing = () => Object.create(null);
