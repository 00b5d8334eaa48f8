import assert from "node:assert/strict";
import test from "node:test";

import { contacts } from "../../static/js/respond/header.js";

/** @type {Record<string, string>} text -> where its one link leads */
const LINKS = {
  "Counselling: help@university.example.": "mailto:help@university.example",
  "상담은 a.b+c@x-y.co.kr로 하세요": "mailto:a.b+c@x-y.co.kr",
  "mailto:help@a.example?body=what+I+did": "mailto:help@a.example",
  "Call tel:112 at once": "tel:112",
  "전화 tel:1393입니다": "tel:1393",
  "+82 2 123 4567": "tel:+8221234567",
  "(02) 1234-5678, by day": "tel:0212345678",
  "010-1234-5678은 밤에도 받습니다": "tel:01012345678",
  "See https://help.example/a?b=1#c.": "https://help.example/a?b=1#c",
  "(https://help.example:8080/a/)": "https://help.example:8080/a/",
  "https://help.example에서": "https://help.example",
};

for (const [text, link] of Object.entries(LINKS)) {
  test(`${text} has one link`, () => {
    assert.deepEqual(contacts(text).flatMap(([, href]) => href ?? []), [link]);
  });
}

test("nothing else becomes a link", () => {
  const text = "javascript:alert(1) http://a.example data:text/html,x //a.example file:///etc, 000, 2024-05-06, 01.02.2024, "
    + "1234567890, 0,000,000,000 won, 0123/4567890, @somebody, a@b, <a href='https:'>";
  assert.deepEqual(contacts(text), [[text]]);
});

test("what is between the links stays as it is", () => {
  const text = "Ada: ada@a.example\nBob: 0123 456 789\nor nobody";
  assert.equal(contacts(text).map(([shown]) => shown).join(""), text);
});
