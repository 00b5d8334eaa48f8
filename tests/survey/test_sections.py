"""Sections of a survey, how many of them a person is asked, and what is published of them."""

import json

import pytest

from survey.fields import DefinitionError
from survey.publication import publish, section_columns
from survey.read_definition import parse
from survey.read_publication import load

HEAD = """
candor = {version}
slug = "work"
languages = ["en"]
{asked}
[title]
en = "Work"
[information]
en = "A university asks."
[consent]
en = "I take part."
"""


def question(name, table="questions"):
    return f"""
[[{table}]]
id = "{name}"
mechanism = "spinner_coin"
epsilon = 1.0
[{table}.wording]
en = "Did you do {name}?"
"""


def section(name, *questions, more=""):
    inner = "".join(question(each, "sections.questions") for each in questions)
    return f'[[sections]]\nid = "{name}"\n{more}\n{inner}'


def survey(*parts, asked=None, version=2):
    return HEAD.format(version=version, asked="" if asked is None else f"asked = {asked}") + "".join(parts)


def refused(text):
    with pytest.raises(DefinitionError) as caught:
        parse(text, "work.toml")
    return [str(problem) for problem in caught.value.problems]


NAMES = [f"q{index}" for index in range(120)]
PAIRS = (section("pay", "late", "never"), section("hours", "nights"), section("age", "old"))


def test_sections_are_read_with_their_questions():
    definition = parse(survey(*PAIRS, asked=2), "work.toml")
    assert [each.id for each in definition.sections] == ["pay", "hours", "age"]
    assert [each.id for each in definition.questions] == ["late", "never", "nights", "old"]
    assert (definition.asked, definition.sets, definition.samples) == (2, 3, True)
    assert definition.sections_asked == 2


def test_the_sections_that_one_person_is_asked_hold_those_of_everybody():
    always = section("about", "you", more="always = true")
    assert parse(survey(always, *PAIRS, asked=2), "work.toml").sections_asked == 3
    assert parse(survey(always, *PAIRS), "work.toml").sections_asked == 4


def test_questions_without_sections_are_a_section_each():
    definition = parse(survey(question("late"), question("old"), asked=1), "work.toml")
    assert [each.id for each in definition.sections] == ["late", "old"]
    assert definition.sets == 2


def test_a_file_with_sections_is_written_back_as_it_is():
    definition = parse(survey(*PAIRS, asked=2), "work.toml")
    assert parse(definition.as_toml(), "again") == definition
    assert definition.as_dict()["candor"] == 2


@pytest.mark.parametrize("version", [1, 2])
def test_a_survey_without_sections_keeps_the_bytes_of_the_first_format(version):
    publication = publish(parse(survey(question("late"), version=version), "work.toml"))
    table = json.loads(publication.json)
    assert table["candor"] == 1
    assert not table.keys() & {"sections", "asked"}
    assert [column.codes for column in publication.columns.values()] == [2]


def test_what_is_drawn_has_a_code_for_not_asked_and_what_is_always_asked_has_none():
    always = section("pay", "late", more="always = true")
    publication = publish(parse(survey(always, *PAIRS[1:], asked=1), "work.toml"))
    codes = {name: column.not_asked_code for name, column in publication.columns.items()}
    assert codes == {"late": None, "nights": 2, "old": 2}
    assert [list(columns) for _, columns in section_columns(publication)] == [["late"], ["nights"], ["old"]]


def test_where_everybody_is_asked_everything_nothing_is_drawn():
    publication = publish(parse(survey(*PAIRS, asked=3), "work.toml"))
    assert not any(column.drawn for column in publication.columns.values())
    assert publication.definition.sets == 1


def test_a_publication_with_sections_is_read_back():
    publication = publish(parse(survey(*PAIRS, asked=2), "work.toml"))
    assert load(publication.json).definition == publication.definition
    assert load(publication.json).columns == publication.columns


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (survey(*PAIRS, asked=0), "asked must be a whole number from 1 to 3, got 0"),
        (survey(*PAIRS, asked=4), "asked must be a whole number from 1 to 3, got 4"),
        (survey(*PAIRS, asked="true"), "asked must be a whole number from 1 to 3, got True"),
        (
            survey(section("pay", "late", more="always = true"), asked=1),
            "asked must be absent: every section is asked always, got 1",
        ),
        (
            survey(*map(question, NAMES[:40]), asked=20),
            "asked must be a number that leaves at most 1048576 sets of sections "
            "(now 137846528820 sets of 20 out of 40), got 20",
        ),
        (
            survey(section("pay"), section("hours", "nights")),
            "sections[0].questions is missing; it must be a list of 1 to 100 tables",
        ),
        (
            survey(section("pay", "late"), section("pay", "nights")),
            "sections[1].id must be used by no other section, got 'pay'",
        ),
        (
            survey(section("pay", "late"), section("hours", "late")),
            "sections[1].questions[0].id must be used by no other question or column, got 'late'",
        ),
        (
            survey(section("pay", "late"), section("B", "nights")),
            "sections[1].id must be 1 to 40 lower-case letters, digits and underscores "
            "that start with a letter, got 'B'",
        ),
        (
            survey(section("pay", "late"), section("hours", "nights", more='alway = "yes"')),
            "sections[1].alway must be absent (known keys here: always, id, introduction, linked, questions, "
            "title), got 'yes'",
        ),
        (
            survey(*PAIRS, asked=1, version=1),
            "candor must be 2, the version of this format that has sections, asked, quick_exit, got 1",
        ),
        (
            survey(section("many", *NAMES[:60]), section("more", *NAMES[60:])),
            "sections must be few enough for 100 questions, got 120",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(text, problem):
    assert problem in refused(text)


def test_questions_stand_in_their_sections_or_there_are_none():
    with pytest.raises(DefinitionError, match="questions must be absent: the questions stand in their sect"):
        parse(survey(question("late"), *PAIRS), "work.toml")


def limited(asked, limit):
    text = survey(*PAIRS, asked=asked).replace("[title]", f"[budget]\nlimit = {limit}\n[title]")
    return publish(parse(text, "work.toml"))


def test_the_limit_is_compared_with_what_one_person_is_asked_at_most():
    assert limited(1, 2.0).budget.epsilon == pytest.approx(2, abs=1e-6)
    with pytest.raises(
        DefinitionError, match=r"at least 3\.0, the epsilon of the sections that one person is"
    ):
        limited(2, 2.9)


def test_a_survey_of_one_question_each_costs_what_one_question_costs():
    ten = publish(parse(survey(*map(question, NAMES[:10]), asked=1), "work.toml"))
    assert ten.budget.epsilon == pytest.approx(1, abs=1e-6)
    all_of_them = publish(parse(survey(*map(question, NAMES[:10]), asked=10), "work.toml"))
    assert all_of_them.budget.epsilon == pytest.approx(10, abs=1e-5)
