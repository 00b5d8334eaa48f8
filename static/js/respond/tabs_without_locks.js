/** The same over plain http, where browsers have no locks: tabs ask each other, and wait for an answer. */

import { Tabs } from "./tabs.js";

/**
 * Milliseconds. A living tab answers within a few, in the background too, where browsers slow timers down but not
 * messages; a second leaves room for a slow phone. A tab that was frozen answers too late. But every tab asks before
 * each draw, so that it then gives way to the one that came meanwhile.
 */
const PATIENCE = 1000;

export class AskingTabs extends Tabs {
  /** @param {Message} told @override */
  hear(told) {
    if (told.since && this.since && !this.isBefore(told)) this.release();
    super.hear(told);
  }

  /** Of two that ask the first goes on. Of two owners one was frozen when the other asked: the later goes on. @param {Message} told */
  isBefore({ owner, since }) {
    if (this.owner !== owner) return this.owner;
    return owner ? since < this.since : this.since < since;
  }

  /** @override */
  async ask() {
    this.since ||= performance.timeOrigin + performance.now();
    this.tell(true);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    this.owner = this.since > 0;
    return this.owner;
  }
}
