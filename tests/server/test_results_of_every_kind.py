"""Results of every kind of question: on the page, in the table and as JSON, always the same numbers."""

import csv
import io
import json
import re
import secrets

import numpy as np
import pytest
from click.testing import CliRunner

from server.cli import main
from server.language.catalogue import LANGUAGES, say
from server.language.rounding import at_most
from server.store import submissions as store
from server.store import surveys
from server.store.results import visible_results
from server.store.submissions import Submission
from survey.analysis.analysis import Analysis
from survey.crosstab import pool_strata, pooled_radius
from survey.estimate import estimate_mean, estimate_proportions
from survey.figures.questions import figures_of
from survey.figures.shares import Precision, shares_figures
from survey.interval import proportion_intervals
from survey.privacy import radius
from survey.read_definition import from_dict


def texts(english, korean=None):
    return {"en": english, "ko": korean or english}


INDUSTRY = {"en": "Industry", "ko": "산업"}

EVERY_KIND = {
    "candor": 1,
    "slug": "every-kind",
    "languages": ["en", "ko"],
    "title": texts("Work and rest", "일과 쉼"),
    "information": texts("Who asks."),
    "consent": texts("Yes."),
    "results": {"step": 100},
    "questions": [
        {
            "id": "copied",
            "mechanism": "spinner_coin",
            "epsilon": 1.0,
            "wording": texts("Have you ever copied?", "베낀 적이 있습니까?"),
        },
        {
            "id": "hurt",
            "mechanism": "spinner_coin",
            "epsilon": 1.5,
            "by_hand": "coin",
            "wording": texts("Were you hurt at work?", "일하다 다친 적이 있습니까?"),
        },
        {
            "id": "paid",
            "mechanism": "spinner",
            "epsilon": 2.0,
            "skip": "randomized",
            "wording": texts("Were you paid in cash?", "현금으로 받은 적이 있습니까?"),
        },
        {
            "id": "sector",
            "kind": "choice",
            "mechanism": "wheel",
            "epsilon": 2.0,
            "skip": "apart",
            "wording": texts("Where do you work?", "어디에서 일합니까?"),
            "options": [
                INDUSTRY,
                texts("Public service", "공공"),
                texts("School or university", "학교"),
                texts("Somewhere else entirely", "그 밖의 곳"),
            ],
        },
        {
            "id": "mood",
            "kind": "choice",
            "mechanism": "exponential",
            "ordered": True,
            "epsilon": 2.0,
            "wording": texts("How do you feel?", "기분이 어떻습니까?"),
            "options": [texts("Bad", "나쁨"), texts("Middling", "보통"), texts("Good", "좋음")],
        },
        {
            "id": "party",
            "kind": "choice",
            "mechanism": "subset",
            "epsilon": 0.8,
            "wording": texts("Which party?", "어느 당입니까?"),
            "options": [texts(name) for name in ("Amber", "Blue", "Crimson", "Dun", "Ecru", "Fawn")],
        },
        {
            "id": "drugs",
            "kind": "boxes",
            "mechanism": "sampled_box",
            "epsilon": 1.0,
            "wording": texts("What have you tried?", "무엇을 써 보았습니까?"),
            "options": [texts("Tea", "차"), texts("Coffee", "커피"), texts("Tobacco", "담배")],
        },
        {
            "id": "harm",
            "kind": "boxes",
            "mechanism": "per_box",
            "scope": "box",
            "epsilon": 1.0,
            "wording": texts("What happened to you?", "어떤 일을 겪었습니까?"),
            "options": [texts("Theft", "도난"), texts("Threats", "위협")],
        },
        {
            "id": "hours",
            "kind": "number",
            "mechanism": "laplace",
            "epsilon": 8.0,
            "low": 0,
            "high": 60,
            "step": 5,
            "unit": texts("hours", "시간"),
            "wording": texts("How long did you work?", "얼마나 일했습니까?"),
        },
        {
            "id": "drinks",
            "kind": "number",
            "mechanism": "one_bit",
            "epsilon": 1.0,
            "low": 0,
            "high": 10,
            "step": 1,
            "wording": texts("How many drinks?", "몇 잔을 마셨습니까?"),
        },
        {
            "id": "income",
            "kind": "number",
            "mechanism": "gaussian",
            "epsilon": 1.0,
            "delta": 1e-6,
            "low": 0,
            "high": 5,
            "step": 0.5,
            "wording": texts("What do you earn?", "얼마나 법니까?"),
        },
    ],
}

