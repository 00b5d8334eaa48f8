import assert from "node:assert/strict";
import test from "node:test";

import { renewed, sentWith, tokenIn } from "../../static/js/respond/token.js";
import { writeBody } from "../../static/js/respond/session.js";

const TOKEN = "AAAABQx-_Zy0123456789abcdefg";
const OTHER = TOKEN.replace("AAAABQ", "AAAABR");

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

test("what may have left changes its token for that of another link, and nothing else", () => {
  const body = `fingerprint=f&receipt=r&invitation-token=${TOKEN}&first=1`;
  const kept = { reports: { first: 1 }, receipt: "r", body, final: true };
  assert.deepEqual(renewed(kept, OTHER), { reports: { first: 1 }, receipt: "r", body: body.replace(TOKEN, OTHER) });
  assert.deepEqual(renewed(kept, TOKEN), kept);
  assert.deepEqual(renewed(kept, ""), kept);
  assert.deepEqual(renewed({ reports: { first: 1 } }, TOKEN), { reports: { first: 1 } });
});
