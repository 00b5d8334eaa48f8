"""One press sets every epsilon of a draft: in the editor, and before it is opened."""

import re
from html import unescape

import pytest

from server.editor.at_once import unplanned
from server.editor.whole import plan_draft
from server.store import surveys
from survey.privacy import guess
from survey.privacy.limits import keeps_both
from survey.publication import publish
from survey.read_definition import from_dict

TEXTS = {
    "title-en": "Health at work",
    "information-en": "Who asks, and why.",
    "consent-en": "I take part of my own free will.",
}


def questions(number, **more):
    """Fields of questions that have all but an epsilon."""
    fields = {}
    for n in range(number):
        fields |= {
            f"questions-{n}-id": f"q{n}",
            f"questions-{n}-wording-en": "In the past week, did you come to work ill?",
            f"questions-{n}-mechanism": "spinner_coin",
        }
    return TEXTS | fields | more


@pytest.fixture
def pressed(editor):
    """Press “Set every epsilon” in the editor with a draft of three questions."""

    def pressed(total="2", respondents="1000", **more):
        typed = {"plan_total": total, "plan_respondents": respondents}
        return editor.save("plan-now", **questions(3, **typed, **more))

    return pressed


def test_what_was_typed_is_saved_and_planned_and_the_total_is_the_limit(pressed, draft):
    assert pressed().location.startswith("/admin/surveys/health?saved=plan")
    found = draft()
    assert found["title"] == {"en": "Health at work"}
    assert found["budget"]["limit"] == 2
    assert found["asked"] == 2
    assert [each["epsilon"] for each in found["questions"]] == [1.0, 1.0, 1.0]
    assert publish(from_dict(found, "here")).budget.epsilon <= 2


def test_the_page_then_says_how_much_one_person_is_asked(pressed, editor):
    page = editor.get(pressed().location).text
    assert "Each person is asked 2 of 3 parts, so about 667 of 1,000 people answer each question." in page
    assert "Some margins are so large" not in page
    assert "so about 667" not in editor.get("/admin/surveys/health?saved=1").text


def test_a_plan_that_shows_nothing_says_so_at_once(pressed, editor):
    page = editor.get(pressed(respondents="60", total="0.5").location).text
    assert "Each person is asked 2 of 3 parts, so about 40 of 60 people" in page
    assert "Some margins are so large that hardly anything could be said." in page


def test_it_is_the_plan_that_the_page_of_the_plan_shows(pressed, draft):
    pressed(total="1.5", respondents="400")
    shown = plan_draft(draft(), 1.5, 400)
    assert [each.now.question.epsilon for each in shown.changes] == [
        each.then.question.epsilon for each in shown.changes
    ]


@pytest.mark.parametrize(
    ("total", "respondents", "why"),
    [
        ("", "1000", "The total must be above 0"),
        ("two", "1000", "You entered “two”"),
        ("2", "5", "Expect at least"),
        ("2", "many", "The expected respondents must be a whole number"),
        ("2", "0", "You entered “0”"),
        ("<script>alert(1)</script>", "1000", "The total must be above 0"),
        ("9" * 5000, "1000", "The total must be above 0"),
        ("1\0", "1000", "The total must be above 0"),
        ("\u202e2", "1000", "The total must be above 0"),
    ],
)
def test_where_there_is_no_plan_the_text_is_saved_and_the_next_page_says_why(
    editor, pressed, draft, total, respondents, why
):
    target = pressed(total, respondents).location
    assert target.startswith("/admin/surveys/health/plan?")
    page = editor.get(target).text
    assert why in unescape(page)
    assert "<script>alert" not in page
    assert unplanned(draft()) == 3
    assert draft()["title"] == {"en": "Health at work"}


def test_a_question_that_lacks_another_setting_is_named(editor, pressed):
    number = {"questions-2-kind": "number", "questions-2-mechanism": "hybrid"}
    page = editor.get(pressed(**number).location).text
    assert "Question 3 still lacks a setting." in page


def offered(page):
    """What the title of the box says; it is hidden where that is empty."""
    return re.search(r'data-live="plan">([^<]*)</', page)[1]


