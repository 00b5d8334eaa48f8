"""A survey file: what it may hold, and how it is refused."""

import json
import math

import pytest

from survey.fields import DefinitionError
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.read_publication import load

SURVEY = """
candor = 1
slug = "exam-habits"
languages = ["en", "ko"]
title = { en = "Exam habits", ko = "시험 습관" }
information = { en = "Who asks, and why.", ko = "누가, 왜 묻는지." }
consent = { en = "I take part.", ko = "참여합니다." }

[[questions]]
id = "copied"
mechanism = "spinner_coin"
epsilon = 1.0
wording = { en = "Have you ever copied?", ko = "베낀 적이 있습니까?" }

[[questions]]
id = "bought"
mechanism = "coin"
wording = { en = "Have you ever bought an essay?", ko = "과제를 산 적이 있습니까?" }
"""


def refused(text: str) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        parse(text, "exam.toml")
    return str(caught.value).splitlines()


def test_a_survey_file_says_everything_once():
    definition = parse(SURVEY, "exam.toml")
    assert [question.id for question in definition.questions] == ["copied", "bought"]
    assert definition.questions[0].epsilon == 1.0
    assert definition.questions[1].epsilon is None
    assert definition.title["ko"] == "시험 습관"
    assert definition.step == 50
    assert definition.reports_while_open is False


def test_a_survey_survives_being_written_and_read():
    definition = parse(SURVEY, "exam.toml")
    assert parse(definition.as_toml(), "again.toml") == definition
    assert from_dict(definition.as_dict(), "again") == definition


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", r"a\rb\r", 'a"""\r\n\\b'])
def test_a_text_comes_back_with_its_line_breaks_as_they_were(text):
    table = parse(SURVEY, "exam.toml").as_dict()
    table["information"] = {"en": text, "ko": text}
    definition = from_dict(table, "the test")
    assert definition.information["en"] == text
    assert parse(definition.as_toml(), "again.toml") == definition


def test_each_question_brings_the_channels_of_its_columns():
    copied, bought = parse(SURVEY, "exam.toml").questions
    assert copied.column_names == ("copied",)
    assert copied.channel().epsilon <= 1.0
    assert bought.channel().epsilon == math.log(3)


@pytest.mark.parametrize("value", ["0", "-1", "10.5", "nan", "inf", '"1"', "true"])
def test_epsilon_outside_its_range_names_file_key_range_and_value(value):
    (line,) = refused(SURVEY.replace("epsilon = 1.0", f"epsilon = {value}"))
    assert line.startswith("exam.toml: questions[0].epsilon must be a number above 0 and at most 10, got ")
    assert value.strip('"').lower() in line.lower()


def test_a_missing_epsilon_is_missing():
    (line,) = refused(SURVEY.replace("epsilon = 1.0", ""))
    assert line == "exam.toml: questions[0].epsilon is missing; it must be a number above 0 and at most 10"


def test_two_coins_take_no_epsilon():
    (line,) = refused(SURVEY.replace('mechanism = "coin"', 'mechanism = "coin"\nepsilon = 2'))
    assert line == "exam.toml: questions[1].epsilon must be absent: the loss of two coins is ln 3, got 2"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("candor = 1", "candor = 4", "candor"),
        ('slug = "exam-habits"', 'slug = "Exam habits"', "slug"),
        ('slug = "exam-habits"', f'slug = "{"x" * 65}"', "slug"),
        ('["en", "ko"]', '["en", "en"]', "languages"),
        ('["en", "ko"]', '["en", "ko", "de"]', "title.de"),
        ('en = "Exam habits"', 'en = " "', "title.en"),
        ('en = "Exam habits"', f'en = "{"x" * 201}"', "title.en"),
        ("title = {", "titel = {", "title"),
        ("title = {", "titel = {", "titel"),
        ('id = "bought"', 'id = "copied"', "questions[1].id"),
        ('id = "bought"', 'id = "receipt"', "questions[1].id"),
        ('id = "bought"', 'id = "Bought it"', "questions[1].id"),
        ('"spinner_coin"', '"roulette"', "questions[0].mechanism"),
        ("epsilon = 1.0", "epsilom = 1.0", "questions[0].epsilom"),
        ("candor = 1", "candor = 1\nresults = { step = 0 }", "results.step"),
        ("candor = 1", "candor = 1\nresults = 3", "results"),
        ("candor = 1", "candor = 1\nbudget = { limit = 0 }", "budget.limit"),
        ("candor = 1", "candor = 1\nbudget = { limit = true }", "budget.limit"),
        ("candor = 1", "candor = 1\nbudget = { limit = nan }", "budget.limit"),
        ("candor = 1", "candor = 1\nbudget = { waves = 1.5 }", "budget.waves"),
        ("candor = 1", "candor = 1\nbudget = { waves = 1001 }", "budget.waves"),
        ("candor = 1", "candor = 1\nbudget = 3", "budget"),
        ("candor = 1", "candor = 1\nresults = { reports_while_open = 1 }", "results.reports_while_open"),
    ],
)
def test_every_key_is_checked_and_named(old, new, key):
    assert SURVEY.count(old) >= 1
    lines = refused(SURVEY.replace(old, new, 1))
    assert any(
        line.startswith((f"exam.toml: {key} must be", f"exam.toml: {key} is missing")) for line in lines
    )


