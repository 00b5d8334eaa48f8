"""All questions at a glance, one sentence of each to quote, and the digits in which they are written."""

import html
import re
import secrets

import pytest

from server.results.number_text import AMOUNTS, digits_for
from server.store import submissions as store
from server.store import surveys
from server.store.lifecycle import life
from server.store.lifecycle.scheduler import close_if_due
from server.store.submissions import Submission
from survey.read_definition import from_dict


def texts(english, korean):
    return {"en": english, "ko": korean}


TABLE = {
    "candor": 1,
    "slug": "glance",
    "languages": ["en", "ko"],
    "title": texts("Work", "일"),
    "information": texts("Who asks.", "누가 묻는지."),
    "consent": texts("Yes.", "예."),
    "results": {"step": 10},
    "questions": [
        {
            "id": "paid",
            "mechanism": "coin",
            "wording": texts("Were you paid in cash?", "현금으로 받았습니까?"),
        },
        {
            "id": "sector",
            "kind": "choice",
            "mechanism": "wheel",
            "epsilon": 3.0,
            "wording": texts("Where do you work?", "어디에서 일합니까?"),
            "options": [texts("Industry", "산업"), texts("School", "학교"), texts("Nowhere", "아무 데도")],
        },
        {
            "id": "harm",
            "kind": "boxes",
            "mechanism": "per_box",
            "epsilon": 2.0,
            "scope": "box",
            "wording": texts("What happened to you?", "어떤 일을 겪었습니까?"),
            "options": [texts("Theft", "도난"), texts("Threats", "위협")],
        },
        {
            "id": "hours",
            "kind": "number",
            "mechanism": "one_bit",
            "epsilon": 2.0,
            "low": 0,
            "high": 40,
            "step": 10,
            "unit": texts("hours", "시간"),
            "wording": texts("How long do you work?", "얼마나 일합니까?"),
        },
    ],
}

REPORTS = [
    *[{"paid": 1, "sector": 1, "harm_1": 0, "harm_2": 1, "hours": 1}] * 120,
    *[{"paid": 0, "sector": 0, "harm_1": 0, "harm_2": 0, "hours": 0}] * 80,
]
"""Sixty percent of yes through a coin, so 70 %; no report of anybody who works nowhere, or was robbed."""


@pytest.fixture
def publish(storage, browse, one_by_one):
    """Answer a survey that is closed by hand, by its quota or never, and give its page as staff read it."""

    def publish(table, reports, closing="hand"):
        survey = storage.write(surveys.import_definition, from_dict(table, "the test"))
        if closing == "quota":
            storage.write(life.note, survey.id, quota=len(reports))
        survey = storage.write(surveys.open_survey, survey.id)
        fingerprint = survey.publication.fingerprint
        batch = [Submission(survey.id, fingerprint, secrets.token_hex(16), each) for each in reports]
        record = one_by_one if closing == "never" else store.record
        assert set(storage.write(record, batch, "2026-05-04")) == {"stored"}
        if closing == "hand":
            storage.write(surveys.close_survey, survey.id)
        elif closing == "quota":
            storage.write(close_if_due, survey.id, 0)
        storage.finish()
        researcher = browse("researcher")
        return lambda query="": researcher.get(f"/results/glance{query}")

    return publish


@pytest.fixture
def page(publish):
    """The page of the closed survey."""
    return publish(TABLE, REPORTS)


