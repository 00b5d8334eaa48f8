"""A draft holds what was typed, right or wrong; its survey file holds what is right."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from survey.draft import at_units, check, document_of, from_units, require_room, require_unit, units
from survey.draft.document import file_tables, nested, regrouped, unit_at
from survey.read_definition import from_dict
from survey.rules import Refusal

FILE: dict[str, Any] = {
    "candor": 3,
    "slug": "rest",
    "languages": ["en"],
    "title": {"en": "Rest"},
    "information": {"en": "Who asks, and *why*."},
    "consent": {"en": "I agree"},
    "asked": 1,
    "results": {"step": 10},
    "sections": [
        {
            "id": "home",
            "title": {"en": "At home"},
            "questions": [
                {
                    "id": "rent",
                    "kind": "number",
                    "mechanism": "hybrid",
                    "epsilon": 1.0,
                    "low": 0,
                    "high": 9,
                    "step": 1,
                },
                {
                    "id": "often",
                    "kind": "choice",
                    "mechanism": "wheel",
                    "epsilon": 1.5,
                    "options": [{"en": "Never"}, {"en": "Daily"}],
                },
            ],
        },
        {
            "id": "tired",
            "questions": [{"id": "tired", "kind": "yes_no", "mechanism": "spinner_coin", "epsilon": 1.0}],
        },
    ],
}
for section in FILE["sections"]:
    for question in section["questions"]:
        question["wording"] = {"en": f"{question['id']}?"}


def test_a_survey_file_comes_back_as_it_went_in() -> None:
    document = document_of(FILE)
    assert file_tables(document) == FILE
    assert from_units(units(document)) == document
    assert from_dict(check(document, "rest").table, "rest") == from_dict(FILE, "rest")


def test_what_was_typed_wrong_is_in_the_draft_and_never_in_its_file() -> None:
    document = document_of(FILE)
    document["questions"][0]["epsilon"] = "one"
    result = check(document, "rest")
    [problem] = at_units(document, result.problems)
    assert (problem.path, problem.value) == (f"{document['questions'][0]['uid']}.epsilon", "one")
    assert "epsilon" not in result.table["sections"][0]["questions"][0]
    assert "uid" not in str(result.table)
    assert document["questions"][0]["epsilon"] == "one"


def test_a_text_in_a_language_that_was_left_is_in_the_draft_alone() -> None:
    document = document_of(FILE)
    document["title"]["ko"] = "쉼"
    assert file_tables(document)["title"] == {"en": "Rest"}
    document["languages"].append("ko")
    assert file_tables(document)["title"] == {"en": "Rest", "ko": "쉼"}


def test_a_setting_of_another_mechanism_is_in_the_draft_alone() -> None:
    document = document_of(FILE)
    document["questions"][2]["mechanism"] = "coin"
    assert document["questions"][2]["epsilon"] == 1.0
    assert "epsilon" not in file_tables(document)["sections"][1]["questions"][0]


def test_a_file_that_takes_a_drafts_place_keeps_the_nodes_of_the_same_names() -> None:
    before = document_of(FILE) | {"expected": 142}
    table = deepcopy(FILE)
    table["sections"][0]["questions"][1]["options"].insert(0, {"en": "Hardly"})
    after = document_of(table, before)
    assert [node["uid"] for node in after["questions"]] == [node["uid"] for node in before["questions"]]
    assert after["questions"][1]["options"][1]["uid"] == before["questions"][1]["options"][1]["uid"]
    assert after["expected"] == 142


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("title.en", "title.en"),
        ("budget.limit", "budget.limit"),
        ("languages[0]", "languages"),
        ("sections", "sections"),
        ("sections[0].title.en", "HOME.title.en"),
        ("sections[0].questions[1].options[1].en", "OFTEN.OPTION.text.en"),
        ("sections[0].questions[1].options", "OFTEN.options"),
        ("sections[1].questions[0].epsilon", "TIRED.epsilon"),
        ("sections[1].id", None),
    ],
)
def test_a_path_of_the_file_is_a_unit_of_the_draft(path: str, unit: str | None) -> None:
    document = document_of(FILE)
    uids = {
        "HOME": document["sections"][0]["uid"],
        "OFTEN": document["questions"][1]["uid"],
        "OPTION": document["questions"][1]["options"][1]["uid"],
        "TIRED": document["questions"][2]["uid"],
    }
    for name, uid in uids.items():
        unit = unit and unit.replace(name, uid)
    assert unit_at(nested(document), path) == unit


def test_the_lines_of_a_group_have_the_scale_of_its_first() -> None:
    first = {"uid": "n00000000000a", "kind": "choice", "matrix": "scale_1", "epsilon": 1.0}
    line = {"uid": "n00000000000b", "kind": "choice", "matrix": "scale_1", "epsilon": 2.0, "size": 2}
    moved = {"uid": "n00000000000c", "kind": "choice", "matrix": "scale_1", "section": "n000000000001"}
    document = regrouped({"questions": [first, line, moved]})
    assert [node.get("epsilon") for node in document["questions"]] == [1.0, 1.0, None]
    assert "size" not in document["questions"][1]
    assert "matrix" not in document["questions"][2]


@pytest.mark.parametrize(
    ("unit", "value", "rule"),
    [
        ("titel.en", "x", "unit"),
        ("title", "x", "unit"),
        ("n00000000000a.title.en", "x", "unit"),
        ("title.en", 1, "unit_text"),
        ("title.en", "half \ud800", "unit_sign"),
        ("expected", True, "unit_number"),
        ("expected", float("nan"), "unit_number"),
        ("n00000000000a.ordered", 1, "unit_tick"),
        ("n00000000000a.utility", [[1, [2]]], "unit_table"),
        ("questions", ["n00000000000a"] * 2, "unit_uids"),
        ("n00000000000a", "answers", "unit_node"),
    ],
)
def test_what_no_editor_sends_is_refused(unit: str, value: object, rule: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_unit(unit, value, "questions")
    assert (refused.value.parameter, refused.value.rule) == (unit, rule)


def test_what_was_typed_in_place_of_a_number_is_kept() -> None:
    require_unit("n00000000000a.epsilon", "1,,5", "questions")


def test_a_list_has_room_for_so_many() -> None:
    many = {"questions": [{"uid": f"n{n:012x}"} for n in range(101)]}
    with pytest.raises(Refusal, match="at most 100"):
        require_room(many)


def test_units_are_those_that_the_script_finds() -> None:
    vectors = json.loads((Path(__file__).parents[2] / "vectors" / "draft.json").read_text())
    assert units(vectors["document"]) == vectors["units"]
    assert from_units(vectors["units"]) == vectors["document"]
