"""Hostile text in every field of a draft: it comes back as it was typed, and no page runs it."""

from html.parser import HTMLParser
from itertools import cycle

from draft_editor import words

from survey.draft import from_units, units
from survey.draft.shape import OF_NODE, OF_SURVEY

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

QUESTION, PART, OPTION = "n00000000000a", "n000000000001", "n0000000000a1"
FIXED = {
    "languages": ["en", "ko"],
    "sections": [PART],
    "questions": [QUESTION],
    PART: "sections",
    QUESTION: "questions",
    f"{QUESTION}.kind": "choice",
    f"{QUESTION}.mechanism": "exponential",
    f"{QUESTION}.section": PART,
    f"{QUESTION}.options": [OPTION],
    f"{QUESTION}.{OPTION}": "options",
}
"""Units in which nobody types."""

SHAPES = {"": OF_SURVEY, f"{PART}.": OF_NODE["sections"], f"{QUESTION}.": OF_NODE["questions"]}
SHAPES |= {f"{QUESTION}.{OPTION}.": OF_NODE["options"]}
TYPED = [
    unit
    for prefix, shape in SHAPES.items()
    for key, kind in shape.items()
    for unit in ([f"{prefix}{key}.{code}" for code in ("en", "ko")] if kind == "texts" else [prefix + key])
    if kind not in ("tick", "codes") and unit not in FIXED
]
"""Units in which a text may stand, right or wrong."""


def filled(strings, place=0):
    """Make a draft with these strings in its fields, one after the other."""
    return from_units(FIXED | dict(zip(TYPED, cycle(strings[place:] + strings[:place]), strict=False)))


class Markup(HTMLParser):
    """The elements of a page, with the names of their attributes, and links that run something."""

    def __init__(self, page):
        super().__init__()
        self.parts = set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.parts |= {tag, *(f"{tag} {name}" for name, _ in attributes)}
        self.parts |= {value for name, value in attributes if name == "href" and "script:" in (value or "")}


def test_there_are_fifty_and_every_field_of_a_draft_gets_them():
    assert len(set(STRINGS)) == len(STRINGS) == 50
    assert len(TYPED) >= 55
    some = {"slug", "title.ko", f"{QUESTION}.epsilon", f"{QUESTION}.utility", f"{PART}.introduction.en"}
    assert some <= units(filled([SCRIPT])).keys()


def test_what_is_typed_comes_back_as_it_is_and_runs_on_no_page(editor):
    def markup(page):  # one of the strings can be an address
        return Markup(editor.browser.get(page.format(editor.address)).text).parts

    editor.write(filled(["harmless"]))
    usual = {page: markup(page) for page in ("{}", "{}/open", "{}/copy", "/admin")}
    for number in range(0, len(STRINGS), 2):  # between its two languages, each text gets all of them
        answer = editor.write(filled(STRINGS, number))
        assert answer["ready"] is False
        assert editor.load().json["document"] == filled(STRINGS, number)
        for page in usual if number % 10 == 0 else ["{}"]:
            assert markup(page) - usual[page] == set()


def test_figures_are_trees_of_our_own_elements_whatever_the_texts_are(editor):
    def tags(tree):
        inner = [node for node in tree if not isinstance(node, str)]
        return {tag for tag, _, _ in inner}.union(*(tags(inside) for _, _, inside in inner), set())

    question = {"kind": "number", "mechanism": "hybrid", "epsilon": 0.5, "low": 0, "high": 9, "step": 1}
    usual = None
    for text in ("harmless", *STRINGS[:-1]):
        texts = {"wording": {"en": f"Did you {text}"}, "unit": {"en": text}}
        document = {"slug": "health", "questions": [{"uid": QUESTION, **question, **texts}]}
        answer = editor.preview(document, QUESTION)
        shown = answer["shown"][QUESTION]
        usual = usual or tags(shown["meaning"]) | tags(shown["wording"])
        assert tags(shown["meaning"]) <= usual
        if text.strip():
            assert text.strip() in words(shown["meaning"])


def test_what_two_have_typed_is_named_as_text(editor, colleague):
    for page, text in ((editor, SCRIPT), (colleague, f"</textarea>{SCRIPT}")):
        answer = page.send(page.change("title.en", text))
    [choice] = answer.json["conflicts"]
    assert (choice["mine"], choice["theirs"]) == (f"</textarea>{SCRIPT}", SCRIPT)
    assert answer.content_type == "application/json"
