"""Hostile text in every field of the editor: it comes back as it was typed, and no page runs it."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import cycle

import pytest
from page_fields import whole

from server.forms.editor import draft_form
from server.forms.shape import texts_in

ADDRESS = "/admin/surveys/health"
SCRIPT = "<script>alert(1)</script>"
STRINGS = [
    SCRIPT,
    f"</textarea>{SCRIPT}",
    f"</title>{SCRIPT}",
    f"--></style>{SCRIPT}",
    f"</script>{SCRIPT}",
    f"]]>{SCRIPT}",
    "<!--",
    "<img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onfocus=alert(1) autofocus='",
    '" onfocus=alert(1) autofocus="',
    "` onfocus=alert(1)",
    "<svg/onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href='javascript:alert(1)'>here</a>",
    "[here](javascript:alert(1))",
    "![x](data:text/html,alert(1))",
    "<form action=//evil.example><button>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>",
    "<link rel=stylesheet href=//evil.example>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;",
    "&amp;&quot;&apos;",
    "{{ 7 * 7 }}{% raw %}",
    "{0.__class__}{n}%(n)s%s${x}",
    "{spoken}{what}{number}",
    "=1+1",
    '=HYPERLINK("http://evil.example")',
    "+1+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(1)",
    "'; DROP TABLE surveys; --",
    '" OR 1=1 --',
    "\\'; \\x00 \\u0000",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "\u202eevil\u202c",
    "\u2066isolated\u2069 \u200f\u200e",
    "\u0645\u0631\u062d\u0628\u0627 abc 123",
    "\u200b\u200c\u200d\ufeff-",
    "e\u0301\u0323" * 20,
    "Z\u0351\u036b\u0343\u036a\u0302" * 10,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308",
    "\ufffd\ufffe\uffff",
    "line\none\n\ntwo\ttab",
    "\x01\x02\x1b[31m\x7f\x85",
    "1e309",
    "٣٫٥",
    "x" * 70_000,
]
"""Scripts, attributes, markup, templates, formulas, statements, paths, directions, controls and numbers."""

TEXTS = {"en": "", "ko": ""}
QUESTION = {"kind": "choice", "mechanism": "exponential", "ordered": True, "options": [TEXTS] * 2}
KEPT = ("basis", "add_kind", "respondents", "uid", "languages_")
"""Fields of the form in which nobody types."""


def filled(strings, place=0):
    """What may be typed into the editor: these strings in its fields, one after the other."""
    form = draft_form(("en", "ko"))(data={"questions": [QUESTION] * 2, "sections": [{}]})
    following = cycle(strings[place:] + strings[:place])

    def put(data):
        if isinstance(data, dict):
            return {name: put(each) for name, each in data.items() if name not in KEPT}
        if isinstance(data, list):
            return [put(each) for each in data]
        return data if isinstance(data, bool) else next(following)

    typed = put(form.data)
    shape = {"kind": "choice", "mechanism": "exponential", "section": "0", "matrix": ""}
    questions = [row | shape for row in typed["questions"]]
    return typed | {"languages_": ["en", "ko"], "step": "50", "questions": questions}


class Markup(HTMLParser):
    """The elements of a page, with the names of their attributes, but for what marks a field as wrong."""

    def __init__(self, page):
        super().__init__()
        self.found = set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found |= {tag, *(f"{tag} {name}" for name, _ in attributes if not name.startswith("aria-"))}
        self.found |= {value for name, value in attributes if name == "href" and "script:" in (value or "")}


def typed_in(fields):
    """Name -> text, without the space around it, which the editor drops."""
    return {name: text.strip() for name, text in fields.items() if not name.startswith("languages")}


@pytest.fixture
def send(admin, editor):
    """Save as the editor's script does."""
    page = admin.get(ADDRESS).text
    headers = {
        "X-CSRFToken": re.search(r'csrf_token" value="([^"]+)"', page)[1],
        "Accept-Language": "en",
    }
    basis = [re.search(r'name="basis" value="([^"]*)"', page)[1]]

    def send(typed):
        body = {"basis": basis[0], "typed": typed}
        answer = admin.client.post(f"{ADDRESS}/autosave", json=body, headers=headers)
        basis[0] = answer.json.get("basis", basis[0])
        return answer

    return send