def test_the_editor_offers_it_as_long_as_a_question_has_no_epsilon(editor, pressed):
    assert offered(editor.page()) == ""
    editor.save(**questions(2))
    assert offered(editor.page()) == "Plan the 2 questions that have no epsilon yet"
    pressed()
    assert offered(editor.page()) == ""


def test_it_is_offered_while_questions_are_added(editor):
    def typed(**fields):
        return editor.post(f"{editor.address}/preview", page=editor.address, changed="all", **fields).text

    assert offered(typed()) == ""
    assert offered(typed(**questions(3))) == "Plan the 3 questions that have no epsilon yet"
    with_coins = {"questions-1-mechanism": "coin", "questions-2-epsilon": "0.5"}
    assert offered(typed(**questions(3) | with_coins)) == "Plan the question that has no epsilon yet"


def test_a_question_without_epsilon_is_not_wrong_but_left_to_the_plan(editor):
    editor.save(**questions(2))
    page = editor.page()
    assert page.count("set by the plan</span>") == 2
    assert "One thing is missing" in page
    assert 'data-field="plan_total"' in page
    assert "Question 1: Epsilon" not in page


def test_a_survey_without_epsilons_is_opened_through_one_more_press(editor, storage):
    assert editor.save("open", **questions(3)).location == "/admin/surveys/health/open"
    page = editor.get("/admin/surveys/health/open").text
    assert "One press plans them all." in page
    fields = dict(re.findall(r'name="(basis|then|total|respondents)" value="([\w.]+)"', page))
    assert (fields["total"], fields["respondents"]) == ("2.9444", "1000")
    planned = editor.post("/admin/surveys/health/plan", page="/admin/surveys/health/open", **fields)
    assert planned.location == "/admin/surveys/health/open?saved=plan"
    page = editor.get(planned.location).text
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', page)[1]
    editor.post("/admin/surveys/health/open", fingerprint=fingerprint)
    found = storage.read(surveys.by_slug, "health")
    assert found.state == "open"
    assert keeps_both(guess(found.publication.reports))


def test_whatever_else_is_missing_is_named_before_a_plan_is_offered(editor):
    editor.save("open", **{**questions(3), "title-en": ""})
    page = editor.get("/admin/surveys/health/open").text
    assert "One press plans them all." not in page
    assert "Title (English)" in page


def test_a_plan_of_a_draft_that_somebody_has_changed_is_not_taken_over(editor, draft):
    editor.save("open", **questions(2))
    page = editor.get("/admin/surveys/health/open").text
    basis = re.search(r'name="basis" value="(\w+)"', page)[1]
    editor.save(**questions(3))
    address, seen = "/admin/surveys/health/plan", "/admin/surveys/health/open"
    answer = editor.post(address, page=seen, basis=basis, total="2", respondents="1000", then="open")
    assert answer.status_code == 409
    assert "The draft has changed." in answer.text
    assert unplanned(draft()) == 3


def test_the_page_lists_all_plans_within_both_limits_and_takes_the_one_that_is_chosen(editor, draft):
    editor.save(**questions(3, **{"questions-0-skip": "randomized"}))
    address = "/admin/surveys/health/plan"
    page = editor.get(f"{address}?total=9&respondents=1000&asked=3").text
    listed = re.search(r'(?s)id="plans">.*?</table>', page)[0]
    rows = re.findall(r'(?s)<th scope="row">(.*?)</th>(.*?)</tr>', listed)
    assert len(rows) == 3
    for _, cells in rows:
        right, telling, people, total = re.findall(r'<td class="number">([^<]*)</td>', cells)
        assert (int(right) <= 80, int(telling) <= 95, float(total) <= 2.9445) == (True, True, True)
        assert re.fullmatch(r"[\d,]+", people)
    assert re.search(r"may skip. For ±\xa05 points, [\d,]+ people are needed, and [\d,]+ if nobody", page)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([\w.]*)"', page))
    editor.post(address, **fields)
    assert "asked" not in draft(), "all three parts"
    figures = guess(publish(from_dict(draft(), "here")).reports)
    assert keeps_both(figures)


@pytest.mark.parametrize("times", ["50", "100", "many"])
def test_a_limit_that_is_none_is_named(editor, times):
    editor.save(**questions(2))
    page = editor.get(f"/admin/surveys/health/plan?right={times}").text
    assert f"Enter a whole number from 51 to 99. You entered “{times}”." in unescape(page)
