"""What results say of privacy: the total over questions and waves, the limit, and the published counts."""

import csv
import io
import json
import math
import secrets

import pytest

from server.language.catalogue import LANGUAGES, say
from server.store import surveys
from server.store.results import visible_results
from server.store.submissions import Submission
from survey.mechanisms import coin, spinner_coin
from survey.privacy import ASSUMPTION, budget, shuffled
from survey.read_definition import from_dict

LAST = "estimate,stated_epsilon,exact_epsilon,band_low,band_high"
STEP = 10
TEXT = {"en": "Have you?"}
COPIED = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
SLEPT = {"id": "slept", "mechanism": "coin", "wording": TEXT}
TOPIC = {
    "kind": "choice",
    "mechanism": "wheel",
    "epsilon": 0.1,
    "options": [{"en": f"Option {n}"} for n in range(10)],
    "wording": TEXT,
}


@pytest.fixture
def publish(storage, one_by_one):
    """Open a survey, send it yes from so many people to everything, and close it if asked."""

    def publish(questions, people=43, close=True, waves=1, limit=None, **results):
        table = {"candor": 1, "slug": "health", "languages": ["en"], "questions": list(questions)}
        table |= {name: {"en": "Words."} for name in ("title", "information", "consent")}
        table["results"] = {"step": STEP} | results
        table["budget"] = {"waves": waves} | ({"limit": limit} if limit else {})
        survey = storage.write(surveys.import_definition, from_dict(table, "the test"))
        survey = storage.write(surveys.open_survey, survey.id)
        reports = dict.fromkeys(survey.publication.columns, 1)
        batch = [
            Submission(survey.id, survey.publication.fingerprint, secrets.token_hex(16), reports)
            for _ in range(people)
        ]
        if batch:
            storage.write(one_by_one, batch, "2026-05-04")
        if not close:
            return survey
        closed = storage.write(surveys.close_survey, survey.id)
        storage.finish()
        return closed

    return publish


@pytest.fixture
def document(researcher):
    return lambda: json.loads(researcher.get("/results/health/estimates.json").text)


@pytest.fixture
def table(researcher):
    def table():
        text = researcher.get("/results/health/estimates.csv").text.removeprefix("\ufeff")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    return table


def test_the_total_is_the_plain_sum_over_questions_and_waves_with_the_limit_that_it_keeps(
    publish, document, researcher
):
    publish([COPIED, SLEPT], waves=3, limit=6.5)
    total = document()["budget"]
    assert total["epsilon"] == pytest.approx(3 * (1 + math.log(3)))
    assert (total["delta"], total["waves"], total["limit"], total["composed"]) == (0.0, 3, 6.5, None)
    page = researcher.get("/results/health").text
    shown = page.split('id="budget"')[1].split("</dd>")[0]
    assert "6.2958" in shown
    assert "the sum over 2 questions in all 3 waves" in shown
    assert "own limit is ε\u00a0=\u00a06.5" in shown


def test_a_composed_loss_stands_beside_the_sum_where_it_is_smaller(publish, document, researcher):
    questions = [TOPIC | {"id": f"topic_{n}"} for n in range(20)]
    survey = publish(questions)
    expected = budget(survey.publication.reports).composed
    assert expected.epsilon < 1.9 < document()["budget"]["epsilon"] == pytest.approx(2.0)
    assert document()["budget"]["composed"] == {"epsilon": expected.epsilon, "delta": 1e-6}
    assert (
        f"the loss is also at most ε\u00a0=\u00a0{expected.epsilon:.4f} with δ\u00a0=\u00a01e-6"
        in researcher.get("/results/health").text
    )


def test_while_open_two_results_differ_by_a_step(publish, document):
    publish([COPIED, SLEPT], close=False)
    copied, slept = document()["questions"]
    for found, channel in ((copied, spinner_coin(1.0)), (slept, coin())):
        expected = shuffled(channel, STEP, 1e-6)
        assert found["shuffle_epsilon"] == expected.epsilon
        assert (found["shuffle_delta"], found["shuffle_respondents"]) == (1e-6, STEP)
        assert (found["shuffle_exact"], found["shuffle_reason"]) == (True, None)
    whole = document()
    assert whole["shuffle_epsilon"] == pytest.approx(copied["shuffle_epsilon"] + slept["shuffle_epsilon"])
    assert (whole["shuffle_delta"], whole["shuffle_exact"]) == (2e-6, False)


@pytest.mark.parametrize(("people", "group"), [(43, STEP), (2 * STEP, STEP), (19, 19), (3, 3)])
def test_closing_adds_a_step_at_least_or_everybody(publish, document, people, group):
    publish([COPIED], people=people)
    assert document()["shuffle_respondents"] == group
    assert document()["shuffle_epsilon"] == shuffled(spinner_coin(1.0), group, 1e-6).epsilon


def test_what_the_step_and_the_figure_assume_stands_beside_them_and_in_every_download(
    publish, document, table, researcher
):
    publish([COPIED], close=False)
    page = researcher.get("/results/health").text
    shown = page.split('id="published"')[1].split("</dd>")[0]
    assert "assume that the other people in the step are real" in shown
    assert document()["shuffle_assumption"] == ASSUMPTION
    (row,) = (row for row in table() if row["quantity"] == "budget")
    assert row["warnings"] == ASSUMPTION


