import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { contacts } from "../../static/js/respond/header.js";

/** Those of the server's pages too. @type {{links: Record<string, string>, nothing: string}} text -> where its one link leads, and a text without any */
const { links, nothing } = JSON.parse(readFileSync(new URL("contacts.json", import.meta.url), "utf8"));

for (const [text, link] of Object.entries(links)) {
  test(`${text} has one link`, () => {
    assert.deepEqual(contacts(text).flatMap(([, href]) => href ?? []), [link]);
  });
}

test("nothing else becomes a link", () => {
  assert.deepEqual(contacts(nothing), [[nothing]]);
});

test("what is between the links stays as it is", () => {
  const text = "Ada: ada@a.example\nBob: 0123 456 789\nor nobody";
  assert.equal(contacts(text).map(([shown]) => shown).join(""), text);
});
