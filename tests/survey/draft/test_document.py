"""A draft holds what was typed, right or wrong; its survey file holds what is right."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from survey.draft import (
    at_units,
    check,
    document_of,
    from_units,
    is_missing,
    read_draft,
    unit_hash,
    units,
)
from survey.draft.document import file_tables, nested, unit_at
from survey.draft.groups import regrouped
from survey.fields import DefinitionError
from survey.publication import publish
from survey.read_definition import from_dict

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


def test_a_question_that_names_no_kind_has_what_yes_or_no_has() -> None:
    plain = {"id": "last", "mechanism": "spinner", "epsilon": 1.0, "wording": {"en": "Last?"}}
    for more in ({"by_hand": "coin"}, {"matrix": "exams", "matrix_wording": {"en": "Is it so?"}}):
        assert file_tables(document_of(file(plain | more))) == file(plain | more)


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


def test_units_and_their_hashes_are_those_of_the_script() -> None:
    vectors = json.loads((Path(__file__).parents[2] / "vectors" / "draft.json").read_text())
    assert units(vectors["document"]) == vectors["units"]
    assert from_units(vectors["units"]) == vectors["document"]
    assert {unit: unit_hash(value) for unit, value in vectors["units"].items()} == vectors["hashes"]
    assert [[value, unit_hash(value)] for value, _ in vectors["values"]] == vectors["values"]


LINE = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "matrix": "exams"}
GROUP = [
    LINE | {"id": name, "options": [{"en": "No"}, {"en": "Yes"}], "wording": {"en": f"{name}?"}}
    for name in ("one", "two")
]
GROUP[0]["matrix_wording"] = {"en": "How much do you *agree*?"}
ALONE = {"id": "last", "kind": "yes_no", "mechanism": "coin", "wording": {"en": "Last?"}}


def file(*questions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the tables of a survey file with these questions outside of sections."""
    table = {key: value for key, value in FILE.items() if key not in ("sections", "asked")}
    return table | ({"questions": list(questions)} if questions else {}) | more


def test_a_group_comes_back_and_its_lines_have_what_stands_above_the_first() -> None:
    document = document_of(file(*GROUP, ALONE, asked=1))
    assert document["questions"][1]["matrix_wording"] == GROUP[0]["matrix_wording"]
    plain = [{"id": "one", "questions": GROUP}, {"id": "last", "questions": [ALONE]}]
    assert file_tables(document) == file(*GROUP, ALONE, asked=1)
    assert document_of(file(sections=plain)).keys() == document_of(file(*GROUP)).keys()


def test_what_is_wrong_with_a_scale_is_said_of_its_first_line_alone() -> None:
    document = document_of(file(*GROUP))
    for line in document["questions"]:
        line |= {"epsilon": "eleven", "options": [{"uid": "n00000000000a"}]}
    first, second = (line["uid"] for line in document["questions"])
    units_named = {problem.path for problem in at_units(document, check(document, "rest").problems)}
    assert {f"{first}.epsilon", f"{first}.options"} <= units_named
    assert not [unit for unit in units_named if unit.startswith(second)]


def test_sections_of_one_question_each_say_nothing_and_mean_the_same_without_them() -> None:
    questions = [ALONE | {"id": name} for name in "abc"]
    plain = file(sections=[{"id": each["id"], "questions": [each]} for each in questions], asked=2)
    document = document_of(plain)
    assert "sections" not in document
    published = publish(from_dict(check(document, "rest").table, "rest"))
    assert published.fingerprint == publish(from_dict(plain, "rest")).fingerprint


def test_what_a_draft_lacks_is_named_by_the_units_where_it_is_to_be_written() -> None:
    picture = {"sha256": "0" * 64, "type": "png", "width": 4, "height": 3}
    line = {key: value for key, value in GROUP[1].items() if key != "wording"}
    questions = [{"wording": {}, "picture": picture}, line, line | {"id": "three"}]
    sections = [{"id": "home", "title": {"en": "Home"}, "questions": []}, {"questions": questions}]
    table = {"languages": ["en", "ko"], "title": {"ko": "쉼"}, "sections": sections, "asked": 7}
    document = document_of(table)
    home, alone, first, other = (node["uid"] for node in document["sections"] + document["questions"])
    problems = at_units(document, check(document, "rest").problems)
    assert {problem.path for problem in problems} >= {
        "title.en", "information.en", "information.ko", "asked", f"{home}.questions",
        f"{alone}.id", f"{alone}.wording.en", f"{alone}.mechanism", f"{alone}.picture.alt.ko",
        f"{first}.matrix_wording.en", f"{first}.wording.ko", f"{other}.wording.ko",
    }  # fmt: skip
    assert {problem.path for problem in problems if not is_missing(problem)} == {"asked"}


def test_a_star_is_one_in_an_older_file_and_a_mark_in_the_version_that_has_them() -> None:
    older = document_of(
        {"candor": 1, "languages": ["en"], "questions": [ALONE | {"wording": {"en": "*sic*"}}]}
    )
    assert older["questions"][0]["wording"]["en"] == r"\*sic\*"
    assert file_tables(older)["candor"] == 3
    older["questions"][0]["wording"]["en"] = "Last?"
    assert file_tables(older)["candor"] == 1


def test_a_file_may_be_incomplete_but_not_wrong() -> None:
    text = 'candor = 3\nslug = "rest"\nlanguages = ["en"]\nkept_until = 2030-12-31\n'
    assert read_draft(text, "rest.toml", {"expected": 142}) == {
        "slug": "rest",
        "languages": ["en"],
        "kept_until": "2030-12-31",
        "expected": 142,
    }
    with pytest.raises(DefinitionError) as refused:
        read_draft(text + 'titel = "Rest"\n[results]\nstep = 0\n', "rest.toml", {})
    assert {problem.path for problem in refused.value.problems} == {"titel", "results.step"}
    with pytest.raises(DefinitionError, match=r"rest\.toml"):
        read_draft("candor = [", "rest.toml", {})
