/** What this browser kept of a draft when its page was left: taken up again, let go because it is stored, or offered. */

import { element, say } from "../page/page.js";
import { changed, desk, editor, part } from "./desk.js";
import { left, letGo } from "./held.js";
import { forgetUndo, offerUndo, press } from "./notices.js";
import { changesOf } from "./rebase.js";
import { units } from "./units.js";

/** @typedef {ReturnType<import("./saver.js").saver>} Saver */

/** @param {Saver} saving */
export function comeBack(saving) {
  let isTaken = false;
  for (const held of left()) {
    const from = held.seen.includes(saving.hash) ? saving.base : held.base;
    if (isStored(from, units(held.document), saving)) letGo(held.key);
    else if (!isTaken && goesOn(held, saving)) {
      isTaken = true;
      goOn(held, saving);
    } else offer(held, saving);
  }
}

/** Whether all that was changed is stored by now. @param {Units} from @param {Units} typed @param {Saver} saving */
function isStored(from, typed, { base }) {
  const open = new Set(changesOf(base, typed).map(({ unit }) => unit));
  return changesOf(from, typed).every(({ unit }) => !open.has(unit));
}

/** Whether nobody else has saved since: this page shows what the other went on from, or what it has sent. @param {Held} held @param {Saver} saving */
const goesOn = ({ seen, sent }, { base, hash }) => seen.includes(hash) || (sent !== null && !changesOf(base, sent.units).length);

/** Put it into the fields and save it. @param {import("./held.js").Left} held @param {Saver} saving */
function goOn({ key, document, seen, sent }, saving) {
  const before = structuredClone(desk.draft);
  // It may have been sent behind the page that was left. The same goes first, so that it is nobody else's.
  if (saving.goOn(document, saving.base, seen.includes(saving.hash) ? sent : null)) letGo(key);
  const undo = () => {
    desk.draft = before;
    changed("all");
  };
  const notice = offerUndo({ said: say("outline.held.taken"), words: say("outline.held.leave"), undo, brief: true });
  // What is typed or done from now on would go with it; to open a card does nothing.
  editor.addEventListener("changed", () => void (notice.isConnected && forgetUndo()), { once: true });
}

/** @param {import("./held.js").Left} held @param {Saver} saving */
function offer({ key, base, document: draft, sent }, saving) {
  const accept = async () => {
    if (!await saving.now()) return; // what was typed here meanwhile comes first: nothing takes its place unsaved
    notice.remove();
    if (saving.goOn(draft, sent && isStored(base, sent.units, saving) ? sent.units : base, null)) letGo(key);
  };
  const leave = () => {
    notice.remove();
    letGo(key);
  };
  const notice = element("div.notice.held", { role: "status" },
    element("strong", say("outline.held.title")), element("p", say("outline.held.text")),
    element("p.toolbar", press(say("outline.held.take"), () => void accept()), " ", press(say("outline.held.leave"), leave, ".plain")));
  part("faults").before(notice);
}
