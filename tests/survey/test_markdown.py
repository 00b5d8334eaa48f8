"""Marks in texts: what is read of Markdown, what stays as it is, and texts that are made to break it."""

import json

import pytest

from survey import markdown
from survey.definition import TEXTS
from survey.fields import DefinitionError
from survey.limits import LONGEST_HELP, LONGEST_TEXT
from survey.markdown import LONGEST, MOST_NODES, Marked, TooManyMarks, escaped, marked, plain_text, source
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.read_publication import load
from survey.section import TEXTS as TEXTS_OF_A_PART

PLAIN = [
    "Have you ever copied?",
    "2 * 3 * 4, a_name_of_mine and 50 % [sic] \\ or",
    "2024. 3. 5. 기준으로 답해 주세요.",
    "Two lines\nand one more\n\nand a paragraph",
    "<b onclick='x()'>no</b> <!-- nothing --> &amp; `code` # no heading > no quote",
    "# No heading",
    "    no code",
    "![no picture](data:image/png;base64,AAAA)",
    "[no](javascript:alert(1)) [no](http://example.org) [no](data:text/html,x) [no](//example.org)",
    "[no](JAVASCRIPT:alert(1)) [no](vbscript:x) [no](file:///etc/passwd) <https://example.org>",
    "* * *",
    "- ",
    "*" * 5000,
    "[" * 5000,
]


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: text[:20])
def test_a_text_without_marks_is_the_string_that_was_written(text):
    assert type(marked(text)) is str
    assert marked(text) == text


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("Have you *ever* copied?", [["p", "Have you ", ["em", "ever"], " copied?"]]),
        ("**한 번이라도** 했습니까?", [["p", ["strong", "한 번이라도"], " 했습니까?"]]),
        ("***both***", [["p", ["em", ["strong", "both"]]]]),
        (r"\*sic\*", [["p", "*sic*"]]),
        ("Of\n\n- one\n- *two*", [["p", "Of"], ["ul", ["li", "one"], ["li", ["em", "two"]]]]),
        ("1. one\n2. two\n   - inner", [["ol", ["li", "one"], ["li", "two", ["ul", ["li", "inner"]]]]]),
        ("[ours](https://example.org/a?b=1)", [["p", ["a", "https://example.org/a?b=1", "ours"]]]),
        ("[write](mailto:a@example.org)", [["p", ["a", "mailto:a@example.org", "write"]]]),
        ("[](https://example.org)", [["p", ["a", "https://example.org", "https://example.org"]]]),
        ("*<script>*", [["p", ["em", "<script>"]]]),
    ],
)
def test_marks_become_a_tree(text, nodes):
    assert marked(text).nodes == nodes
    assert source(marked(text)) == text


def test_a_text_with_marks_reads_as_the_plain_text_wherever_none_are_shown():
    text = marked("Of **these**:\n\n1. one\n2. [two](https://example.org)")
    assert text == "Of these:\n\n1. one\n2. two"
    assert json.dumps({"text": text}) == json.dumps({"text": plain_text(text.nodes)})


