"""The surveys that Candor brings along to begin from: complete, planned, in both languages."""

import re
from datetime import date
from html import unescape
from importlib import resources

import pytest

from server.language.catalogue import section
from server.store import surveys
from server.surveys.starters import NAMES, filled, read, starters
from survey.opening_requirements import BLANK, unready
from survey.plan import outlook, plans_within, widest
from survey.privacy.limits import LARGEST_TOTAL
from survey.publication import publish

HOSTILE = [
    "<script>alert(1)</script>",
    "=1+1",
    "\u202egnitirw",
    "a\0b",
    "[help contact]",
    "{organisation}",
    "\\1",
]


@pytest.fixture(params=NAMES)
def starter(request):
    return read(request.param)


def texts(starter, language):
    """Every text of a starter in one language."""

    def found(value):
        if isinstance(value, dict):
            for key, each in value.items():
                yield from [each] if key == language else found(each)
        elif isinstance(value, list):
            for each in value:
                yield from found(each)

    return list(found(starter.definition.as_dict()))


def test_there_is_a_file_for_every_name_and_a_name_for_every_file():
    assert {file.name.removesuffix(".toml") for file in resources.files("server.starters").iterdir()} == set(
        NAMES
    )


def test_a_starter_can_be_opened_as_it_is_but_for_its_marks(starter):
    definition = starter.definition
    assert publish(definition).budget.epsilon <= definition.limit <= LARGEST_TOTAL
    assert definition.slug == starter.name
    assert not definition.reports_while_open
    assert all([definition.information, definition.consent, definition.help, definition.closing])


@pytest.mark.parametrize("respondents", [300, 1000])
def test_it_asks_as_many_parts_as_the_planner_finds_within_both_limits(starter, respondents):
    definition = starter.definition
    best = plans_within(definition.sections, respondents)[0]
    assert best.plan.asked == definition.asked
    assert widest(definition.sections, definition.asked, respondents) < 1.25 * best.margin


def test_a_card_says_how_many_people_a_margin_takes(starter):
    definition = starter.definition
    for points, people in starter.people:
        margins = outlook(definition.sections, definition.asked, people)
        assert max(each.margin / each.span for each in margins) <= points / 100
        fewer = outlook(definition.sections, definition.asked, round(0.9 * people) - 1)
        assert max(each.margin / each.span for each in fewer) > points / 100
    assert starter.people[1][1] <= 1900


def test_it_is_written_in_both_languages(starter):
    english, korean = texts(starter, "en"), texts(starter, "ko")
    assert len(english) == len(korean) >= 5 + len(starter.definition.questions)
    assert all(re.search("[가-힣]", BLANK.sub("", text)) or re.search(r"\d", text) for text in korean)
    assert not any(re.search("[가-힣]", text) for text in english)


def test_both_languages_ask_about_intent_or_neither_does(starter):
    for question in starter.definition.questions:
        meant = "on purpose" in question.wording["en"], "일부러" in question.wording["ko"]
        assert meant in [(True, True), (False, False)]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_blank_stands_only_where_a_contact_must_come_in(starter, language):
    blanks = [blank for text in texts(starter, language) for blank in re.findall(r"\[.*?\]", text)]
    assert blanks == [{"en": "[help contact]", "ko": "[도움받을 곳]"}[language]]


TODAY = date(2026, 5, 4)


def test_what_is_given_is_all_that_a_starter_lacks_to_be_opened(starter):
    given = {"organisation": "Hillside", "contact": "ada@hillside.example", "kept_until": "2030-12-31"}
    draft = filled(starter.definition, "ko", given | {"help": "Room 4"})
    assert draft["languages"] == ["ko", "en"]
    assert list(unready(draft, TODAY)) == []
    assert draft["organisation"] == {"ko": "Hillside", "en": "Hillside"}
    assert "Room 4" in draft["help"]["en"]
    lacks = {problem.path for problem in unready(starter.definition.as_dict(), TODAY)}
    assert lacks == {"help.en", "help.ko", "kept_until"} | {
        f"{key}.{code}" for key in ("organisation", "contact") for code in ("en", "ko")
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_given_is_a_text_and_nothing_else(admin, draft, text):
    admin.post("/admin/new/starter", page="/admin/new", starter="staff-pulse", organisation=text)
    assert draft("staff-pulse")["organisation"]["en"] == text
    assert "[help contact]" in draft("staff-pulse")["help"]["en"]
    assert "<script>alert" not in admin.get("/admin/surveys/staff-pulse").text


def test_one_press_makes_a_draft_at_a_free_address(admin, storage):
    locations = [
        admin.post("/admin/new/starter", page="/admin/new", starter="exam-cheating").location
        for _ in range(2)
    ]
    assert locations == ["/admin/surveys/exam-cheating", "/admin/surveys/exam-cheating-2"]
    assert len(storage.read(surveys.all_surveys)) == 2


def test_what_is_too_long_is_said_at_its_field_and_no_draft_is_made(admin, storage):
    answer = admin.post(
        "/admin/new/starter", page="/admin/new", starter="staff-pulse", organisation="x" * 201
    )
    assert answer.status_code == 422
    assert "at most 200 characters. It has 201" in answer.text
    assert "x" * 201 in answer.text
    big = admin.post("/admin/new/starter", page="/admin/new", starter="staff-pulse", help="x" * 4_000_000)
    assert big.status_code == 413
    assert storage.read(surveys.all_surveys) == []


@pytest.mark.parametrize("name", ["", "nothing", "../examples/workplace", "staff-pulse\0"])
def test_there_is_no_other_starter(admin, name):
    assert admin.post("/admin/new/starter", page="/admin/new", starter=name).status_code == 404


@pytest.mark.parametrize("address", ["/admin", "/admin/new"])
def test_a_fresh_server_shows_all_of_them_and_says_what_each_asks(admin, address):
    page = unescape(admin.get(address).text)
    for each in starters():
        words = section("en", "starting")
        assert words[f"starters.{each.name}.name"] in page
        assert words[f"starters.{each.name}.text"] in page
        assert f"{each.people[0][1]:,} people for ±\xa05 points" in page
        assert f"at most {each.guess.times_right} times in 100; {each.guess.times_telling} after" in page


def test_a_starter_with_blanks_is_not_opened_and_says_which(admin, storage):
    admin.post(
        "/admin/new/starter", page="/admin/new", starter="staff-pulse", contact="ben", kept_until="2030-12-31"
    )
    page = unescape(admin.get("/admin/surveys/staff-pulse/open").text)
    assert "Help contacts (English): must be a text in which [help contact] is filled in" in page
    assert "Who asks (English)" in page
    assert "How to reach them" not in page
    assert "Open for respondents" not in page