LIKELY = {
    "copied": [0.7, 0.3],
    "hurt": [0.9, 0.1],
    "paid": [0.6, 0.3, 0.1],
    "sector": [0.4, 0.3, 0.2, 0.1],
    "mood": [0.2, 0.5, 0.3],
}
"""Proportions of the answers; equal ones where none are given."""


def submissions(survey, respondents, seed=1):
    """Make up answers and send them through the channels; a tenth use real coins or skip where they can."""
    chance = np.random.default_rng(seed)
    columns = {}
    for name, column in survey.publication.columns.items():
        channel, hand = column.channel, column.by_hand
        answers = chance.choice(channel.answers, respondents, p=LIKELY.get(name))
        codes = drawn(chance, channel, answers)
        rarely = chance.random(respondents) < 0.1
        if hand is not None:
            codes = np.where(rarely, channel.reports + drawn(chance, hand, answers), codes)
        if column.skip_apart:
            codes = np.where(rarely, column.skip_code, codes)
        columns[name] = codes
    one_box_each(chance, columns)
    rows = zip(*columns.values(), strict=True)
    return [
        Submission(
            survey.id,
            survey.publication.fingerprint,
            secrets.token_hex(16),
            dict(zip(columns, map(int, row), strict=True)),
        )
        for row in rows
    ]


def drawn(chance, channel, answers):
    """Draw a report for each answer."""
    below = channel.weights.cumsum(axis=1)[answers]
    return (chance.integers(0, 2**32, len(answers))[:, None] >= below).sum(axis=1)


def one_box_each(chance, columns):
    """Let every respondent report on one of the sampled boxes, as the browser does at this epsilon."""
    boxes = [name for name in columns if name.startswith("drugs_")]
    respondents = len(columns[boxes[0]])
    chosen = chance.integers(0, len(boxes), respondents)
    for index, name in enumerate(boxes):
        reports = (chance.random(respondents) < 0.4).astype(int)
        columns[name] = np.where(chosen == index, reports, 2)


RESPONDENTS = 430
SIMULTANEOUS = "?simultaneous=1&confidence_level=0.9"


def answered_by(storage, respondents):
    """Have every kind of question answered by so many people, and close the survey."""
    made = storage.write(surveys.import_definition, from_dict(EVERY_KIND, "the test"))
    made = storage.write(surveys.open_survey, made.id)
    outcomes = storage.write(store.record, submissions(made, respondents), "2026-05-04")
    assert set(outcomes) == {"stored"}
    closed = storage.write(surveys.close_survey, made.id)
    storage.finish()
    return closed


@pytest.fixture
def survey(storage):
    return answered_by(storage, RESPONDENTS)


@pytest.fixture
def strata(storage, survey):
    """Give the counts of a column, taken apart."""
    counts = storage.read(visible_results.results, survey).counts
    return lambda name: survey.publication.columns[name].split(counts[name])


def questions(researcher, query=""):
    document = json.loads(researcher.get(f"/results/every-kind/estimates.json{query}").text)
    return {each["question"]: each for each in document["questions"]}


def rows(researcher, query=""):
    text = researcher.get(f"/results/every-kind/estimates.csv{query}").text.removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_what_is_downloaded_gives_the_same_estimates_on_the_command_line(survey, researcher, tmp_path):
    (tmp_path / "survey.toml").write_text(survey.publication.definition.as_toml(), encoding="utf-8")
    (tmp_path / "reports.csv").write_bytes(researcher.get("/results/every-kind/reports.csv").data)
    files = ["--survey", str(tmp_path / "survey.toml"), "--reports", str(tmp_path / "reports.csv")]
    level = ["--simultaneous", "--confidence-level", "0.9"]
    printed = CliRunner().invoke(main, ["estimate", *files, *level])
    assert (printed.exit_code, printed.stderr) == (0, "")
    shown = researcher.get(f"/results/every-kind/estimates.json{SIMULTANEOUS}").text
    assert json.loads(printed.stdout) == json.loads(shown)
    table = CliRunner().invoke(main, ["estimate", *files, *level, "--format", "csv"]).stdout
    downloaded = rows(researcher, SIMULTANEOUS)
    assert list(csv.DictReader(io.StringIO(table))) == downloaded


