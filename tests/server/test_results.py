"""Results and downloads: the same numbers everywhere, and those of the estimator."""

import csv
import io
import json
import re
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.runtime import offload
from server.store import surveys
from server.store.submissions import Submission
from survey.estimate import estimate_proportions
from survey.interval import proportion_intervals
from survey.read_definition import from_dict

TABLE = {
    "candor": 1,
    "slug": "health",
    "languages": ["en"],
    "title": {"en": "Health at work"},
    "information": {"en": "Who asks."},
    "consent": {"en": "Yes."},
    "results": {"step": 10},
    "questions": [
        {"id": "tired", "mechanism": "spinner_coin", "epsilon": 1.5, "wording": {"en": "=cmd|' /C calc'!A0"}},
        {"id": "slept", "mechanism": "coin", "wording": {"en": "Slept, “at” work?"}},
    ],
}
REPORTS = [(1, 0)] * 22 + [(0, 1)] * 9 + [(0, 0)] * 12  # 43 respondents: the last step but one is at 30


@pytest.fixture
def publish(storage, one_by_one):
    """Open a survey, send it reports, and close it if asked."""

    def publish(reports=REPORTS, close=True, **results):
        definition = from_dict(TABLE | {"results": TABLE["results"] | results}, "the test")
        survey = storage.write(surveys.import_definition, definition)
        survey = storage.write(surveys.open_survey, survey.id)
        fingerprint = survey.publication.fingerprint
        batch = [
            Submission(survey.id, fingerprint, secrets.token_hex(16), {"tired": tired, "slept": slept})
            for tired, slept in reports
        ]
        if batch:
            assert set(storage.write(one_by_one, batch, "2026-05-04")) == {"stored"}
        if not close:
            return survey
        closed = storage.write(surveys.close_survey, survey.id)
        storage.finish()
        return closed

    return publish


def test_the_page_is_laid_out_in_a_thread_so_that_nobody_waits_for_it(publish, researcher, monkeypatch):
    publish()
    expected, threads = shown(researcher), []

    def in_a_thread(function, *args):
        with ThreadPoolExecutor(1) as pool:
            threads.append(function)
            return pool.submit(function, *args).result()

    monkeypatch.setattr(offload, "run", in_a_thread)
    assert shown(researcher) == expected
    assert threads


def shown(researcher):
    """The page without the token of its form, which changes with every second."""
    return re.sub(r'(?<=name="csrf_token" value=")[^"]+', "", researcher.get("/results/health").text)


def estimates(researcher, query=""):
    return json.loads(researcher.get(f"/results/health/estimates.json{query}").text)


def rows(answer):
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"), newline="")))


def test_the_numbers_are_those_of_the_estimator(publish, researcher):
    survey = publish()
    tired = estimates(researcher)["questions"][0]
    channel = survey.publication.channels["tired"]
    expected = estimate_proportions(channel, [21, 22])
    intervals = proportion_intervals(channel, [21, 22], 0.95, "exact")
    assert tired["respondents"] == 43
    for index, answer in enumerate(tired["answers"]):
        assert answer == {
            "answer": ["no", "yes"][index],
            "count": [21, 22][index],
            "noisy_share": expected.noisy_shares[index],
            "estimate": expected.maximum_likelihood[index],
            "low": intervals[index].low,
            "high": intervals[index].high,
            "unbiased": expected.proportions[index],
            "standard_error": expected.standard_errors[index],
            "people": 43 * expected.maximum_likelihood[index],
            "confidence_level": 0.95,
            "method": "exact",
            "band_low": None,
            "band_high": None,
        }


@pytest.mark.parametrize("query", ["", "?confidence_level=0.8&method=wilson", "?method=likelihood_ratio"])
def test_table_and_json_agree_to_the_last_digit(publish, researcher, query):
    publish()
    whole = estimates(researcher, query)
    table = rows(researcher.get(f"/results/health/estimates.csv{query}"))
    expected = [(question, answer) for question in whole["questions"] for answer in question["answers"]]
    *table, total = table
    assert total["quantity"] == "budget"
    assert len(table) == len(expected) == 4
    for row, (question, answer) in zip(table, expected, strict=True):
        for name in (
            "estimate",
            "low",
            "high",
            "unbiased",
            "standard_error",
            "people",
            "noisy_share",
        ):
            assert row[name] == json.dumps(answer[name])
        assert row["count"] == str(answer["count"])
        assert json.loads(row["channel"]) == question["channel"][["no", "yes"].index(answer["answer"])]
        for name in ("fingerprint", "method", "state"):
            assert row[name] == whole[name]
        assert row["confidence_level"] == json.dumps(whole["confidence_level"])
        assert row["epsilon"] == json.dumps(question["epsilon"])


def test_every_number_names_where_it_comes_from(publish, researcher):
    survey = publish()
    whole = estimates(researcher, "?confidence_level=0.9&method=wald")
    assert whole["fingerprint"] == survey.publication.fingerprint
    assert (whole["confidence_level"], whole["method"], whole["state"]) == (0.9, "wald", "closed")
    assert whole["budget"]["epsilon"] == pytest.approx(1.5 + 1.0986122886681098, abs=1e-9)
    coin = whole["questions"][1]
    assert coin["channel"] == [[0.75, 0.25], [0.25, 0.75]]
    assert coin["weights"] == [[3 * 2**30, 2**30], [2**30, 3 * 2**30]]


