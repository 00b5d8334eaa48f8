"""Advice on wording stands at the question, follows what is typed, and blocks nothing."""

import re
from html import unescape

import pytest

from server.language.catalogue import section

TEXTS = {"title-en": "Health", "information-en": "Who asks.", "consent-en": "Yes."}
QUESTION = {
    "questions-0-id": "drank",
    "questions-0-kind": "yes_no",
    "questions-0-mechanism": "spinner_coin",
    "questions-0-epsilon": "1",
}
ASKED = "Did you drink alcohol?"


def advised(text):
    return re.findall(r'data-wording="(\w+)">([^<]+)<', unescape(text))


@pytest.fixture
def live(editor):
    """Ask for the figures of the question as typed, as the page does while somebody types."""

    def live(**fields):
        address = f"{editor.address}/preview"
        return editor.post(address, page=editor.address, changed="all", **QUESTION, **fields).text

    return live


def test_it_stands_at_the_question_and_goes_when_the_question_is_reworded(editor):
    editor.save(**TEXTS, **QUESTION, **{"questions-0-wording-en": ASKED})
    assert advised(editor.page()) == [("time", section("en", "wording")["time"])]
    editor.save(**TEXTS, **QUESTION, **{"questions-0-wording-en": "Did you drink alcohol last week?"})
    assert advised(editor.page()) == []


def test_it_follows_what_is_typed(live):
    assert [code for code, _ in advised(live(**{"questions-0-wording-en": ASKED}))] == ["time"]
    assert advised(live(**{"questions-0-wording-en": ASKED, "questions-0-note-en": "Last week."})) == []
    both = live(**{"questions-0-wording-en": ASKED, "questions-0-wording-ko": "술을 마셨습니까?"})
    assert [words[-9:] for _, words in advised(both)] == ["(English)", " (Korean)"]


def test_a_line_of_several_on_one_scale_is_left_alone(live):
    assert advised(live(**{"questions-0-wording-en": ASKED, "questions-0-matrix": "habits"})) == []


def test_options_are_read_in_their_order(editor):
    number = {"questions-0-kind": "choice", "questions-0-mechanism": "wheel"}
    options = {"questions-0-options-0-en": "0-5", "questions-0-options-1-en": "5-9"}
    typed = {**QUESTION, **number, **options, "questions-0-wording-en": "How many?"}
    page = editor.post(f"{editor.address}/preview", page=editor.address, changed="all", **typed).text
    assert [code for code, _ in advised(page)] == ["overlap"]


def test_it_blocks_nothing(editor):
    saved = editor.save("open", **TEXTS, **QUESTION, **{"questions-0-wording-en": "Don't you think so?"})
    assert saved.location == "/admin/surveys/health/open"
    assert "Open for respondents" in editor.get(saved.location).text


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "=1+1", "\u202egnitirw", "a\0b", "x" * 900_000]
)
def test_whatever_is_typed_is_answered(live, text):
    page = live(**{"questions-0-wording-en": f"Did you {text}?"})
    assert "<script>alert" not in page
