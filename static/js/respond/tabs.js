/** One tab of a survey may draw. Tabs tell each other what sessions keep, never an answer or a word. */

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

  /** Once for a double press: the lock that a tab has got is refused to it too. @returns {Promise<boolean>} whether this tab may draw */
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