BOMBS = {
    "emphasis within emphasis": "*a **b " * 300 + "b** a*" * 300,
    "lists within lists": "- " * 2500,
    "deeper and deeper": "".join(" " * (2 * n) + "- a\n" for n in range(60)),
    "a thousand items": "- a\n" * 1200,
    "a thousand words": "*a* " * 1200,
    "links": "*[x](https://a)* " * 290,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_too_many_marks_are_refused(bomb):
    with pytest.raises(TooManyMarks, match=f"at most {MOST_NODES} marks"):
        marked(BOMBS[bomb])


def test_what_is_too_long_for_any_text_is_not_parsed(monkeypatch):
    assert max(*TEXTS.values(), *TEXTS_OF_A_PART.values(), LONGEST_TEXT, LONGEST_HELP) <= LONGEST // 2
    longest = "*a*" + "b" * (LONGEST - 3)
    assert isinstance(marked(longest), Marked)
    monkeypatch.setattr(markdown, "parse_tree", None)
    assert marked(longest + "b") == longest + "b"  # two million characters take minutes


ODD = {
    "brackets": "[a](" * 1250,
    "brackets that close": "[" * 2500 + "]" * 2500,
    "an address that does not end": "[a](" + "(" * 4900,
    "backslashes": "\\" * 5000,
    "underscores": "a_" * 2500,
    "a right-to-left override": "[evil\u202etxt.exe](https://example.org) *\u202e*",
    "a NUL": "*\x00* [a](https://example.org/\x00)",
    "surrogates of a kind": "*\U0010ffff*",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_read_and_come_back(name):
    text = marked(ODD[name])
    assert source(text) == ODD[name]
    assert "javascript" not in json.dumps(getattr(text, "nodes", []))


@pytest.mark.parametrize(
    "text", ["*sic*", "- a\n- b", "1. x\n2) y", "a\\*b", "[x](https://a.b)", *BOMBS.values()]
)
def test_what_was_written_before_there_were_marks_stays_as_it_is(text):
    assert " ".join(marked(escaped(text)).split()) == " ".join(text.split())
    assert escaped("2 * 3") == "2 * 3"


TEXT = {"en": "Text"}
WORDING = {"en": "Have you *ever* copied?"}
INFORMATION = {"en": "**Who** asks:\n\n- us\n- [them](https://example.org/)"}
QUESTION = {"id": "q", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": WORDING}


def read(version=3, question=QUESTION, **more):
    table = {"candor": version, "slug": "a", "languages": ["en"], "title": TEXT, "information": INFORMATION}
    return from_dict(table | {"consent": TEXT, "questions": [question]} | more, "here")


def test_marks_come_back_from_the_file_and_from_the_publication():
    definition = read()
    published = publish(definition)
    assert definition.questions[0].wording == {"en": "Have you ever copied?"}
    assert json.loads(published.json)["nodes"][WORDING["en"]] == [
        ["p", "Have you ", ["em", "ever"], " copied?"]
    ]
    assert parse(definition.as_toml(), "again").as_toml() == definition.as_toml()
    again = load(published.json)
    assert again.definition.as_dict() == definition.as_dict()
    assert publish(again.definition).json == published.json


def test_files_of_older_versions_are_never_parsed():
    definition = read(version=1)
    assert definition.questions[0].wording == WORDING
    assert definition.format == 1
    assert b'"nodes"' not in publish(definition).json


def test_a_survey_without_marks_has_no_trees_and_an_older_version():
    definition = read(question=QUESTION | {"wording": TEXT}, information=TEXT)
    assert definition.format == 1
    assert b'"nodes"' not in publish(definition).json


def test_titles_and_options_stay_as_they_are_written():
    choice = QUESTION | {"kind": "choice", "mechanism": "wheel", "options": [{"en": "*a*"}, {"en": "- b"}]}
    definition = read(question=choice, title={"en": "*Title*"})
    assert definition.title["en"] == "*Title*"
    assert [option["en"] for option in definition.questions[0].options] == ["*a*", "- b"]


def test_too_many_marks_are_named_with_their_place():
    with pytest.raises(DefinitionError, match=r"information\.en must be a text with at most 400 marks"):
        read(information={"en": BOMBS["a thousand items"]})


@pytest.mark.parametrize(
    "nodes",
    [
        [["script", "alert(1)"]],
        [["p", ["a", "javascript:alert(1)", "x"]]],
        [["a", "https://example.org/", "x"]],
        [["p", 1]],
        "p",
        {"p": 1},
        [["p", ["em", ["em", ["em", ["em", ["em", ["em", ["em", ["em", ["em"]]]]]]]]]]],
    ],
)
def test_a_published_tree_that_no_text_has_is_refused(nodes):
    text = publish(read()).json.decode()
    right = json.dumps([["p", "Have you ", ["em", "ever"], " copied?"]], separators=(",", ":"))
    assert right in text
    with pytest.raises(DefinitionError):
        load(text.replace(right, json.dumps(nodes, separators=(",", ":"))).encode())


def test_a_tree_of_a_text_that_is_not_there_is_refused():
    text = publish(read()).json.decode()
    with pytest.raises(DefinitionError, match=r"the texts\.nodes must be"):
        load(text.replace('"nodes":{', '"nodes":{"*":[],').encode())
    with pytest.raises(DefinitionError):
        load(text.replace('"nodes":{', '"nodes":[],"noten":{').encode())


def test_a_marked_text_is_a_text():
    assert isinstance(marked("*a*"), Marked)
    assert marked("*a*") in {"a"}