def test_every_question_has_its_chart_and_its_table(survey, researcher):
    page = researcher.get("/results/every-kind").text
    for question in survey.publication.definition.questions:
        article = page.split(f'id="{question.id}"')[1].split("</article>")[0]
        assert "<svg" in article, question.id
        assert "<table" in article, question.id
    assert "style=" not in page


PLOTTED = re.compile(r'<td class="number strong" data-value="([^"]+)">([^<]+)</td>')


def test_a_share_is_one_number_on_the_page_and_in_sentence_chart_overview_and_plot(storage, researcher):
    survey = answered_by(storage, 60)
    page = researcher.get("/results/every-kind").text
    overview = page.split('class="plotted overview"')[1].split("</table>")[0]
    analysis = Analysis(survey.publication, storage.read(visible_results.results, survey))
    unbiased, quoted = [], 0
    for figures in analysis.figures().questions:
        if figures.first.number is not None:
            continue
        name, shares = (
            figures.question.id,
            [each for column in figures.columns for each in column.best.shares],
        )
        unbiased += [share.unbiased for share in shares]
        assert all(0 <= share.low <= share.estimate <= share.high <= 1 for share in shares)
        article = page.split(f'" id="{name}">')[1].split("</article>")[0]
        shown = {float(value): text for value, text in PLOTTED.findall(article.split("<details>")[0])}
        picture = researcher.get(f"/results/every-kind/charts/{name}.svg").text
        assert set(re.findall(r'font-weight="bold"[^>]*>(−?[\d.]+%)</text>', picture)) == set(shown.values())
        dots = [line for line in analysis.plot(name).lines if line.get_marker() == "o"]
        plotted = {float(dot.get_xdata()[0]) for dot in dots}
        assert plotted <= {share.estimate for share in shares} & shown.keys()
        line = overview.split(f'href="#{name}"')[1].split("</tr>")[0]
        (written,) = re.findall(r'<td class="number strong">([^<]+)</td>', line)
        assert written in shown.values()
        if 'class="quote"' in article and written not in ("0%", "100%"):
            quoted += 1
            assert f"An estimated {written} would" in article
    assert quoted
    assert min(unbiased) < 0, "so few reports that unbiased shares leave the range"


def test_a_choice_has_a_row_for_each_option_in_its_order(survey, strata, researcher):
    sector = questions(researcher)["sector"]
    channel = survey.publication.columns["sector"].channel
    expected = estimate_proportions(channel, strata("sector").device)
    intervals = proportion_intervals(channel, strata("sector").device)
    assert [each["unbiased"] for each in sector["answers"]] == expected.proportions.tolist()
    assert [(each["low"], each["high"]) for each in sector["answers"]] == [
        (interval.low, interval.high) for interval in intervals
    ]
    page = researcher.get("/results/every-kind").text
    article = page.split('id="mood"')[1]
    places = [article.index(f'<th scope="row" lang="en">{name}') for name in ("Bad", "Middling", "Good")]
    assert places == sorted(places)


def test_sampled_boxes_are_divided_by_those_who_reported_on_the_box(survey, strata, researcher):
    boxes = questions(researcher)["drugs"]["boxes"]
    assert sum(box["reported"] for box in boxes) == RESPONDENTS
    for number, box in enumerate(boxes, start=1):
        counts = strata(f"drugs_{number}").device
        yes = box["answers"][1]
        assert box["reported"] == counts[0] + counts[1]
        assert yes["noisy_share"] == counts[1] / box["reported"]
        assert box["option"] == EVERY_KIND["questions"][6]["options"][number - 1]


def test_boxes_name_the_loss_of_a_box_and_of_the_question(survey, researcher):
    found = questions(researcher)
    assert found["harm"]["box_epsilon"] == pytest.approx(1.0, abs=1e-6)
    assert found["harm"]["epsilon"] == pytest.approx(2.0, abs=1e-6)
    assert found["drugs"]["sampled"] == 1
    assert found["drugs"]["epsilon"] == pytest.approx(1.0, abs=1e-6)
    page = researcher.get("/results/every-kind").text
    assert "ε\u00a0=\u00a01.0000 for one box, ε\u00a0=\u00a02.0000 for the whole question." in page
    assert "Each respondent reported on 1 of 3 boxes" in page


