"""The band for people who left over a result that they saw: on the page, in the chart and in downloads."""

import csv
import io
import json
import re
import secrets
from html import unescape

import numpy as np
import people
import pytest
from kinds import every_kind

from server.language.catalogue import LANGUAGES
from server.results.archive.methods import methods_text
from server.results.files.material import Material
from server.store import submissions as store
from server.store import surveys
from server.store.submissions import Submission
from survey.figures.document import document
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.read_definition import from_dict


def estimated(outcome):
    """Figures of a survey of every kind, answered by 500."""
    publication = every_kind(outcome)
    reports = people.answer(publication, 500, np.random.default_rng(4))
    return people.figures(publication, reports, Precision(0.95, "exact"))


def table(figures):
    return [dict(zip(header(figures), row, strict=True)) for row in rows(figures)]


def test_where_results_are_seen_first_each_share_and_each_mean_has_a_band_about_its_interval():
    for row in table(estimated("before")):
        if row["quantity"] in ("proportion", "mean"):
            assert row["band_low"] <= row["low"] <= row["high"] <= row["band_high"]
            wider = row["band_low"] < row["low"] or row["high"] < row["band_high"]
            assert wider or {row["low"], row["high"]} & {0, 1}  # the share of Yes is raised, up to 1
        else:
            assert (row["band_low"], row["band_high"]) == (None, None)


def test_where_they_are_shown_afterwards_only_those_of_real_coins_have_one():
    banded = {
        (row["column"], row["stratum"]) for row in table(estimated("after")) if row["band_low"] is not None
    }
    assert banded == {("hurt", "by_hand"), ("hurt", "pooled")}
    strata = {
        row["stratum"]: row
        for row in table(estimated("before"))
        if row["answer"] == "yes" and row["column"] == "hurt"
    }
    after = {
        row["stratum"]: row
        for row in table(estimated("after"))
        if row["answer"] == "yes" and row["column"] == "hurt"
    }
    assert after["by_hand"] == strata["by_hand"] | {"fingerprint": after["by_hand"]["fingerprint"]}
    assert after["pooled"]["high"] < after["pooled"]["band_high"] < strata["pooled"]["band_high"]


def test_the_json_has_the_same_ends():
    figures = estimated("before")
    questions = {each["question"]: each for each in document(figures)["questions"]}
    ends = {
        row["column"]: (row["band_low"], row["band_high"])
        for row in table(figures)
        if row["quantity"] == "mean"
    }
    assert {
        name: (questions[name]["mean"]["band_low"], questions[name]["mean"]["band_high"]) for name in ends
    } == ends


@pytest.mark.parametrize(
    ("outcome", "said"), [("before", "saw each result before"), ("after", "used real coins saw")]
)
def test_the_methods_say_what_the_band_is(outcome, said):
    text = methods_text(Material(estimated(outcome), None, "0"), [])
    assert said in text
    assert "if up to one in ten of those who saw any one result left" in text
    assert "People who left over another question are not covered." in text


def texts(english, korean):
    return {"en": english, "ko": korean}


ASKED = [
    {"id": "copied", "mechanism": "coin", "wording": texts("Have you copied?", "베꼈습니까?")},
    {
        "id": "sector",
        "kind": "choice",
        "mechanism": "wheel",
        "epsilon": 2.0,
        "wording": texts("Where do you work?", "어디에서 일합니까?"),
        "options": [texts("School", "학교"), texts("Factory", "공장"), texts("Home", "집")],
    },
    {
        "id": "harm",
        "kind": "boxes",
        "mechanism": "per_box",
        "epsilon": 2.0,
        "scope": "box",
        "wording": texts("What happened?", "무슨 일이 있었습니까?"),
        "options": [texts("Theft", "도난"), texts("Threats", "위협")],
    },
    {
        "id": "hours",
        "kind": "number",
        "mechanism": "laplace",
        "epsilon": 8.0,
        "low": 0,
        "high": 40,
        "step": 10,
        "unit": texts("hours", "시간"),
        "wording": texts("How long?", "얼마나?"),
    },
]
WORK = {
    "candor": 1,
    "slug": "work",
    "languages": ["en", "ko"],
    "title": texts("Work", "일"),
    "information": texts("Who asks.", "누가 묻는지."),
    "consent": texts("Yes.", "예."),
    "questions": ASKED,
}
REPORTS = [
    *[{"copied": 1, "sector": 1, "harm_1": 0, "harm_2": 1, "hours": 1}] * 80,
    *[{"copied": 0, "sector": 2, "harm_1": 0, "harm_2": 0, "hours": 2}] * 120,
]


@pytest.fixture
def closed(storage):
    """Open a survey, record reports and close it."""

    def closed(outcome):
        made = storage.write(surveys.import_definition, from_dict(WORK | {"outcome": outcome}, "the test"))
        made = storage.write(surveys.open_survey, made.id)
        sent = [
            Submission(made.id, made.publication.fingerprint, secrets.token_hex(16), each) for each in REPORTS
        ]
        storage.write(store.record, sent, "2026-05-04")
        storage.write(surveys.close_survey, made.id)
        storage.finish()

    return closed


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_it_in_a_sentence_and_draws_it_beside_the_interval(closed, browse, language):
    closed("before")
    researcher = browse("researcher")
    page = unescape(researcher.get(f"/results/work?language={language}").text)
    said = re.findall(r'<p class="leaving">(.+?)</p>', page)
    assert len(said) == len(ASKED)
    downloaded = researcher.get("/results/work/estimates.csv").text.removeprefix("\ufeff")
    (yes,) = [
        row
        for row in csv.DictReader(io.StringIO(downloaded))
        if row["column"] == "copied" and row["answer"] == "yes"
    ]
    # The share sent at the upper end, over 1 less a tenth of the rest.
    sent = 0.25 + 0.5 * float(yes["high"])
    assert float(yes["band_high"]) == pytest.approx((sent / (1 - 0.1 * (1 - sent)) - 0.25) / 0.5)
    assert yes["band_low"] == yes["low"]
    assert f"{100 * float(yes['band_low']):.0f}%" in said[0]
    assert f"{100 * float(yes['band_high']):.0f}%" in said[0]
    for sentence, option in zip(said[1:3], (("Home", "집"), ("Threats", "위협")), strict=True):
        assert option[language == "ko"] in sentence or option[0] in sentence
    drawn = len(re.findall('class="chart-band"', page)) / 3
    assert drawn == len(ASKED) + 1 + 3 + 2 + 1  # the overview first
    assert page.count(
        "; thin line: if people left" if language == "en" else "; 가는 선은 떠난 사람이 있을 때"
    ) == len(ASKED)
    picture = researcher.get(f"/results/work/charts/copied.svg?language={language}").text
    assert 'stroke-width="1"' in picture.split("<circle")[0].split("</g>")[-1]


def test_where_nobody_saw_a_result_first_the_page_says_nothing_of_it(closed, browse):
    closed("after")
    page = browse("researcher").get("/results/work").text
    assert "chart-band" not in page
    assert 'class="leaving"' not in page
    assert "left" not in re.findall(r'<dd id="reading">(.*?)</dd>', page, re.DOTALL)[0]


def test_the_board_reads_the_part_and_the_formula(closed, browse):
    closed("before")
    page = unescape(browse("researcher").get("/results/work/ethics").text)
    assert "up to one in ten (f = 0.1) of those who saw a result" in page
    assert "divided by 1 minus a tenth of the share of No" in page
    assert json.dumps("survey/interval/leaving_band.py").strip('"') in page
