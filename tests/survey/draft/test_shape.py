"""A draft holds right and wrong values alike, but nothing of which no page can make sense."""

from __future__ import annotations

import random
from typing import Any

import pytest
from random_edits import GROUPED

from survey.draft import (
    Change,
    at_units,
    check,
    from_units,
    merged,
    require_document,
    require_room,
    require_unit,
    unit_hash,
    units,
)
from survey.rules import Refusal

A, HOME, NEW = "n00000000000a", "n000000000001", "n0123456789ab"


@pytest.mark.parametrize(
    ("unit", "value", "rule"),
    [
        ("titel.en", "x", "unit"),
        ("title", "x", "unit"),
        ("n00000000000a.title.en", "x", "unit"),
        ("title.en", 1, "unit_text"),
        ("title.en", "half \ud800", "unit_sign"),
        ("title.en", "nul \0", "unit_sign"),
        ("expected", True, "unit_number"),
        ("expected", float("nan"), "unit_number"),
        ("n00000000000a.ordered", 1, "unit_tick"),
        ("n00000000000a.utility", [[1, [2]]], "unit_table"),
        ("questions", ["n00000000000a"] * 2, "unit_uids"),
        ("n00000000000a", "answers", "unit_node"),
        ("n00000000000a.n00000000000b", "questions", "unit_options"),
    ],
)
def test_what_no_editor_sends_is_refused(unit: str, value: object, rule: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_unit(unit, value, "questions")
    assert (refused.value.parameter, refused.value.rule) == (unit, rule)


@pytest.mark.parametrize(
    "unit", [f"{HOME}.options", f"{HOME}.{A}", f"{HOME}.{A}.text.en", f"{HOME}.mechanism"]
)
def test_a_section_has_nothing_that_questions_have(unit: str) -> None:
    with pytest.raises(Refusal):
        require_unit(unit, None, "sections")


def test_what_was_typed_in_place_of_a_number_is_kept() -> None:
    require_unit("n00000000000a.epsilon", "1,,5", "questions")


def test_a_list_has_room_for_so_many() -> None:
    many = {"questions": [{"uid": f"n{n:012x}"} for n in range(101)]}
    with pytest.raises(Refusal, match="at most 100"):
        require_room(many)


@pytest.mark.parametrize(
    "document",
    [
        {"titel": {"en": "x"}},
        {"questions": {}},
        {"questions": [{"id": "no uid"}]},
        {"questions": [{"uid": A}, {"uid": A}]},
        {"questions": [{"uid": A}], "sections": [{"uid": A}]},
        {"questions": [{"uid": A, "options": [{"uid": NEW}] * 2}]},
        {"questions": [{"uid": A, "options": [None]}]},
    ],
    ids=str,
)
def test_what_no_draft_is_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        require_document(document)


def test_the_lines_of_a_group_have_the_same_options() -> None:
    require_document(GROUPED)


VALUES = (None, "", "x", 0, -1.5, 1e-6, True, False, [], ["en"], ["q", "<b>"], [[1, 2], [3, "x"]], [A, NEW])
KEYS = (
    "id",
    "kind",
    "mechanism",
    "matrix",
    "section",
    "utility",
    "options",
    "wording.en",
    "text.ko",
    "title.en",
)


def change(draw: random.Random, whole: dict[str, Any]) -> Change:
    """Draw a change of something that is there, or that may be there, to anything."""
    node = draw.choice([*filter(lambda unit: unit[0] == "n", whole), NEW]).split(".")[:2]
    unit = draw.choice([*whole, NEW, f"{node[0]}.{NEW}", *(f"{'.'.join(node)}.{key}" for key in KEYS)])
    values = [*VALUES, "questions", "sections", "options", "choice", "scale_1", HOME, whole.get(unit)]
    return Change(unit, unit_hash(whole.get(unit)), draw.choice(values), draw.choice([None, A, NEW]))


def test_whatever_is_not_refused_makes_a_draft_that_can_be_checked_and_sent_again() -> None:
    draw, taken = random.Random(1), 0
    document: dict[str, Any] = GROUPED
    for _ in range(2000):
        drawn = change(draw, units(document))
        kinds = {node["uid"]: name for name in ("sections", "questions") for node in document.get(name, [])}
        try:
            require_unit(drawn.unit, drawn.now, kinds.get(drawn.unit.partition(".")[0]))
        except Refusal:
            continue
        result = merged(document, [drawn])
        taken += not result.conflicts
        require_document(result.document)
        assert from_units(units(result.document)) == result.document, drawn
        checked = check(result.document, "here")
        at_units(result.document, checked.problems)
        assert not check(result.document | {"questions": []}, "here").publication
        document = result.document if taken % 50 else GROUPED
    assert taken > 300