def test_all_problems_are_told_at_once():
    broken = SURVEY.replace("epsilon = 1.0", "epsilon = 99").replace('id = "bought"', 'id = "B"')
    assert len(refused(broken)) == 2


def test_a_file_that_is_not_toml_says_where():
    (line,) = refused("candor = ")
    assert "must be TOML" in line
    assert "line 1" in line or "end of document" in line


def test_no_questions_is_no_survey():
    assert any("questions" in line for line in refused(SURVEY.split("[[questions]]")[0]))


@pytest.mark.parametrize(
    "line",
    [
        "x = " + "9" * 5000,
        "x = 0x" + "f" * 5000,
        "x = " + "[" * 5000 + "]" * 5000,
        ".".join("x" * 5000) + " = 1",
    ],
)
def test_what_python_cannot_read_or_show_is_a_problem_like_any_other(line):
    with pytest.raises(DefinitionError) as told:
        parse(f"{line}\n", "test.toml")
    assert all(len(sentence) < 1000 for sentence in str(told.value).splitlines())


@pytest.mark.parametrize("value", ["true", '"https://weather.example"', '"https://a.example:8443/b?c=d#e"'])
def test_a_survey_may_have_a_quick_exit_and_is_then_of_the_second_version(value):
    definition = parse(SURVEY.replace("candor = 1", f"candor = 2\nquick_exit = {value}"), "exam.toml")
    assert definition.quick_exit == json.loads(value)
    assert parse(definition.as_toml(), "again.toml") == definition
    assert load(publish(definition).json).definition == definition
    assert json.loads(publish(definition).json)["quick_exit"] == json.loads(value)


def test_a_survey_may_say_its_title_in_chats_but_not_where_that_tells_on_people():
    titled = 'candor = 3\npreview = "title"'
    definition = parse(SURVEY.replace("candor = 1", titled), "exam.toml")
    assert definition.preview == "title"
    assert definition == parse(definition.as_toml(), "exam.toml")
    for shielded in ("quick_exit = true", "invitations = true"):
        (line,) = refused(SURVEY.replace("candor = 1", f"{titled}\n{shielded}"))
        assert 'preview must be "neutral" where people are invited or can leave at once' in line


def test_without_a_quick_exit_the_bytes_of_a_publication_stay_as_they_were():
    plain = parse(SURVEY.replace("candor = 1", "candor = 2\nquick_exit = false"), "exam.toml")
    assert publish(plain).json == publish(parse(SURVEY, "exam.toml")).json
    (line,) = refused(SURVEY.replace("candor = 1", "candor = 1\nquick_exit = true"))
    assert "candor must be 2, the version of this format that has sections, asked, quick_exit" in line


@pytest.mark.parametrize(
    "value",
    ['""', '"http://a.example"', '"javascript:alert(1)"', '"https://a b"', f'"https://{"a" * 300}"', "1"],
)
def test_a_quick_exit_leads_nowhere_else(value):
    (line,) = refused(SURVEY.replace("candor = 1", f"candor = 2\nquick_exit = {value}"))
    assert "quick_exit must be true, or an address that begins with https:// and has at most 300 " in line