def test_the_page_shows_the_same_numbers(publish, researcher):
    publish()
    page = researcher.get("/results/health").text
    for question in estimates(researcher)["questions"]:
        yes = question["answers"][1]
        for name in ("estimate", "low", "high", "unbiased", "standard_error", "noisy_share"):
            assert f"{yes[name]:.4f}".replace("-", "−") in page
        assert f"{100 * yes['low']:.0f}% to {100 * yes['high']:.0f}%" in page


def test_a_method_that_is_the_same_for_all_questions_is_said_once(publish, researcher):
    publish()
    page = researcher.get("/results/health?method=wilson").text
    assert page.split('id="method-of-all">')[1].startswith("Wilson, 95%</dd>")
    assert "Method: " not in page


def test_an_open_survey_shows_its_last_step_only(publish, researcher):
    publish(close=False)
    page = researcher.get("/results/health").text
    assert '<strong id="respondents">30</strong>' in page
    assert "only when at least 10 more people have answered" in page
    assert "After a restart of the server, the next update takes longer." in page
    assert "43" not in {row["respondents"] for row in rows(researcher.get("/results/health/estimates.csv"))}
    assert estimates(researcher)["respondents"] == 30


@pytest.mark.parametrize("close", [False, True])
def test_without_respondents_nothing_is_claimed(publish, researcher, close):
    publish(reports=[], close=close)
    page = researcher.get("/results/health").text
    assert ("There are no results." if close else "There are no results yet.") in page
    assert '<svg class="chart"' not in page
    (yes,) = estimates(researcher)["questions"][0]["answers"][1:]
    assert (yes["standard_error"], yes["noisy_share"], yes["low"], yes["high"]) == (None, None, 0, 1)
    assert rows(researcher.get("/results/health/estimates.csv"))[0]["standard_error"] == ""


def test_a_warning_stands_on_the_page_and_in_both_files(publish, researcher):
    publish(reports=[(1, 1)] * 100)
    page = researcher.get("/results/health").text
    assert "All 100 reports are the same" in page
    assert "The noisy share 100.0% lies outside" in page
    codes = [warning["code"] for warning in estimates(researcher)["questions"][0]["warnings"]]
    assert codes == ["all_same", "infeasible"]
    assert "All reports are the same" in rows(researcher.get("/results/health/estimates.csv"))[0]["warnings"]


def test_a_negative_unbiased_share_stays_a_number_and_a_wording_stays_text(publish, researcher):
    publish(reports=[(0, 0)] * 20)
    table = rows(researcher.get("/results/health/estimates.csv"))
    assert float(table[1]["unbiased"]) < 0
    assert table[1]["wording"] == "'=cmd|' /C calc'!A0"


@pytest.mark.parametrize("query", ["?method=guess", "?confidence_level=0.5", "?confidence_level=nan"])
def test_a_method_or_level_that_is_none_is_refused_with_what_is_allowed(publish, researcher, query):
    publish()
    for address in ("/results/health", "/results/health/estimates.csv", "/results/health/estimates.json"):
        answer = researcher.get(address + query)
        assert answer.status_code == 400
        assert "must be one of" in answer.text
        assert query.partition("=")[2] in answer.text


def test_noisy_reports_are_sorted_by_their_own_values_and_hold_nothing_else(publish, researcher):
    publish()
    answer = researcher.get("/results/health/reports.csv")
    header, *lines = csv.reader(io.StringIO(answer.text, newline=""))
    assert header == ["tired", "slept"]
    assert [tuple(map(int, line)) for line in lines] == sorted(REPORTS)


def test_noisy_reports_of_an_open_survey_are_withheld_in_words(publish, researcher):
    publish(close=False)
    answer = researcher.get("/results/health/reports.csv")
    assert answer.status_code == 409
    assert "not available yet" in answer.text
    assert '<a href="/results/health">See the estimates</a>' in answer.text
    assert "reports.csv" not in researcher.get("/results/health").text


def test_noisy_reports_can_be_had_earlier_if_the_survey_says_so(publish, researcher):
    publish(close=False, reports_while_open=True)
    answer = researcher.get("/results/health/reports.csv")
    assert answer.text.count("\r\n") == 44
    assert 'id="reports-csv"' in researcher.get("/results/health").text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("estimates.csv", "text/csv; charset=utf-8"),
        ("estimates.json", "application/json"),
        ("reports.csv", "text/csv; charset=utf-8"),
    ],
)
def test_a_download_is_saved_and_never_shown_or_kept(publish, researcher, name, kind):
    fingerprint = publish().publication.fingerprint
    answer = researcher.get(f"/results/health/{name}")
    # The estimates hold the fingerprint themselves.
    saved = f"health-{fingerprint[:12]}-{name}" if name == "reports.csv" else f"health-{name}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{saved}"'
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_draft_and_a_survey_that_does_not_exist_have_no_results(storage, researcher):
    storage.write(surveys.create_draft, TABLE)
    for slug in ("health", "none"):
        for rest in ("", "/estimates.csv", "/estimates.json", "/reports.csv"):
            assert researcher.get(f"/results/{slug}{rest}").status_code == 404
    assert "No survey has been opened yet." in researcher.get("/results").text


def test_charts_need_no_inline_style(publish, researcher):
    publish()
    page = researcher.get("/results/health").text
    assert page.count('<svg class="chart"') == 4  # of each question in the overview, and by itself
    assert " style=" not in page
    scripts = re.findall("<script.*?</script>", page, re.DOTALL)
    module = r'<script type="module" src="/static/\w+/js/(\w+/\w+).js"></script>'
    assert [re.fullmatch(module, script)[1] for script in scripts] == [
        "staff/send_once",
        "staff/focus_notice",
        "results/save_png",
    ]