def test_a_survey_costs_the_sum_of_its_questions_in_epsilon_and_delta(survey, researcher):
    document = json.loads(researcher.get("/results/every-kind/estimates.json").text)
    total = document["budget"]
    assert total["epsilon"] == pytest.approx(sum(each["epsilon"] for each in document["questions"]))
    assert total["epsilon"] == pytest.approx(1 + 1.5 + 2 + 2 + 2 + 0.8 + 1 + 2 + 8 + 1 + 1, abs=1e-4)
    assert total["delta"] == 1e-6
    assert "22.3" in researcher.get("/results/every-kind").text


def test_the_gaussian_always_names_both_epsilon_and_delta(survey, researcher):
    income = questions(researcher)["income"]
    assert (income["epsilon"], income["delta"]) == (1.0, 1e-6)
    assert income["guarantee"] == {"epsilon": 1.0, "delta": 1e-6}
    assert {"ratio", "delta_weight", "form"} <= income.keys()
    table = [row for row in rows(researcher) if row["question"] == "income"]
    assert {(row["epsilon"], row["delta"]) for row in table} == {("1.0", "1e-06")}
    article = researcher.get("/results/every-kind").text.split('id="income"')[1].split("</article>")[0]
    assert "ε = 1.0000, δ = 1e-6" in article


def test_a_number_has_its_mean_and_the_quartiles_that_have_an_interval(survey, strata, researcher):
    hours = questions(researcher)["hours"]
    channel, counts = survey.publication.columns["hours"].channel, strata("hours").device
    mean = estimate_mean(channel, counts)
    assert (hours["mean"]["value"], hours["mean"]["low"], hours["mean"]["high"]) == (
        mean.mean,
        mean.low,
        mean.high,
    )
    assert [each["probability"] for each in hours["quantiles"]] == [0.25, 0.5, 0.75]
    article = researcher.get("/results/every-kind").text.split('id="hours"')[1].split("</article>")[0]
    assert "Median" in article
    assert article.count('class="chart-dot"') == 4 + len(hours["curve"]["points"])
    assert all(row["low"] and row["high"] for row in rows(researcher) if row["quantity"] == "quantile")
    assert [each["probability"] for each in questions(researcher)["income"]["quantiles"]] == [0.25]


def test_of_one_bit_the_mean_alone_is_shown_and_the_page_says_why(survey, researcher):
    drinks = questions(researcher)["drinks"]
    assert (drinks["quantiles"], drinks["mean"]["method"]) == ([], "exact")
    article = researcher.get("/results/every-kind").text.split('id="drinks"')[1].split("</article>")[0]
    assert "show only the mean" in article


def test_a_skip_counted_apart_is_counted_and_said_to_be_unprotected(survey, strata, researcher):
    skipped = strata("sector").skipped
    assert skipped > 0
    sector = questions(researcher)["sector"]
    assert (sector["skipped"], sector["respondents"]) == (skipped, RESPONDENTS)
    assert len(sector["answers"]) == 4
    page = researcher.get("/results/every-kind").text
    assert f"{skipped} respondents skipped this question." in page
    assert f"n = {RESPONDENTS - skipped} (of {RESPONDENTS} asked, {skipped} skipped it)" in page
    assert page.count("Skips are counted separately where they are not randomized") == 1
    (row,) = [row for row in rows(researcher) if row["stratum"] == "skipped"]
    assert (row["question"], row["count"]) == ("sector", str(skipped))


def test_a_randomized_skip_is_one_more_answer(survey, researcher):
    paid = questions(researcher)["paid"]
    assert [each["answer"] for each in paid["answers"]] == ["no", "yes", "skip"]
    assert sum(each["unbiased"] for each in paid["answers"]) == pytest.approx(1)
    page = researcher.get("/results/every-kind").text
    article = page.split('id="paid"')[1].split("</article>")[0]
    assert page.count("randomized, so it is protected like any other answer") == 1
    assert 'lang="en">Skipped</th>' in article