def words(part):
    """Return what a part of a page says, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())


def lines(page):
    """Return the lines of the overview: the question to which each leads, and what it says."""
    table = page.split('class="plotted overview"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return {re.search(r'href="#(\w+)"', row)[1]: words("<tr" + row) for row in table.split("<tr")[1:]}


def quote(page, question):
    return words(
        page.split(f'id="{question}"')[1].split('class="quote"')[1].split(">", 1)[1].split("</p>")[0]
    )


def test_every_question_is_a_line_that_leads_to_it(page):
    shown = page().text
    found = lines(shown)
    assert list(found) == ["paid", "sector", "harm", "hours"]
    for question in found:
        assert shown.count(f'id="{question}"') == 1
    assert found["paid"] == "Were you paid in cash? 70% 56% to 84% 200"


def test_of_several_answers_the_commonest_is_written_and_the_others_are_small_dots(page):
    shown = page().text
    found = lines(shown)
    assert found["sector"].startswith("Where do you work? School ")
    assert found["harm"].startswith("What happened to you? Threats ")
    assert shown.count('class="chart-other"') == 2 + 1


def test_a_number_has_an_axis_of_its_own_with_its_unit(page):
    assert lines(page().text)["hours"].startswith("How long do you work? Mean 0 40 hours ")


def test_no_share_below_0_is_shown_but_the_unbiased_one_and_that_only_folded(page):
    shown = page().text
    article = shown.split('id="harm"')[1].split("</article>")[0]
    first, folded = (
        re.sub("<svg.*?</svg>", "", part, flags=re.DOTALL) for part in article.split("<details>")
    )
    assert "−" not in first
    assert 'data-label="Unbiased estimate">−' in folded
    assert "−" not in " ".join(lines(shown).values())


def test_one_sentence_of_each_question_can_be_quoted(page):
    shown = page().text
    assert quote(shown, "paid") == (
        "An estimated 70% would answer “Yes” to “Were you paid in cash?” "
        "(95% interval 56% to 84%; 200 people, epsilon 1.0986). "
        "What was sent is not always what was answered: chance may change an answer before it is sent, and "
        "the estimate allows for this. The end of the survey was not planned beforehand."
    )
    assert quote(shown, "sector").startswith(
        "An estimated 61% would answer “School” to “Where do you work?” (95%"
    )
    assert quote(shown, "harm").startswith(
        "An estimated 63% would tick “Threats” under “What happened to you?”"
    )
    assert quote(shown, "hours").startswith(
        "The estimated mean answer to “How long do you work?” is 25 hours (95%"
    )


ASKED = TABLE["questions"][0]


def paid(no, yes):
    """So many reports of each kind on the first question."""
    return [{"paid": 0}] * no + [{"paid": 1}] * yes


@pytest.mark.parametrize(
    ("no", "yes", "said"), [(154, 46, "At most 9% would answer"), (46, 154, "At least 91% would answer")]
)
def test_of_a_share_at_an_end_only_the_other_end_of_its_interval_is_told(publish, no, yes, said):
    shown = publish(TABLE | {"questions": [ASKED]}, paid(no, yes))().text
    end = "upper" if yes < no else "lower"
    assert quote(shown, "paid").startswith(
        f"{said} “Yes” to “Were you paid in cash?” ({end} end of the 95% interval; 200 people,"
    )


@pytest.mark.parametrize(
    ("no", "yes", "epsilon", "quoted"),
    [(0, 2, 8.0, False), (0, 9, 8.0, False), (0, 10, 8.0, True), (10, 10, 1.0, False)],
)
def test_nothing_is_quoted_of_few_people_or_with_an_interval_wider_than_half_of_what_can_be(
    publish, no, yes, epsilon, quoted
):
    asked = ASKED | {"mechanism": "spinner_coin", "epsilon": epsilon}
    shown = publish(TABLE | {"questions": [asked]}, paid(no, yes))().text
    assert ('class="quote"' in shown) is quoted
    assert ("This estimate should not be quoted" in shown) is not quoted
    assert "only if at least 10 people reported" in shown


def test_an_interval_without_width_is_not_quoted(publish):
    shown = publish(TABLE | {"questions": [ASKED]}, paid(0, 50))("?method=wald").text
    assert 'class="quote"' not in shown


def test_nothing_is_quoted_beside_a_warning_that_its_reports_lie_outside_their_range(publish):
    asked = {"questions": [ASKED]}
    shown = publish(TABLE | asked, paid(0, 300))().text
    assert "lies outside" in shown
    assert 'class="quote"' not in shown


@pytest.mark.parametrize(("high", "quoted"), [(85, True), (95, False)])
def test_a_mean_that_no_population_can_have_is_not_quoted(publish, high, quoted):
    reports = [{"hours": 1}] * high + [{"hours": 0}] * (100 - high)
    shown = publish(TABLE | {"questions": [TABLE["questions"][3]]}, reports)().text
    assert ('class="quote"' in shown) is quoted


def test_a_mean_that_is_shown_lies_in_its_interval_and_the_unbiased_one_is_folded(publish):
    reports = [{"hours": 1}] * 95 + [{"hours": 0}] * 5
    shown = publish(TABLE | {"questions": [TABLE["questions"][3]]}, reports)().text
    assert re.search(r" 40\.0 [\d.]+ to 40\.0 100$", lines(shown)["hours"])
    folded = words(shown.split('id="hours"')[1].split("<details>")[1])
    assert float(re.search(r"Unbiased mean ([\d.]+)", folded)[1]) > 40


@pytest.mark.parametrize(
    ("closing", "said"),
    [
        ("never", "The survey is still open."),
        ("hand", "The end of the survey was not planned beforehand."),
        ("quota", "The end of the survey was planned beforehand."),
    ],
)
def test_the_sentence_says_whether_the_end_of_the_survey_was_planned(publish, closing, said):
    shown = publish(TABLE | {"questions": [ASKED]}, paid(30, 90), closing)().text
    assert quote(shown, "paid").endswith(said)


def test_it_can_be_quoted_in_the_other_languages_of_the_survey_too(page):
    shown = page().text
    assert (
        '<p class="quote" lang="ko">“현금으로 받았습니까?” 문항에 “예” 답을 할 사람은 70%로 추정됩니다'
        in shown
    )
    korean = page("?language=ko").text
    assert quote(korean, "paid").startswith("“현금으로 받았습니까?” 문항에")
    assert '<p class="quote" lang="en">An estimated 70% would answer “Yes”' in korean


def test_numbers_of_people_can_be_shown_in_place_of_shares(page):
    shown = page("?amounts=people").text
    assert lines(shown)["paid"] == "Were you paid in cash? 140 112 to 167 200"
    assert quote(shown, "paid").startswith("An estimated 140 people would answer “Yes”")
    assert '<option value="people" selected>' in shown
    assert shown.count("<caption>Estimated numbers of people, with their 95% intervals</caption>") == 3
    assert "“예” 답을 할 사람은 140명으로 추정됩니다(95% 신뢰구간 112~167, 응답자 200명" in shown
    assert lines(shown)["hours"] == lines(page().text)["hours"]


@pytest.mark.parametrize("asked", ["everybody", "", "Shares", "people%00", "x" * 500])
def test_amounts_that_are_none_are_refused_with_what_is_allowed(page, asked):
    answer = page(f"?amounts={asked}")
    assert answer.status_code == 400
    assert f"amounts must be one of {', '.join(AMOUNTS)}." in answer.text


def test_every_question_leads_to_a_comparison_and_the_smallest_group_is_stated(page):
    shown = page().text
    assert 'href="/results/glance/cross?row=sector&amp;column=paid"' in shown
    assert 'href="/results/glance/cross?row=paid&amp;column=sector"' in shown
    assert "No figures are shown for a group of fewer than 30 people." in shown


def test_a_method_that_is_the_same_for_all_questions_is_said_once(page):
    shown = page("?method=wilson").text
    assert 'id="method-of-all"' not in shown, "several intervals share a level, or a mean has its own method"
    assert shown.count("Method: Wilson, 95%") == 3
    assert shown.count("Method: exact, 95%") == 1


def test_on_paper_a_title_page_says_what_the_figures_are_of(page):
    title = (
        page("?confidence_level=0.9&method=wald").text.split('class="title-page"')[1].split("</header>")[0]
    )
    assert "Work" in title
    assert words(title).count("200") == 1
    assert "90%, Wald" in title


def test_digits_follow_the_interval():
    assert [digits_for([half]) for half in (40, 9, 2, 1.99, 0.2, 0.19, 0.01)] == [0, 0, 0, 1, 1, 2, 3]
    assert digits_for([5, 5, 0.001]) == digits_for([5, 0.001]) == 0, "one narrow interval adds none"
    assert digits_for([0.0]) == 4
    assert digits_for([]) == 0
