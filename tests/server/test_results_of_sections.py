"""A survey whose sections are drawn, from what is sent to the results page and every download."""

import csv
import io
import math
from itertools import zip_longest

import pytest

from server.store import surveys
from server.store.submissions import Submission
from survey.mechanisms import coin, spinner_coin
from survey.privacy import radius, shuffled

LAST = "estimate,stated_epsilon,exact_epsilon,band_low,band_high,curve_low,curve_high"
STEP, DAY, DELTA = 10, "2026-05-04", 1e-6
NOT_ASKED = 2
COLUMNS = {"old": None, "late": "pay", "never": "pay", "nights": "hours", "rent": "house"}
"""Column -> the drawn section that it is of."""


def yes_no(name, **more):
    return {"id": name, "mechanism": "coin", "wording": {"en": f"Did you do {name}?"}} | more


SHARP = {"mechanism": "spinner_coin", "epsilon": 2.0}
SECTIONS = [
    {"id": "about", "always": True, "questions": [yes_no("old")]},
    {"id": "pay", "title": {"en": "Your pay"}, "questions": [yes_no("late"), yes_no("never")]},
    {"id": "hours", "questions": [yes_no("nights", **SHARP)]},
    {"id": "house", "questions": [yes_no("rent")]},
]
TOTAL = 3 * math.log(3)
"""Of what is always asked and the dearest section: ln 9 is more than 2."""


@pytest.fixture
def work(staff_app, door_of, survey_file):
    """The door of an open survey: everybody is asked `about`, and one of the three others."""
    door = door_of(staff_app)
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    table |= {"candor": 2, "asked": 1, "sections": SECTIONS, "results": {"step": STEP}}
    draft = door.storage.write(surveys.create_draft, table)
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    return door


def row(asked, answer=1):
    return {name: answer if of in (None, asked) else NOT_ASKED for name, of in COLUMNS.items()}


@pytest.fixture
def fill(work, one_by_one):
    """Send so many rows that were asked each section, a number of them with yes, and close it if asked."""

    def fill(close=True, **asked):
        each = [
            [row(section, int(n < yes)) for n in range(people)] for section, (people, yes) in asked.items()
        ]
        rows = [one for turn in zip_longest(*each) for one in turn if one]  # in turn, as they would come
        batch = [
            Submission(work.survey.id, work.survey.publication.fingerprint, f"{n:032x}", each)
            for n, each in enumerate(rows)
        ]
        assert set(work.storage.write(one_by_one, batch, DAY)) == {"stored"}
        if close:
            work.storage.write(surveys.close_survey, work.survey.id)
            work.storage.finish()
        return work

    return fill


@pytest.fixture
def researcher(staff_app, browse):
    return browse("researcher")


@pytest.fixture
def document(researcher):
    return lambda: researcher.get("/results/work/estimates.json").json


def table(researcher, address="estimates.csv"):
    text = researcher.get(f"/results/work/{address}").text.removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def found(document, name):
    return next(each for each in document["questions"] if each["question"] == name)


def part(document, name):
    return next(each for each in document["sections"] if each["section"] == name)


def test_what_is_sent_arrives_in_results_and_downloads(work, researcher, document):
    for n, asked in enumerate(("pay", "pay", "hours")):
        sent = {"fingerprint": work.survey.publication.fingerprint, "receipt": f"{n:032x}"} | row(asked)
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = work.client.post("/s/work", data={k: str(v) for k, v in sent.items()}, headers=headers)
        assert 'data-outcome="stored"' in answer.text
    work.storage.write(surveys.close_survey, work.survey.id)
    work.storage.finish()
    assert {each["question"]: each["respondents"] for each in document()["questions"]} == {
        "old": 3, "late": 2, "never": 2, "nights": 1, "rent": 0,
    }  # fmt: skip
    page = researcher.get("/results/work").text
    assert "Asked of 2 of 3 respondents." in page
    _, _, unanswered = page.partition('id="unanswered"')
    assert "Did you do rent?" in unanswered
    assert page.count('<article class="estimate') == 4
    assert "Your pay" in page
    reports = researcher.get("/results/work/reports.csv").text.splitlines()
    assert reports == ["old,late,never,nights,rent", "1,1,1,2,2", "1,1,1,2,2", "1,2,2,1,2"]


def test_each_question_is_estimated_from_those_who_were_asked_it(fill, document):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    late, nights = found(document(), "late"), found(document(), "nights")
    # pi = (noisy share - (1 - p)/2) / p, with p = 1/2 and, at epsilon 2, p = tanh 1
    assert late["answers"][1]["unbiased"] == pytest.approx((30 / 60 - 0.25) / 0.5)
    assert nights["answers"][1]["unbiased"] == pytest.approx(
        (30 / 40 - (1 - math.tanh(1)) / 2) / math.tanh(1), abs=1e-6
    )
    assert (late["respondents"], late["reported"], late["not_asked"]) == (60, 60, 84)
    assert found(document(), "old")["respondents"] == 144


def test_a_forger_chooses_the_section(fill, document):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    moved = found(document(), "late")["radius"]
    assert moved == pytest.approx(radius(coin(), 60))
    assert moved == pytest.approx(radius(coin(), 180) * 3)  # sections / asked times that of the same n


