/** Of the tabs that show a survey one may draw and send. They tell each other what is drawn, never an answer or a token. */

export class Tabs {
  owner = false;
  since = 0;
  /** @type {Promise<boolean> | undefined} */
  asking = undefined;

  /** @param {string} name @param {() => Told} told @param {Heard} heard */
  constructor(name, told, heard) {
    this.name = name;
    this.told = told;
    this.heard = heard;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.hear(data);
  }

  tell(ask = false, told = this.told()) {
    this.channel.postMessage({ ask, owner: this.owner, since: this.since, told });
  }

  /** @param {Message} message */
  hear({ ask, owner, told }) {
    if (owner || told.stored || told.ended) this.heard(told);
    if (ask && (this.owner || this.since || this.told().ended)) this.tell();
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
