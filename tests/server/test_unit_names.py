"""Every unit of a draft has a name to be told by, in both languages."""

import re

import pytest

from server.drafts.unit_names import unit_name
from survey.draft.shape import OF_NODE, OF_SURVEY
from survey.draft.units import LISTS

QUESTION, PART, OPTION = "n00000000000a", "n000000000001", "n0000000000a1"
DRAFT = {
    "sections": [{"uid": PART, "title": {"ko": "집에서"}}],
    "questions": [
        {"uid": "n00000000000b"},
        {"uid": QUESTION, "id": "tired", "options": [{"uid": "n0000000000a2"}, {"uid": OPTION}]},
    ],
}
OWNERS = {"": OF_SURVEY, f"{PART}.": OF_NODE["sections"], f"{QUESTION}.": OF_NODE["questions"]}
UNITS = [
    f"{owner}{key}.en" if kind == "texts" else owner + key
    for owner, shape in OWNERS.items()
    for key, kind in shape.items()
]


@pytest.fixture
def name(constant_app):
    """Say what a unit is called in a language."""

    def name(unit, language="en"):
        with constant_app.test_request_context(headers={"Accept-Language": language}):
            return unit_name(DRAFT, unit)

    return name


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("unit", [*UNITS, *LISTS, f"{QUESTION}.options", f"{PART}.questions"])
def test_every_unit_has_a_name_of_words(name, unit, language):
    called = name(unit, language).rpartition(", ")[2]
    assert called != unit.removeprefix(f"{QUESTION}.").removeprefix(f"{PART}.")
    assert not re.search(r"[a-z][_.][a-z]", called)


def test_a_unit_of_a_node_has_its_number_and_a_text_its_language(name):
    assert name(f"{QUESTION}.wording.ko") == "Question 2, Wording (Korean)"
    assert name(f"{QUESTION}.{OPTION}.text.en") == "Question 2, Option 2 (English)"
    assert name(f"{PART}.title.en") == "Part 1, Title (English)"
    assert (name(QUESTION), name(PART, "ko")) == ("Question 2: tired", "영역 1: 집에서")
    assert name("n00000000000c.epsilon") == "Question 3, Epsilon"