def test_reports_from_real_coins_are_a_stratum_of_their_own_and_pooled(survey, strata, researcher):
    hurt, column, counts = questions(researcher)["hurt"], survey.publication.columns["hurt"], strata("hurt")
    by_hand = estimate_proportions(column.by_hand, counts.by_hand)
    pooled = pool_strata([(column.channel, counts.device), (column.by_hand, counts.by_hand)], 1)
    assert hurt["by_hand"]["answers"][1]["unbiased"] == by_hand.proportions[1]
    assert hurt["by_hand"]["channel"] == [[0.75, 0.25], [0.25, 0.75]]
    assert hurt["pooled"]["answers"][1]["unbiased"] == pooled.proportion
    assert hurt["pooled"]["respondents"] == RESPONDENTS
    assert hurt["by_hand"]["respondents"] + sum(each["count"] for each in hurt["answers"]) == RESPONDENTS
    article = researcher.get("/results/every-kind").text.split('id="hurt"')[1].split("</article>")[0]
    for label in ("Yes, pooled", "Yes, in the browser", "Yes, with real coins"):
        assert label in article
    strata_of_rows = {row["stratum"] for row in rows(researcher) if row["question"] == "hurt"}
    assert strata_of_rows == {"device", "by_hand", "pooled"}


def test_a_table_row_for_each_quantity_agrees_with_the_json_to_the_last_digit(survey, researcher):
    found, table = questions(researcher), rows(researcher)
    for row in table:
        if row["stratum"] != "device" or row["quantity"] != "proportion":
            continue
        question = found[row["question"]]
        boxes = question.get("boxes", [question])
        (column,) = [each for each in boxes if each["column"] == row["column"]]
        (share,) = [each for each in column["answers"] if each["answer"] == row["answer"]]
        for name in ("estimate", "low", "high", "unbiased", "standard_error", "people"):
            assert row[name] == json.dumps(share[name])
        assert row["reported"] == str(column["reported"])
    of_hours = [row for row in table if row["question"] == "hours"]
    curve = found["hours"]["curve"]
    points = [row for row in of_hours if row["quantity"] == "cumulative"]
    assert [row["quantity"] for row in of_hours[:4]] == ["mean", *["quantile"] * 3]
    assert len(of_hours) == 4 + len(points) + len(curve["classes"])
    assert of_hours[0]["value"] == json.dumps(found["hours"]["mean"]["value"])
    for row, point in zip(points, curve["points"], strict=True):
        assert row["value"] == json.dumps(point["estimate"])
        for name in ("low", "high", "curve_low", "curve_high"):
            assert row[name] == json.dumps(point[name])


def test_channels_are_given_in_the_exact_integers_that_were_published(survey, researcher):
    published = {
        column["name"]: column
        for question in json.loads(survey.publication.json)["questions"]
        for column in question["columns"]
    }
    for question in questions(researcher).values():
        for column in question.get("boxes", [question]):
            for key in ("weights", "form", "loss", "ratio", "delta_weight"):
                assert column.get(key) == published[column["column"]].get(key)


def test_how_far_a_forged_report_reaches_stands_beside_the_interval(survey, strata, researcher):
    found, counts = questions(researcher), strata("sector").device
    expected = radius(survey.publication.columns["sector"].channel, sum(counts))
    assert found["sector"]["radius"] == expected
    page = researcher.get("/results/every-kind").text
    assert f"one forged report moves an estimated share by at most {at_most(100 * expected)}%." in page
    assert f'data-radius="{found["copied"]["radius"]}"' in page


def test_of_a_mean_it_is_in_the_unit_of_the_number(survey, strata, researcher):
    found = questions(researcher)["hours"]
    channel = survey.publication.columns["hours"].channel
    assert found["radius"] == pytest.approx(60 * radius(channel, sum(strata("hours").device)))
    page = researcher.get("/results/every-kind").text
    assert f"moves the mean by at most {at_most(found['radius'])} hours." in page
    moved = {row["quantity"]: row["radius"] for row in rows(researcher) if row["column"] == "hours"}
    assert float(moved["mean"]) == found["radius"]
    assert moved["quantile"] == ""


def test_every_way_of_reporting_has_its_own_and_so_has_the_pooled_share(survey, strata, researcher):
    column, counts = survey.publication.columns["hurt"], strata("hurt")
    expected = {
        "device": radius(column.channel, sum(counts.device)),
        "by_hand": radius(column.by_hand, sum(counts.by_hand)),
    }
    both = [(column.channel, counts.device), (column.by_hand, counts.by_hand)]
    expected["pooled"] = pooled_radius(both)
    table = {row["stratum"]: float(row["radius"]) for row in rows(researcher) if row["column"] == "hurt"}
    assert table == expected
    document = questions(researcher)["hurt"]
    assert document["by_hand"]["radius"] == expected["by_hand"]
    assert document["pooled"]["radius"] == expected["pooled"] == document["radius"]
    article = researcher.get("/results/every-kind").text.split('id="hurt"')[1].split("</article>")[0]
    for moved in expected.values():
        assert f'data-radius="{moved}"' in article


