"""A plan sets every epsilon of a draft, and how many parts a person is asked, within both limits."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from draft_editor import Editor
from hands import Hands

from server.drafts.planning import plan_cache
from server.drafts.planning.plan import plan_draft, unplanned
from server.drafts.planning.plan_page import cost_of_skips
from server.store import surveys
from survey.draft import document_of
from survey.privacy import guess
from survey.privacy.limits import keeps_both
from survey.publication import publish
from survey.read_definition import from_dict

ADDRESS = "/admin/surveys/health"


def question(name, **more):
    texts = {"wording": {"en": f"In the past week, {name}?"}}
    return {"id": name, "kind": "yes_no", "mechanism": "spinner_coin", **texts, **more}


SECTIONS = [
    {"id": "who", "always": True, "questions": [question("age")]},
    {"id": "own", "questions": [question("own")]},
    {
        "id": "home",
        "title": {"en": "At home"},
        "introduction": {"en": "First\nand second line"},
        "questions": [question("rent"), question("heat", skip="apart")],
    },
    {"id": "named", "questions": [question("other", note={"en": "A note"})]},
]


@pytest.fixture
def begun(storage, survey_file):
    """Store a draft, `health`, that asks these questions, or has these sections."""

    def begun(*questions, **more):
        table = survey_file("health", candor=3, questions=list(questions), **more)
        if "sections" in more:
            del table["questions"]
        return storage.write(surveys.create_draft, table)

    return begun


@pytest.fixture
def three(begun):
    return begun(*(question(f"q{n}") for n in range(3)))


@pytest.fixture
def parts(begun):
    waves = {"budget": {"limit": 10.0, "waves": 2}}
    return begun(sections=SECTIONS, asked=2, quick_exit="https://weather.example", **waves)


@pytest.fixture
def page(admin):
    """Show the page of the plan for a total and a number of respondents."""
    return lambda query="": unescape(admin.get(f"{ADDRESS}/plan{query}").text)


@pytest.fixture
def pressed(admin):
    """Press “Set every epsilon” in the editor."""

    def pressed(total="2", respondents="1000", **more):
        seen = Editor(admin).hash
        fields = {"seen": seen, "total": total, "respondents": respondents} | more
        return admin.post(f"{ADDRESS}/plan", page="/admin/new", **fields)

    return pressed


def test_one_press_plans_the_draft_and_its_total_is_the_limit(three, pressed, admin, storage, draft):
    location = pressed().location
    assert location == f"{ADDRESS}?saved=plan"
    planned = draft()
    assert (planned["budget"], planned["asked"]) == ({"limit": 2}, 2)
    assert [node["epsilon"] for node in planned["questions"]] == [1.0, 1.0, 1.0]
    assert publish(from_dict(planned, "here")).budget.epsilon <= 2
    assert storage.read(surveys.by_slug, "health").document["expected"] == 1000
    said = admin.get(location).text
    assert "Each person is asked 2 of 3 parts, so about 667 of 1,000 people answer each question." in said
    assert "Some margins are so large" not in said
    assert "so about 667" not in admin.get(ADDRESS).text


def test_a_plan_that_shows_nothing_says_so_at_once(three, pressed, admin):
    said = admin.get(pressed("0.5", "60").location).text
    assert "Each person is asked 2 of 3 parts, so about 40 of 60 people" in said
    assert "Some margins are so large that hardly anything could be said." in said


def test_it_is_the_plan_that_the_page_of_the_plan_shows(three, pressed, storage):
    pressed("1.5", "400")
    shown = plan_draft(storage.read(surveys.by_slug, "health").document, 1.5, 400)
    assert [change.now.question.epsilon for change in shown.changes] == [
        change.then.question.epsilon for change in shown.changes
    ]


@pytest.mark.parametrize(
    ("total", "respondents", "why"),
    [
        ("", "1000", "The total must be above 0"),
        ("two", "1000", "You entered “two”"),
        ("2", "29", "Expect at least 30 respondents."),
        ("2", "many", "The expected respondents must be a whole number"),
        ("0.001", "1000", "The total must be at least 0.0"),
        ("<script>alert(1)</script>", "1000", "The total must be above 0"),
        ("9" * 5000, "1000", "The total must be above 0"),
        ("1\0", "1000", "The total must be above 0"),
        ("\u202e2", "1000", "The total must be above 0"),
    ],
)
def test_where_there_is_no_plan_the_page_says_why_and_nothing_changes(
    three, pressed, storage, total, respondents, why
):
    answer = pressed(total, respondents)
    assert answer.status_code in (409, 422)
    assert why in unescape(answer.text)
    assert "<script>alert" not in answer.text
    assert "Use this plan" not in answer.text
    assert unplanned(storage.read(surveys.by_slug, "health").document) == 3


def test_a_draft_that_lacks_something_is_not_planned(begun, page, admin, storage):
    begun()
    assert "There is no question to plan yet." in page()
    document = document_of(
        {"questions": [question("a"), question("b") | {"kind": "number", "mechanism": "hybrid"}]}
    )
    Editor(admin).write(storage.read(surveys.by_slug, "health").document | document)
    assert "Question 2 still lacks a setting." in page()


def test_a_total_that_shows_nothing_is_said(begun, page):
    options = [{"en": f"{n}"} for n in range(16)]
    begun(question("q", kind="choice", mechanism="exponential", ordered=True, options=options))
    assert "One question would show nothing at all." in page("?total=0.02")


def test_channels_that_take_long_to_design_keep_both_limits_after_the_plan_too(begun, pressed, draft):
    """A plan compares others, which are soon designed."""
    hours = {"id": "hours", "kind": "number", "mechanism": "designed", "low": 0, "high": 12, "step": 1}
    begun(hours | {"wording": {"en": "How many hours?"}, "wants": {"curve": 1.0, "mean": 1.0}})
    pressed(total="2.94")
    figures = guess(publish(from_dict(draft(), "here")).reports)
    assert keeps_both(figures)
    assert figures.times_right >= 79


def test_a_question_without_epsilon_is_not_wrong_but_left_to_the_plan(three, admin):
    editor = Editor(admin)
    assert [entry["unit"] for entry in editor.problems()["missing"]] == ["plan_total"]
    cards = editor.preview()["cards"].values()
    assert [card["epsilon"] for card in cards] == ["set by the plan"] * 3


def test_a_survey_without_epsilons_is_opened_through_one_more_press(three, admin, storage):
    hands = Hands(admin, f"{ADDRESS}/open")
    hands.click("Set every epsilon")
    assert hands.address == f"{ADDRESS}/open?saved=plan"
    hands.click("Open for respondents")
    survey = storage.read(surveys.by_slug, "health")
    assert survey.state == "open"
    assert keeps_both(guess(survey.publication.reports))


def test_whatever_else_is_missing_is_named_before_a_plan_is_offered(begun, admin):
    begun(question("q"), title={})
    said = admin.get(f"{ADDRESS}/open").text
    assert "Set every epsilon" not in said
    assert "Title (English)" in said


def test_a_plan_of_a_draft_that_somebody_has_changed_is_not_taken_over(three, admin, pressed, storage):
    seen = Editor(admin).hash
    Editor(admin).fill(title={"en": "Meanwhile"})
    answer = pressed(seen=seen)
    assert (answer.status_code, "The draft has changed." in answer.text) == (409, True)
    assert unplanned(storage.read(surveys.by_slug, "health").document) == 3


def test_the_page_lists_all_plans_within_both_limits_and_takes_the_one_that_is_chosen(begun, admin, draft):
    begun(question("q0", skip="randomized"), question("q1"), question("q2"))
    hands = Hands(admin, f"{ADDRESS}/plan?total=9&respondents=1000&asked=3")
    text = unescape(admin.get(hands.address).text)
    listed = re.search(r'(?s)id="plans">.*?</table>', text)[0]
    rows = re.findall(r'(?s)<th scope="row">(.*?)</th>(.*?)</tr>', listed)
    assert len(rows) == 3
    for _, cells in rows:
        right, telling, people, total = re.findall(r'<td class="number">([^<]*)</td>', cells)
        assert (int(right) <= 80, int(telling) <= 95, float(total) <= 2.9445) == (True, True, True)
        assert re.fullmatch(r"[\d,]+", people)
    assert re.search(r"may skip. For ±\xa05 points, [\d,]+ people are needed, and [\d,]+ if nobody", text)
    hands.click("Use this plan")
    assert "asked" not in draft(), "all three parts"
    assert keeps_both(guess(publish(from_dict(draft(), "here")).reports))


def test_a_plan_of_parts_that_is_taken_over_is_the_draft(parts, admin, page, draft):
    before = draft()
    text = page("?total=2&respondents=1000")
    assert text.partition('class="planned"')[2].count('<th scope="row">') == 5
    assert draft() == before
    Hands(admin, f"{ADDRESS}/plan?total=2&respondents=1000").click("Use this plan")
    planned = draft()
    assert planned["budget"] == {"limit": 2.0, "waves": 2}
    spent = [sum(node.pop("epsilon") for node in each["questions"]) for each in planned["sections"]]
    assert {**planned, "asked": 2, "budget": before["budget"]} == before
    # Two waves of the part that everybody is asked, and of the dearest of the others.
    assert 2 * (spent[0] + sum(sorted(spent[1:])[-planned["asked"] :])) == pytest.approx(2, abs=0.01)
    again = page("?total=2&respondents=1000")
    assert again.partition('class="planned"')[2].count("<strong>") == 3 * 5


def test_a_plan_that_was_shown_is_taken_over_without_another_search(three, admin, page, draft, monkeypatch):
    page("?total=1.75&respondents=1000")
    monkeypatch.setattr(plan_cache.PLANS, "run", None)  # whatever searches now fails
    Hands(admin, f"{ADDRESS}/plan?total=1.75&respondents=1000").click("Use this plan")
    assert draft()["budget"]["limit"] == 1.75


def test_parts_that_everybody_is_asked_are_planned_too(begun, page):
    begun(sections=[{**section, "always": True} for section in SECTIONS])
    assert "Ask everybody every part." in page()


def test_a_plan_whose_margins_say_nothing_is_warned_of(parts, page):
    warning = "Some margins are so large that hardly anything could be said."
    assert warning in page("?total=0.5&respondents=40")
    assert warning not in page("?total=8&respondents=4000")


@pytest.mark.parametrize("times", ["50", "100", "many"])
def test_a_limit_that_is_none_is_named(three, page, times):
    assert f"Enter a whole number from 51 to 99. You entered “{times}”." in page(f"?right={times}")


def test_the_plan_is_in_the_language_of_the_page(parts, admin):
    text = admin.client.get(f"{ADDRESS}/plan?total=2", headers={"Accept-Language": "ko"}).text
    assert re.search("한 사람에게 3개 영역 가운데 [123]개를 묻습니다.|모두에게 모든 영역을 묻습니다.", text)


def test_nobody_plans_without_the_token_of_the_page_or_the_right_to_it(three, admin, browse, draft):
    assert admin.client.post(f"{ADDRESS}/plan", data={"total": "2", "respondents": "9"}).status_code == 400
    assert browse("researcher").get(f"{ADDRESS}/plan").status_code == 403
    assert "budget" not in draft()


def test_a_published_survey_is_not_planned(begun, admin, storage):
    storage.write(surveys.open_survey, begun(question("q", epsilon=1.0)).id)
    assert admin.get(f"{ADDRESS}/plan").status_code == 409


def test_the_page_compares_the_best_three_ways_to_ask_a_draft(three, page):
    said = page("?total=2.7&respondents=5000")
    compared = said[said.index("The best ways to ask it") : said.index("Plans that link nothing")]
    assert re.findall(r"<h3>(.*?)</h3>", compared)[0] == "All answers on one wheel"
    people = [int(each.replace(",", "")) for each in re.findall(r"<strong>([\d,]+)</strong>", compared)]
    assert len(people) == 3
    assert people == sorted(people)
    assert "Link nothing that others know, such as age group or role." in compared
    assert compared.count("Use this plan") == 3
    single = page("?total=9&telling=99&right=75&respondents=5000&single=yes")
    assert 'name="single" value="yes" checked' in single
    assert re.findall(r"right</dt><dd>(\d+) in 100", single)[1::2] == ["75"] * 3, "at one answer"
    assert "Plans that link nothing" not in single, "these limit the guess at all answers"
    paired = page("?total=2.7&respondents=5000&pairs=yes")
    assert 'name="pairs" value="yes" checked' in paired
    assert int(re.search(r"<strong>([\d,]+)</strong>", paired).group(1).replace(",", "")) >= people[0]


@pytest.mark.parametrize(("without", "said"), [(None, None), (36_990.0, None), (31_000.0, "31,000")])
def test_what_skips_cost_is_said_where_they_cost_people(without, said):
    plan = SimpleNamespace(people_without_skips=without, chosen=SimpleNamespace(people=36_100.0))
    assert cost_of_skips(plan) == said