def test_there_are_fifty_and_every_text_field_of_the_form_gets_them():
    assert len(set(STRINGS)) == len(STRINGS) == 50
    fields = {re.sub(r"-\d+", "", name) for name, text in texts_in(filled([SCRIPT])) if text == SCRIPT}
    assert len(fields) >= 35
    some = {"slug", "title-ko", "questions-options-en", "questions-utility", "sections-introduction-en"}
    assert some <= fields


def test_what_the_script_saves_comes_back_as_typed_and_runs_nowhere(send, admin):
    assert send(filled(["harmless"])).status_code == 200
    usual = Markup(admin.get(ADDRESS).text).found
    for number in range(len(STRINGS)):
        typed = filled(STRINGS, number)
        answer = send(typed)
        assert (answer.status_code, answer.json["ready"]) == (200, False)
        page = admin.get(ADDRESS).text
        assert Markup(page).found - usual == set()
        shown = typed_in(whole(page))
        for name, text in typed_in(dict(texts_in(typed))).items():
            assert (name, shown[name]) == (name, text)


def test_the_lists_of_faults_run_nothing(send, admin):
    send(filled(["harmless"]))
    pages = [f"{ADDRESS}/open", ADDRESS, "/admin"]
    usual = [Markup(admin.get(page).text).found for page in pages]
    for number in range(0, len(STRINGS), 10):
        send(filled(STRINGS, number))
        for page, before in zip(pages, usual, strict=True):
            assert Markup(admin.get(page).text).found - before == set()


def test_what_a_form_sends_comes_back_as_typed_also_where_others_were_first(editor, admin):
    usual = None
    for number, strings in enumerate([["harmless"], *[STRINGS] * 5]):
        typed = typed_in(dict(texts_in(filled(strings, 10 * number % len(strings)))))
        fields = {"languages": ["en", "ko"], "questions-0-ordered": "y", "questions-1-ordered": "y", **typed}
        basis = re.search(r'name="basis" value="([^"]*)"', admin.get(ADDRESS).text)[1]
        kept = admin.post(ADDRESS, basis=basis, action="save", **fields)
        later = admin.post(ADDRESS, basis="0" * 32, action="save", **(fields | {"title-en": "another"}))
        gone = admin.post("/admin/surveys/none", page=ADDRESS, action="save", **fields)
        answers = (kept, later, gone)
        assert [each.status_code for each in answers] == [422, 409, 404]
        assert typed_in(whole(kept.text)).items() >= typed.items()
        mine = re.search(r'name="mine" hidden>\n(.*?)</textarea>', gone.text, re.DOTALL)[1]
        assert dict(texts_in(json.loads(unescape(mine)))).items() >= typed.items()
        found = [Markup(each.text).found for each in answers]
        usual = usual or found
        assert [one - other for one, other in zip(found, usual, strict=True)] == [set()] * 3


@pytest.mark.parametrize("sign", ["\0", "a\0b"])
def test_nul_is_refused_with_the_name_of_the_field_and_nothing_is_stored(send, editor, draft, sign):
    before = draft()
    sentence = "of “Question 1, Wording (English)” cannot be stored (U+0000). Remove it."
    answer = send({"questions": [{"wording": {"en": sign}}]})
    assert (answer.status_code, sentence in answer.json["text"]) == (422, True)
    form = editor.save(**{"questions-0-wording-en": sign, "title-en": "Typed"})
    assert (form.status_code, sentence in form.text, whole(form.text)["title-en"]) == (422, True, "Typed")
    assert draft() == before


def test_four_megabytes_are_refused_and_nothing_is_stored(send, editor, draft):
    before = draft()
    assert send({"title": {"en": "x" * 4_000_000}}).status_code == 413
    assert editor.save(**{"title-en": "x" * 4_000_000}).status_code == 413
    assert draft() == before