def test_one_forged_report_moves_the_share_of_a_sampled_box_by_no_more(survey, strata):
    channel, counts = survey.publication.columns["drugs_1"].channel, strata("drugs_1").device
    forged = (counts[0] - 1, counts[1] + 1, counts[2])  # a no that should not be one
    before, after = (estimate_proportions(channel, each).proportions[1] for each in (counts, forged))
    found = shares_figures(channel, counts, ("no", "yes"), Precision(0.95, "exact"))
    assert after - before == pytest.approx(found.radius)


def test_the_codes_of_the_noisy_reports_are_told_apart(survey, researcher):
    found = questions(researcher)
    assert found["copied"]["codes"] == {"device": [0, 1]}
    assert found["hurt"]["codes"] == {"device": [0, 1], "by_hand": [2, 3]}
    assert found["sector"]["codes"] == {"device": [0, 3], "skipped": [4, 4]}
    header, *lines = csv.reader(io.StringIO(researcher.get("/results/every-kind/reports.csv").text))
    assert header == list(survey.publication.columns)
    assert {int(line[header.index("sector")]) for line in lines} == {0, 1, 2, 3, 4}
    assert len(lines) == RESPONDENTS


def test_a_simultaneous_level_makes_each_interval_wider_and_the_page_says_which_is_shown(survey, researcher):
    alone, together = (
        questions(researcher, f"?confidence_level=0.9{more}") for more in ("", "&simultaneous=1")
    )
    for name, intervals in {"sector": 4, "mood": 3, "party": 6}.items():
        for one, all_of_them in zip(alone[name]["answers"], together[name]["answers"], strict=True):
            assert all_of_them["confidence_level"] == pytest.approx(1 - 0.1 / intervals)
            assert one["confidence_level"] == 0.9
            assert all_of_them["low"] <= one["low"] <= one["high"] <= all_of_them["high"]
    assert together["harm"]["boxes"][0]["answers"][1]["confidence_level"] == pytest.approx(0.95)
    assert together["copied"]["answers"] == alone["copied"]["answers"]
    page = researcher.get(f"/results/every-kind{SIMULTANEOUS}").text
    assert "90% for all 4 intervals together (Bonferroni), 97.5% for each of them" in page
    assert "for each interval separately" in researcher.get("/results/every-kind").text
    assert {row["simultaneous"] for row in rows(researcher, SIMULTANEOUS)} == {"true"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_both_languages_about_every_kind(survey, researcher, language):
    page = researcher.get(f"/results/every-kind?language={language}").text
    for key in ("mean_only", "median", "skip_randomized", "strata.by_hand", "chart_of.boxes"):
        assert say(language, f"results.{key}", level="95%") in page
    assert f'lang="{language}">{INDUSTRY[language]}' in page


def test_figures_are_kept_so_that_they_are_worked_out_once(storage, survey, monkeypatch):
    results = storage.read(visible_results.results, survey)
    first = figures_of(survey.slug, survey.state, survey.publication, results, Precision(0.95, "exact"))
    again = figures_of(survey.slug, survey.state, survey.publication, results, Precision(0.95, "exact"))
    for one, other in zip(first.questions, again.questions, strict=True):
        assert one.first.shares is other.first.shares
        assert one.first.number is other.first.number


def test_an_open_survey_shows_whole_steps_of_every_kind_one_step_late(storage, researcher, one_by_one):
    made = storage.write(surveys.import_definition, from_dict(EVERY_KIND, "the test"))
    made = storage.write(surveys.open_survey, made.id)
    storage.write(one_by_one, submissions(made, 230), "2026-05-04")
    for question in questions(researcher).values():
        assert question["respondents"] == 100


SKIPPABLE = [
    {"id": "plain", "mechanism": "spinner_coin", "epsilon": 1.0, "by_hand": "coin"},
    {"id": "short", "mechanism": "coin"},
    {
        "id": "amount",
        "kind": "number",
        "mechanism": "laplace",
        "epsilon": 1.0,
        "low": 0,
        "high": 4,
        "step": 1,
    },
    {
        "id": "many",
        "kind": "boxes",
        "mechanism": "per_box",
        "epsilon": 1.0,
        "options": [texts("A"), texts("B")],
    },
]


def test_a_question_that_everybody_skipped_claims_nothing(storage, researcher):
    asked = [each | {"skip": "apart", "wording": texts("What?")} for each in SKIPPABLE]
    made = from_dict(EVERY_KIND | {"questions": asked}, "the test")
    made = storage.write(surveys.import_definition, made)
    made = storage.write(surveys.open_survey, made.id)
    codes = {name: column.skip_code for name, column in made.publication.columns.items()}
    batch = [
        Submission(made.id, made.publication.fingerprint, secrets.token_hex(16), codes) for _ in range(7)
    ]
    assert set(storage.write(store.record, batch, "2026-05-04")) == {"stored"}
    storage.write(surveys.close_survey, made.id)
    storage.finish()
    page = researcher.get("/results/every-kind").text
    assert page.count("7 respondents skipped this question") == 4
    assert 'class="quote"' not in page
    found = questions(researcher)
    for share in (found["plain"]["answers"][1], found["short"]["answers"][1]):
        assert (share["standard_error"], share["low"], share["high"]) == (None, 0, 1)
    mean = found["amount"]["mean"]
    assert (mean["standard_error"], mean["low"], mean["high"]) == (None, 0, 4)
    assert [row["count"] for row in rows(researcher) if row["stratum"] == "skipped"] == ["7"] * 5
    assert researcher.get("/results/every-kind/cross?row=plain&column=short").status_code == 200


def test_a_question_that_only_coins_answered_shows_their_stratum(storage, researcher):
    made = from_dict(EVERY_KIND | {"questions": [SKIPPABLE[0] | {"wording": texts("What?")}]}, "the test")
    made = storage.write(surveys.import_definition, made)
    made = storage.write(surveys.open_survey, made.id)
    codes = [{"plain": 2}] * 6 + [{"plain": 3}] * 6
    batch = [Submission(made.id, made.publication.fingerprint, secrets.token_hex(16), each) for each in codes]
    assert set(storage.write(store.record, batch, "2026-05-04")) == {"stored"}
    storage.write(surveys.close_survey, made.id)
    storage.finish()
    plain = questions(researcher)["plain"]
    assert plain["by_hand"]["answers"][1]["unbiased"] == pytest.approx(0.5)
    assert "pooled" not in plain
    assert "Yes, with real coins" in researcher.get("/results/every-kind").text


def test_a_warning_names_the_option_that_it_is_about(storage, researcher):
    asked = [each for each in EVERY_KIND["questions"] if each["id"] == "party"]
    asked[0] = asked[0] | {"mechanism": "wheel", "epsilon": 3.0}
    made = storage.write(surveys.import_definition, from_dict(EVERY_KIND | {"questions": asked}, "the test"))
    made = storage.write(surveys.open_survey, made.id)
    batch = [
        Submission(made.id, made.publication.fingerprint, secrets.token_hex(16), {"party": code % 5})
        for code in range(200)
    ]
    storage.write(store.record, batch, "2026-05-04")
    storage.write(surveys.close_survey, made.id)
    storage.finish()
    page = researcher.get("/results/every-kind").text
    assert '<strong lang="en">Fawn:</strong> The noisy share 0.0% lies outside' in page


def test_every_row_has_its_one_number_and_both_epsilons_at_the_end(survey, researcher):
    table = rows(researcher)
    last = ["estimate", "stated_epsilon", "exact_epsilon", "band_low", "band_high", "curve_low", "curve_high"]
    assert list(table[0])[-7:] == last
    place = {"proportion": "estimate"} | dict.fromkeys(("mean", "quantile", "cumulative", "class"), "value")
    for row in table:
        expected = row.get(place.get(row["quantity"], "count"))
        assert row["estimate"] == expected
    stated = {each["id"]: each["epsilon"] for each in EVERY_KIND["questions"]}
    exact = {
        row["question"]: (row["stated_epsilon"], float(row["exact_epsilon"]))
        for row in table
        if row["question"]
    }
    for name, epsilon in stated.items():
        assert exact[name][0] == repr(epsilon)
        assert 0 < exact[name][1] <= epsilon
        assert exact[name][1] == pytest.approx(epsilon, rel=1e-6)
