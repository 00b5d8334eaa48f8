/** What survives a reload: reports, and the body from before it first goes out. Never an answer, a word or a picture. */

const PREFIX = "candor ";

/** @type {KeyOf} One for each invitation: two people may take part in one browser. */
export const keyOf = (fingerprint, mark = "") => PREFIX + fingerprint + (mark && ` ${mark}`);

/** Where another person's link takes the tab: of a draw nothing is left but the word. @param {Storage} storage @param {string} key */
export function endDrawn(storage, key) {
  const { receipt } = JSON.parse(storage.getItem(key) ?? "{}");
  if (receipt) storage.setItem(key, JSON.stringify({ word: "ended" }));
}

export class Session {
  /** @param {Storage} storage @param {string} key @param {readonly Column[]} columns @param {() => string} receipt */
  constructor(storage, key, columns, receipt) {
    this.storage = storage;
    this.key = key;
    this.columns = columns;
    this.receipt = receipt;
    const { reports, ...saved } = JSON.parse(storage.getItem(key) ?? "{}");
    /** @type {Saved} */
    this.saved = { ...saved, reports: nothing() };
    this.saved.reports = this.possible(reports);
  }

  /** Those reports that this survey can give. @param {unknown} reports */
  possible(reports) {
    const [told, possible] = [Object.assign(nothing(), reports), nothing()];
    for (const { name, codes } of this.asked) {
      const report = told[name] ?? -1;
      if (Number.isInteger(report) && report >= 0 && report < codes) possible[name] = report;
    }
    return possible;
  }

  /** Those of drawn sections only once they are drawn. */
  get asked() {
    return this.columns.filter(({ part }) => part === undefined || this.saved.set?.includes(part));
  }

  /** Once for a browsing session: drawing until the questions suit bends every estimate. @param {() => number[]} draw */
  ask(draw) {
    if (!this.saved.set) this.keep({ set: draw() });
  }

  get begun() {
    return this.asked.some(({ name }) => name in this.saved.reports);
  }

  /** @type {KeepChange} */
  keep(change) {
    const saved = { ...this.saved, ...change };
    this.storage.setItem(this.key, JSON.stringify(saved));
    this.saved = saved;
  }

  /**
   * Final: a column that has a report keeps it. What is sent at once is kept in the same step.
   *
   * @type {LockReports}
   */
  lock(drawn, write) {
    const reports = Object.assign(nothing(), drawn, this.saved.reports);
    const receipt = this.saved.receipt ?? this.receipt();
    this.keep({ reports, receipt, ...(write && { body: write(receipt, reports) }) });
  }

  /** Of the tab that sends, unseen, with a body of this tab's own; or of one that draws, whose copy this is. @type {Adopt} */
  adopt({ reports, receipt, set = this.saved.set }, write) {
    const copy = receipt === this.saved.receipt;
    this.saved.set = set;
    const all = Object.assign(nothing(), copy ? this.saved.reports : {}, this.possible(reports));
    const body = this.saved.body ?? write?.(receipt ?? "", all);
    this.keep({ reports: all, receipt, ...(body && { body }), ...(write && { unseen: true }) });
  }

  /** Nothing is drawn here again, and nothing but the word is left. @param {string} word */
  end(word) {
    this.replace({ word });
  }

  /** It has arrived, or was never drawn: who takes part again is asked the same, and nothing else is left. */
  forget() {
    this.replace({ set: this.saved.set });
  }

  /** @param {Partial<Saved>} saved */
  replace(saved) {
    if (Object.values(saved).some(Boolean)) this.storage.setItem(this.key, JSON.stringify(saved));
    else this.storage.removeItem(this.key);
    this.saved = { ...saved, reports: nothing() };
  }
}

/** No inherited names: a question may be called `constructor`. @returns {Record<string, number>} */
const nothing = () => Object.create(null);