def test_who_knows_all_other_reports_of_a_step_reads_the_one_that_is_left(publish, storage, one_by_one):
    survey = publish([COPIED], people=0, close=False)
    forged = [0, 1] * (STEP // 2 - 1) + [1]
    memory = {}
    for victim in (0, 1):
        before = storage.read(visible_results.results, survey).counts["copied"][1]
        batch = [
            Submission(survey.id, survey.publication.fingerprint, secrets.token_hex(16), {"copied": report})
            for report in [*forged, victim, *[0] * STEP]  # one more step brings the victim's to light
        ]
        storage.write(one_by_one, batch, "2026-05-04", memory)
        after = storage.read(visible_results.results, survey).counts["copied"][1]
        assert after - before - sum(forged) == victim


def test_a_page_that_moves_says_what_repeated_looks_do_and_which_interval_to_quote(
    publish, researcher, storage
):
    survey = publish([COPIED], close=False)
    said = researcher.get("/results/health").text.partition('id="looks"')[2].partition("</p>")[0]
    assert "With forty looks at 95%" in said
    assert "in a quarter to a third of surveys" in said
    assert "Quote the interval after closing, and only if the survey closes on a date" in said
    storage.write(surveys.close_survey, survey.id)
    said = researcher.get("/results/health").text.partition('id="looks"')[2].partition("</p>")[0]
    assert "if the survey closed on a date or at a number of respondents that was fixed beforehand" in said
    assert "forty" not in said


def test_who_is_asked_in_several_waves_is_in_the_counts_of_each(publish, document, researcher):
    publish([COPIED], waves=3)
    once = shuffled(spinner_coin(1.0), STEP, 1e-6)
    assert document()["questions"][0]["shuffle_epsilon"] == once.epsilon
    assert document()["shuffle_epsilon"] == pytest.approx(3 * once.epsilon)
    assert document()["shuffle_delta"] == pytest.approx(3e-6)
    assert "covers all 3 waves" in researcher.get("/results/health").text


def test_a_closed_survey_that_nobody_answered_publishes_nothing(publish, document, researcher):
    publish([COPIED], people=0)
    assert document()["shuffle_epsilon"] is document()["shuffle_reason"] is None
    assert 'id="published"' not in researcher.get("/results/health").text


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (COPIED | {"skip": "apart"}, "apart"),
        (COPIED | {"by_hand": "coin"}, "apart"),
        (TOPIC | {"id": "topic", "epsilon": 5.0}, "too_few"),
        (
            {"id": "spent", "kind": "number", "mechanism": "gaussian", "epsilon": 1.0, "delta": 1e-6,
             "low": 0, "high": 10, "step": 1, "wording": TEXT},
            "approximate",
        ),
    ],
    ids=["skip", "coins", "too few", "Gaussian"],
)  # fmt: skip
def test_where_there_is_no_figure_the_reason_is_given_everywhere(
    publish, document, table, researcher, question, reason
):
    publish([question], close=False)
    (found,) = document()["questions"]
    assert (found["shuffle_epsilon"], found["shuffle_reason"]) == (None, reason)
    assert document()["shuffle_reason"] == reason
    assert {row["shuffle_reason"] for row in table() if row["quantity"] != "composed"} == {reason}
    words = say("en", f"results.published.{reason}", n=STEP, people=STEP)
    assert researcher.get("/results/health").text.count(words) == 2  # of the question, and in all


def test_the_table_carries_the_figures_of_json(publish, document, table):
    publish([COPIED, SLEPT], waves=2, limit=6.0)
    found = {each["question"]: each for each in document()["questions"]}
    *estimates, whole = table()
    found[""] = document()
    for row in [*estimates, whole]:
        for name in ("epsilon", "delta", "respondents", "exact"):
            assert row[f"shuffle_{name}"].lower() == json.dumps(found[row["question"]][f"shuffle_{name}"])
    assert (whole["quantity"], whole["waves"], whole["limit"]) == ("budget", "2", "6.0")
    assert float(whole["epsilon"]) == document()["budget"]["epsilon"]


@pytest.mark.parametrize(
    ("close", "results", "given"),
    [(True, {}, True), (False, {"reports_while_open": True}, True), (False, {}, False)],
    ids=["closed", "open with reports", "open"],
)
def test_where_the_reports_are_given_out_the_page_says_that_they_are_what_is_published(
    publish, researcher, close, results, given
):
    publish([COPIED], close=close, **results)
    assert (say("en", "results.published.rows") in researcher.get("/results/health").text) == given


def test_every_reason_has_words_in_every_language():
    for code in LANGUAGES:
        for reason in ("approximate", "too_few", "apart", "exact", "bound"):
            for n in (1, 50):
                values = {"n": n, "people": f"{n} people", "epsilon": "0.123", "delta": "1e-6"}
                words = say(code, f"results.published.{reason}", **values)
                assert (reason in ("exact", "bound")) == ("0.123" in words)


def test_where_nothing_is_drawn_no_heading_and_no_key_is_new(publish, document, researcher):
    publish([COPIED, SLEPT])
    heading = researcher.get("/results/health/estimates.csv").text.splitlines()[0]
    assert heading.endswith(f",interval_level,method,warnings,{LAST}")
    cross = researcher.get("/results/health/cross.csv?row=copied&column=slept").text.splitlines()[0]
    assert cross.endswith(",permutation_p_value,permutations")
    assert "sections" not in document().keys() | document()["budget"].keys()
    page = researcher.get("/results/health").text
    assert "data-part" not in page
    assert "who-was-asked" not in page
