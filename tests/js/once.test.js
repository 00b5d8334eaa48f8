import assert from "node:assert/strict";
import test from "node:test";

import { AGAIN, once } from "../../static/js/staff/send_once.js";

const POST = () => ({ getAttribute: () => "post" });

/** Send a form; tell whether it goes out. */
function send(/** @type {ReturnType<typeof once>} */ hear, /** @type {object} */ form, taken = false) {
  let stopped = false;
  hear({ target: /** @type {any} */ (form), defaultPrevented: taken, preventDefault: () => { stopped = true; } });
  return !stopped;
}

test("a second press sends nothing until the answer must have come", () => {
  let now = 0;
  const hear = once(() => now), form = POST();
  assert.ok(send(hear, form));
  now = AGAIN - 1;
  assert.ok(!send(hear, form));
  now = AGAIN;
  assert.ok(send(hear, form));
  assert.ok(!send(hear, form));
});

test("another form is sent meanwhile", () => {
  const hear = once(() => 0);
  assert.ok(send(hear, POST()));
  assert.ok(send(hear, POST()));
});

test("a form that only asks for a page is sent as often as somebody wants", () => {
  const hear = once(() => 0), search = { getAttribute: () => "get" };
  assert.ok(send(hear, search));
  assert.ok(send(hear, search));
});

test("a form that a script sends is that script's", () => {
  const hear = once(() => 0), form = POST();
  send(hear, form, true);
  assert.ok(send(hear, form));
});