def test_the_total_is_that_of_the_parts_one_person_is_asked(fill, document, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    total = document()["budget"]
    assert (total["epsilon"], total["sections"], total["asked"]) == (pytest.approx(TOTAL), 4, 2)
    shown = researcher.get("/results/work").text.split('id="budget"')[1].split("</dd>")[0]
    assert f"{TOTAL:.4f}" in shown
    assert "the most for one person, summed over the 2 of 4 parts they are asked" in shown


def test_the_whole_figure_takes_the_dearest_and_not_what_the_reader_does_not_know(fill, document):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    two_coins = 2 * shuffled(coin(), STEP, DELTA).epsilon
    sharp = shuffled(spinner_coin(2.0), STEP, DELTA).epsilon
    assert document()["shuffle_epsilon"] == pytest.approx(two_coins / 2 + max(two_coins, sharp))
    assert part(document(), "pay")["shuffle_epsilon"] == pytest.approx(two_coins)


def test_while_no_rows_can_be_had_a_part_alone_reveals_less_to_who_does_not_know_the_draw(
    fill, document, researcher
):
    fill(close=False, pay=(30, 15), hours=(30, 15), house=(30, 15))
    pay = part(document(), "pay")
    assert (pay["asked"], pay["asked_of"]) == (20, 60)  # what is shown lags a step
    both = shuffled(coin(), STEP, DELTA).epsilon * 2
    assert pay["unknown"]["shuffle_epsilon"] == pytest.approx(math.log(1 + math.expm1(both) / 3))
    assert pay["unknown"]["shuffle_delta"] == pytest.approx(2 * DELTA / 3)
    assert part(document(), "about")["unknown"] is None
    page = researcher.get("/results/work").text
    assert 'id="respondents">80<' in page
    assert page.count("Each part is updated by itself, so it may count fewer people") == 1
    assert "does not know who was asked learns less" in page
    (of_pay,) = [
        each for each in table(researcher) if (each["quantity"], each["section"]) == ("section", "pay")
    ]
    assert float(of_pay["shuffle_epsilon"]) == pay["unknown"]["shuffle_epsilon"]


def test_once_rows_can_be_had_nothing_is_claimed_of_who_does_not_know_the_draw(fill, document, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    assert [each["unknown"] for each in document()["sections"]] == [None] * 4
    assert "learns less" not in researcher.get("/results/work").text


def test_a_part_to_which_closing_adds_less_than_a_step_has_no_figure_and_says_so(fill, document, researcher):
    fill(pay=(60, 30), hours=(STEP, 5), house=(STEP - 1, 3))
    rent = found(document(), "rent")
    assert (rent["shuffle_epsilon"], rent["shuffle_reason"]) == (None, "short")
    assert (document()["shuffle_epsilon"], document()["shuffle_reason"]) == (None, "short")
    assert found(document(), "nights")["shuffle_epsilon"] is not None
    page = researcher.get("/results/work").text
    assert page.count("Closing added only 9 people to this part, fewer than a step.") == 2


def test_numbers_asked_that_the_draw_does_not_give_are_flagged(fill, document, researcher):
    fill(pay=(60, 30), hours=(60, 30), house=(20, 5))
    codes = {each["section"]: [one["code"] for one in each["warnings"]] for each in document()["sections"]}
    assert codes == {"about": [], "pay": [], "hours": [], "house": ["asked_fewer"]}
    assert 'data-notice="asked_fewer"' in researcher.get("/results/work").text


def test_not_asked_is_a_code_that_the_metadata_names(fill, document, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    assert found(document(), "late")["codes"] == {"device": [0, 1], "not_asked": [2, 2]}
    assert "not_asked" not in found(document(), "old")["codes"]
    (late,) = [
        each for each in table(researcher) if (each["column"], each["stratum"]) == ("late", "not_asked")
    ]
    assert (late["count"], late["code"], late["section"]) == ("84", "2", "pay")
    assert (late["asked"], late["asked_of"]) == ("60", "144")
    assert "hold their last code" in researcher.get("/results/work").text


def test_a_cross_table_is_of_those_who_were_asked_both_with_their_number(fill, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    page = researcher.get("/results/work/cross?row=late&column=never").text
    assert page.split('id="respondents">')[1].startswith("60")
    assert "60 <span" in page.split('id="asked-both">')[1]
    assert "of 144 respondents" in page
    assert "skipped one of the two" not in page
    rows = table(researcher, "cross.csv?row=late&column=never")
    assert {each["asked_both"] for each in rows} == {"60"}
    assert sum(int(each["count"]) for each in rows if each["quantity"] == "reports") == 60


def test_questions_of_parts_that_nobody_is_asked_together_cannot_be_crossed(fill, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    page = researcher.get("/results/work/cross?row=late&column=rent").text
    assert "Nobody was asked both questions" in page


def test_who_knows_the_parts_may_find_the_row_and_the_page_says_so(fill, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    assert (
        "Whoever knows which parts somebody was asked may find their row"
        in researcher.get("/results/work").text
    )


def test_the_headings_that_were_there_stand_where_they_stood(fill, researcher):
    fill(pay=(60, 30), hours=(40, 30), house=(44, 11))
    heading = researcher.get("/results/work/estimates.csv").text.splitlines()[0]
    assert heading.endswith(f",interval_level,method,warnings,section,asked,asked_of,code,{LAST}")
