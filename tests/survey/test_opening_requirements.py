"""Who asks, how to reach them and until when data is kept: optional in a file, needed when a survey opens."""

from datetime import date

import pytest

from survey.fields import DefinitionError
from survey.opening_requirements import unready
from survey.publication import publish
from survey.read_definition import from_dict, parse

TEXT = {"en": "A text", "ko": "글"}
QUESTION = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
AROUND = {"candor": 1, "slug": "exams", "languages": ["en", "ko"], "questions": [QUESTION]}
BARE = AROUND | dict.fromkeys(("title", "information", "consent"), TEXT)
TOLD = {"organisation": TEXT, "contact": TEXT, "kept_until": "2030-12-31"}
EARLIEST = date(2026, 5, 4)


def lacks(**changed):
    return [problem.path for problem in unready(BARE | TOLD | changed, EARLIEST)]


def test_a_file_may_leave_them_out_and_a_survey_that_opens_may_not():
    assert from_dict(BARE, "here").kept_until is None
    asker = ["organisation.en", "organisation.ko", "contact.en", "contact.ko"]
    assert [problem.path for problem in unready(BARE, EARLIEST)] == [*asker, "kept_until"]
    assert lacks() == []


@pytest.mark.parametrize(
    "blank",
    ["[your organisation and contact]", "[기관 이름과 연락처]", " [ ] ", "[x] [y]", "[contact], Hill"],
)
def test_what_a_template_leaves_blank_is_missing(blank):
    assert lacks(organisation=TEXT | {"ko": blank}) == ["organisation.ko"]
    assert lacks(contact=TEXT | {"ko": "kim [at] hill.example"}) == []
    assert lacks(help={"en": "Advice: [help contact]", "ko": "상담: 109"}) == ["help.en"]
    assert lacks(help={"en": "Advice: [a page](https://help.example)", "ko": "상담: 109"}) == []


@pytest.mark.parametrize("written", ["2026-05-03", date(2026, 5, 3)])
def test_data_is_kept_until_a_day_that_is_still_to_come(written):
    (problem,) = unready(BARE | TOLD | {"kept_until": written}, EARLIEST)
    told = "kept_until must be 2026-05-04 or a later day before the survey is opened, got '2026-05-03'"
    assert str(problem) == told
    assert lacks(kept_until="2026-05-04") == []


def test_every_form_of_a_survey_has_them_and_says_when_results_are_shown():
    definition = from_dict(BARE | TOLD, "here")
    assert definition.as_dict() | TOLD | {"outcome": "after"} == definition.as_dict()
    assert b'"kept_until":"2030-12-31"' in publish(definition).json
    assert b'"outcome":"after"' in publish(definition).json
    assert parse(definition.as_toml(), "again") == definition
    assert from_dict(BARE | {"outcome": "before"}, "here").as_dict()["outcome"] == "before"
    assert from_dict(BARE | {"kept_until": date(2030, 12, 31)}, "here").kept_until == date(2030, 12, 31)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kept_until": "2030-02-30"}, "kept_until must be a date from 0001-01-01 .*, got '2030-02-30'"),
        ({"kept_until": 2030}, "kept_until must be a date .*, got 2030"),
        ({"outcome": "later"}, "outcome must be one of after, before, got 'later'"),
        ({"contact": {"en": "a"}}, "contact.ko is missing; it must be a text of 1 to 200 characters"),
        ({"organisation": TEXT | {"en": "a" * 201}}, "organisation.en must be a text of 1 to 200 characters"),
    ],
)
def test_what_they_cannot_be_is_named(changed, said):
    with pytest.raises(DefinitionError, match=said):
        from_dict(BARE | changed, "here")
