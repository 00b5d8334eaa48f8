"""A row answers a set of sections that a draw can give, or what is wrong with it is named."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.asked_sections import asked_columns, set_faults
from survey.publication import publish
from survey.read_definition import from_dict

TEXT = {"en": "?"}
ASKED = 2


def coin(name, **more):
    return {"id": name, "mechanism": "coin", "wording": TEXT, **more}


def section(name, *questions, **more):
    return {"id": name, "questions": [coin(question) for question in questions], **more}


SECTIONS = [
    section("about", "old", always=True),
    section("pay", "late", "never"),
    section("hours", "nights", "breaks"),
    section("house", "rent"),
]
DRAWN = {"pay": ("late", "never"), "hours": ("nights", "breaks"), "house": ("rent",)}
TABLE = {"candor": 2, "slug": "work", "languages": ["en"], "asked": ASKED, "sections": SECTIONS}
PUBLICATION = publish(from_dict(TABLE | dict.fromkeys(("title", "information", "consent"), TEXT), "work"))
NOT_ASKED = 2
ROWS = st.fixed_dictionaries(
    {name: st.integers(0, column.codes - 1) for name, column in PUBLICATION.columns.items()}
)


def row(*sections):
    """A row of somebody who was asked these sections, and answered 1 throughout."""
    asked = {"old"}.union(*(DRAWN[name] for name in sections))
    return {name: 1 if name in asked else NOT_ASKED for name in PUBLICATION.columns}


@pytest.mark.parametrize("drawn", [*itertools.combinations(DRAWN, ASKED)])
def test_every_set_that_can_be_drawn_is_taken(drawn):
    assert set_faults(PUBLICATION, row(*drawn)) == []


@pytest.mark.parametrize("drawn", [(), ("pay",), tuple(DRAWN)])
def test_another_number_of_sections_is_named_with_a_column_of_each(drawn):
    (fault,) = set_faults(PUBLICATION, row(*drawn))
    assert (fault.section, fault.columns) == (None, ("late", "nights", "rent"))


def test_a_section_that_is_answered_in_part_is_named_with_its_columns():
    (fault,) = set_faults(PUBLICATION, row("pay", "house") | {"breaks": 0})
    assert (fault.section, fault.columns) == ("hours", ("nights", "breaks"))


@given(ROWS)
def test_a_row_is_taken_exactly_if_some_draw_gives_it(codes):
    asked = {name for name, code in codes.items() if name == "old" or code != NOT_ASKED}
    possible = [
        {"old"}.union(*(DRAWN[name] for name in drawn)) for drawn in itertools.combinations(DRAWN, ASKED)
    ]
    assert (set_faults(PUBLICATION, codes) == []) is (asked in possible)
    assert asked_columns(PUBLICATION, codes) == asked


def test_a_survey_that_asks_everybody_everything_has_nothing_to_check():
    plain = publish(
        from_dict(TABLE | {"asked": 3} | dict.fromkeys(("title", "information", "consent"), TEXT), "w")
    )
    assert set_faults(plain, dict.fromkeys(plain.columns, 0)) == []
    assert asked_columns(plain, dict.fromkeys(plain.columns, 1)) == plain.columns.keys()
