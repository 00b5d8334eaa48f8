/** What goes out, byte for byte, and what the server says to it. */

import { element } from "../page/page.js";

/** Milliseconds until no answer is expected any more. */
const PATIENCE = 30_000;

/** @type {DrawReceipt} */
export function drawReceipt(draw) {
  return Array.from({ length: 4 }, () => draw().toString(16).padStart(8, "0")).join("");
}

/** Every report as wide as the largest, so that the length says nothing; the last code where not asked. @type {WriteBody} */
export function writeBody(fingerprint, receipt, columns, reports, more = []) {
  const fields = columns.map(({ name, codes, part }) => {
    const notAsked = part === undefined ? undefined : codes - 1;
    return [name, String(reports[name] ?? notAsked).padStart(width(codes), "0")];
  });
  return new URLSearchParams([["fingerprint", fingerprint], ["receipt", receipt], ...more, ...fields]).toString();
}

/** The same before anything is drawn: a line for each digit that chance has yet to give. @type {WriteForm} */
export function writeForm(fingerprint, columns, more = []) {
  const fields = columns.map(({ name, codes }) => [name, "_".repeat(width(codes))]);
  return new URLSearchParams([["fingerprint", fingerprint], ["receipt", "_".repeat(32)], ...more, ...fields]).toString();
}

/** @param {number} codes */
const width = (codes) => String(codes - 1).length;

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
    const finish = () => frame.isConnected && resolve(readAnswer(frame)); // the first one counts
    setTimeout(finish, PATIENCE);
    frame.addEventListener("load", () => frame.contentDocument?.URL !== "about:blank" && finish());
    // Not form.submit(): a question may be called `submit`.
    HTMLFormElement.prototype.submit.call(form);
  });
}

/** A page of the browser's own, such as "no connection", has no document. @param {HTMLIFrameElement} frame @returns {Answer} */
function readAnswer({ contentDocument }) {
  const { outcome = "", wait = "" } = contentDocument?.body?.dataset ?? {};
  const said = outcome ? [...contentDocument?.querySelectorAll("section") ?? []] : [];
  return { outcome: outcome || "unknown", wait: Number(wait) || 0, said };
}
