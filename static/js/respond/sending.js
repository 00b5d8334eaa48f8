/** One submission: its bytes, and the hidden frame that takes them and brings back one word. */

import { element } from "../page/element.js";

/** Milliseconds until an answer is late, and until none is expected any more. */
export const LATE = 5_000;
const PATIENCE = 30_000;
const OUTCOMES = ["stored", "stale", "different", "closed", "busy", "refused"];

/** @type {DrawReceipt} */
export function drawReceipt(draw) {
  return Array.from({ length: 4 }, () => draw().toString(16).padStart(8, "0")).join("");
}

/** Every report at the width of the largest, so that the length says nothing; the last code where it was not asked. @type {WriteBody} */
export function writeBody(fingerprint, receipt, columns, reports) {
  const fields = columns.map(({ name, codes, part }) => {
    const notAsked = part === undefined ? undefined : codes - 1;
    return [name, String(reports[name] ?? notAsked).padStart(String(codes - 1).length, "0")];
  });
  return new URLSearchParams([["fingerprint", fingerprint], ["receipt", receipt], ...fields]).toString();
}

/** @type {Fill} */
export function fill(form, body) {
  form.replaceChildren(...Array.from(new URLSearchParams(body), ([name, value]) => (
    element("input", { type: "hidden", name, value, autocomplete: "off" }))));
}

/** Into a frame of its own: a new frame leaves no step for Back to return to. What it replaces says nothing more. @type {Send} */
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
