import assert from "node:assert/strict";
import test from "node:test";

import { dropInvitation, markOf, sentWith, takeInvitation, tokenIn } from "../../static/js/respond/invitation_token.js";
import { writeBody } from "../../static/js/respond/sending.js";
import { keyOf } from "../../static/js/respond/session.js";

const TOKEN = "AAAABQx-_Zy0123456789abcdefg";
const OTHER = TOKEN.replace("AAAABQ", "AAAABR");

/** A tab's storage. */
function memory() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return /** @type {Storage} */ (/** @type {unknown} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: kept.set.bind(kept), removeItem: kept.delete.bind(kept) }));
}

test("a token is read from a whole link, and from nothing else", () => {
  assert.equal(tokenIn(`#i=${TOKEN}`), TOKEN);
  for (const hash of ["", "#", "#i=", `#i=${TOKEN.slice(1)}`, `#i=${TOKEN}A`, `#j=${TOKEN}`, `#i=${TOKEN.slice(1)}=`, `#i=${TOKEN}\n`]) {
    assert.equal(tokenIn(hash), "", hash);
  }
});

test("it goes out between the receipt and the reports, at one length", () => {
  const columns = [{ name: "first", codes: 2 }];
  const body = writeBody("f", "r", /** @type {any} */ (columns), { first: 1 }, sentWith(TOKEN));
  assert.equal(body, `fingerprint=f&receipt=r&invitation-token=${TOKEN}&first=1`);
  assert.equal(writeBody("f", "r", /** @type {any} */ (columns), { first: 1 }), "fingerprint=f&receipt=r&first=1");
});

test("a tab keeps a token until it is sent or left, and a mark of it where that was the end", () => {
  const storage = memory();
  const mark = markOf(TOKEN);
  assert.deepEqual(takeInvitation(storage, "f", TOKEN), { mark, token: TOKEN });
  assert.deepEqual(takeInvitation(storage, "f", ""), { mark, token: TOKEN }, "after a reload the link is not in the address");
  assert.deepEqual(takeInvitation(storage, "g", ""), { mark: "", token: "" }, "another survey");
  assert.deepEqual(takeInvitation(storage, "f", OTHER), { mark: markOf(OTHER), token: OTHER }, "another link takes its place");
  dropInvitation(storage, "f", markOf(OTHER));
  assert.deepEqual(takeInvitation(storage, "f", ""), { mark: markOf(OTHER), token: "" });
  dropInvitation(storage, "f");
  assert.deepEqual(takeInvitation(storage, "f", ""), { mark: "", token: "" });
});

test("another person's link erases what the one before has drawn but not sent, and leaves the word, but no draw of questions", () => {
  const drawn = { reports: { first: 1 }, receipt: "r", body: `invitation-token=${TOKEN}&first=1` };
  for (const [before, after] of [[drawn, { word: "ended" }], [{ reports: {}, set: [1] }, { reports: {}, set: [1] }], [{ word: "used" }, { word: "used" }]]) {
    const storage = memory();
    const key = keyOf("f", markOf(TOKEN));
    takeInvitation(storage, "f", TOKEN);
    storage.setItem(key, JSON.stringify(before));
    takeInvitation(storage, "f", TOKEN);
    takeInvitation(storage, "f", "");
    assert.deepEqual(JSON.parse(storage.getItem(key) ?? ""), before, "the same link again, and a reload");
    takeInvitation(storage, "f", OTHER);
    assert.deepEqual(JSON.parse(storage.getItem(key) ?? ""), after);
  }
});

test("ten thousand tokens have as many marks, of which none holds its token", () => {
  const tokens = Array.from({ length: 10_000 }, (_, n) => `${TOKEN.slice(0, 20)}${String(n).padStart(8, "0")}`);
  assert.equal(new Set(tokens.map(markOf)).size, tokens.length);
  assert.match(markOf(TOKEN), /^[0-9a-f]{16}$/);
  assert.equal(markOf(""), "");
});
