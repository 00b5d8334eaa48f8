"""Two questions of a closed survey, compared."""

import csv
import io
import json
import re
import secrets

import numpy as np
import pytest

from server.language.rounding import at_most
from server.results import cross_estimates
from server.results.cross_estimates import JOINT_TABLES, joint_table
from server.store import submissions as store
from server.store import surveys
from server.store.results import survey_results
from server.store.results.visible_results import ReportsWithheld
from server.store.submissions import Submission
from survey.crosstab import (
    difference_within,
    estimate_joint,
    independence,
    joint_radius,
    odds_ratio_within,
    share_within,
)
from survey.crosstab.reports_table import MOST_NOISY_CELLS
from survey.figures.cross_figures import cross_figures
from survey.read_definition import from_dict


def texts(english):
    return {"en": english}


TABLE = {
    "candor": 1,
    "slug": "pair",
    "languages": ["en"],
    **{name: texts(name) for name in ("title", "information", "consent")},
    "results": {"step": 10},
    "questions": [
        {"id": "copied", "mechanism": "spinner_coin", "epsilon": 2.0, "wording": texts("Copied?")},
        {"id": "data", "mechanism": "coin", "skip": "apart", "wording": texts("Made up data?")},
        {
            "id": "field",
            "kind": "choice",
            "mechanism": "wheel",
            "epsilon": 3.0,
            "wording": texts("Which field?"),
            "options": [texts(name) for name in ("Arts", "Law", "Medicine")],
        },
        {
            "id": "used",
            "kind": "boxes",
            "mechanism": "per_box",
            "epsilon": 4.0,
            "wording": texts("What did you use?"),
            "options": [texts("Notes"), texts("A telephone")],
        },
        {
            "id": "hours",
            "kind": "number",
            "mechanism": "one_bit",
            "epsilon": 1.0,
            "low": 0,
            "high": 10,
            "step": 1,
            "wording": texts("How long?"),
        },
    ],
}
RESPONDENTS = 600


@pytest.fixture
def reports():
    """600 rows of codes: those who copied made up data more often, and the last field is rare."""
    chance = np.random.default_rng(3)
    copied = chance.random(RESPONDENTS) < 0.5
    return {
        "copied": copied.astype(int),
        "data": np.where(
            chance.random(RESPONDENTS) < 0.1, 2, chance.random(RESPONDENTS) < np.where(copied, 0.7, 0.3)
        ),
        "field": chance.choice(3, RESPONDENTS, p=[0.6, 0.355, 0.045]),
        "used_1": chance.integers(0, 2, RESPONDENTS),
        "used_2": chance.integers(0, 2, RESPONDENTS),
        "hours": chance.integers(0, 2, RESPONDENTS),
    }


@pytest.fixture
def publish(storage, reports):
    """Open the survey, store the reports, and close it if asked."""

    def publish(close=True, table=TABLE):
        survey = storage.write(surveys.import_definition, from_dict(table, "the test"))
        survey = storage.write(surveys.open_survey, survey.id)
        batch = [
            Submission(
                survey.id,
                survey.publication.fingerprint,
                secrets.token_hex(16),
                dict(zip(reports, map(int, row), strict=True)),
            )
            for row in zip(*reports.values(), strict=True)
        ]
        assert set(storage.write(store.record, batch, "2026-05-04")) == {"stored"}
        if not close:
            return survey
        closed = storage.write(surveys.close_survey, survey.id)
        storage.finish()
        return closed

    return publish


def rows(researcher, query):
    answer = researcher.get(f"/results/pair/cross.csv?{query}")
    assert answer.status_code == 200
    found = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"), newline="")))
    return {
        quantity: [row for row in found if row["quantity"] == quantity]
        for quantity in ("reports", "joint", "within", "difference", "odds_ratio", "independence")
    }


def results_of(storage, survey):
    return storage.read(survey_results.survey_with_results, survey.slug)


def test_one_scan_counts_every_pair_of_codes(publish, storage, reports):
    table = joint_table(storage, *results_of(storage, publish()), "copied", "data")
    expected = np.zeros((2, 3), int)
    np.add.at(expected, (reports["copied"], reports["data"]), 1)
    assert table.tolist() == expected.tolist()


def test_the_figures_are_those_of_the_estimators(publish, researcher, storage):
    survey = publish()
    channels = [survey.publication.columns[name].channel for name in ("data", "copied")]
    table = joint_table(storage, *results_of(storage, survey), "data", "copied")[:2]
    found = rows(researcher, "row=data&column=copied")
    joint, test = estimate_joint(channels, table), independence(channels, table)
    for name, expected in (("value", joint.maximum_likelihood), ("unbiased", joint.proportions)):
        assert [row[name] for row in found["joint"]] == [json.dumps(each) for each in expected.ravel()]
    moved = joint_radius(channels, joint.reported)
    assert [row["radius"] for row in found["joint"]] == [json.dumps(each) for each in moved.ravel()]
    assert (
        f"at most {at_most(100 * moved.max())}%."
        in researcher.get("/results/pair/cross?row=data&column=copied").text
    )
    people = joint.respondents * joint.maximum_likelihood
    assert [row["people"] for row in found["joint"]] == [json.dumps(each) for each in people.ravel()]
    for group, row in enumerate(found["within"]):
        share = share_within(channels, table, 1, group)
        assert (row["value"], row["low"], row["high"]) == tuple(
            map(json.dumps, (share.value, share.low, share.high))
        )
    for name, function in (("difference", difference_within), ("odds_ratio", odds_ratio_within)):
        (row,) = found[name]
        expected = function(channels, table, 1, 1, 0)
        assert (row["value"], row["low"]) == (json.dumps(expected.value), json.dumps(expected.low))
        assert (row["row_answer"], row["column_answer"], row["other_answer"]) == ("yes", "yes", "no")
    (row,) = found["independence"]
    assert (row["value"], row["p_value"]) == (json.dumps(test.statistic), json.dumps(test.p_value))
    assert {row["fingerprint"] for row in found["joint"]} == {survey.publication.fingerprint}


def test_the_page_shows_the_same_numbers(publish, researcher):
    publish()
    page = researcher.get("/results/pair/cross?row=data&column=copied").text
    found = rows(researcher, "row=data&column=copied")
    for row in (*found["within"], *found["difference"]):
        assert f"{float(row['value']):.4f}".replace("-", "−") in page
    (difference,) = found["difference"]
    points = [f"{100 * float(difference[name]):.0f}".replace("-", "−") for name in ("value", "low", "high")]
    shown = page.split('id="comparison"')[1].split("</table>")[0]
    assert f">{points[0]}</td>" in shown
    assert f">{points[1]} to {points[2]}</td>" in shown
    joint = page.split('id="joint"')[1].split("</table>")[0]
    likely = [float(row["value"]) for row in found["joint"]]
    assert [float(each) for each in re.findall(r"<span>([\d.]+)% ", joint)] == pytest.approx(
        [100 * each for each in likely], abs=0.05
    )
    assert f"χ² = {float(found['independence'][0]['value']):.2f}, 1 degree of freedom" in page
    assert "style=" not in page


def test_those_who_skipped_are_left_out_and_counted(publish, researcher, reports):
    publish()
    skipped = int((reports["data"] == 2).sum())
    page = researcher.get("/results/pair/cross?row=data&column=copied").text
    assert f"<dd>{skipped} " in page
    (row, *_) = rows(researcher, "row=data&column=copied")["joint"]
    assert row["respondents"] == str(RESPONDENTS - skipped)


def test_nothing_is_said_of_a_group_below_the_minimum(publish, researcher):
    publish()
    found = rows(researcher, "row=copied&column=field&group=0&other=2")
    assert [row["column_answer"] for row in found["within"]] == ["0", "1"]
    assert found["difference"] == found["odds_ratio"] == []
    page = researcher.get("/results/pair/cross?row=copied&column=field&group=0&other=2").text
    assert "fewer than 30. No figures are shown for it." in page


def test_a_box_can_be_compared_with_a_choice_and_the_answers_chosen(publish, researcher):
    publish()
    found = rows(researcher, "row=field&column=used_2&answer=1&group=no&other=yes&confidence_level=0.9")
    (row,) = found["difference"]
    assert (row["row_answer"], row["column_answer"], row["other_answer"]) == ("1", "no", "yes")
    assert row["interval_level"] == "0.9"
    page = researcher.get("/results/pair/cross?row=field&column=used_2&answer=1").text
    assert "What did you use? – A telephone" in page


def test_a_simultaneous_level_is_shared_by_the_groups(publish, researcher):
    publish()
    query = "row=copied&column=used_1&confidence_level=0.9"
    alone, together = (rows(researcher, query + more)["within"] for more in ("", "&simultaneous=1"))
    for one, other in zip(alone, together, strict=True):
        assert float(other["interval_level"]) == pytest.approx(0.95)
        assert float(other["low"]) <= float(one["low"]) <= float(one["high"]) <= float(other["high"])
    page = researcher.get(f"/results/pair/cross?{query}&simultaneous=1").text
    assert "90% for all 2 intervals together (Bonferroni), 95% for each of them" in page


def test_the_test_of_independence_finds_the_related_pair_and_not_the_other(publish, researcher):
    publish()
    related = rows(researcher, "row=data&column=copied")["independence"][0]
    unrelated = rows(researcher, "row=used_1&column=used_2")["independence"][0]
    assert float(related["p_value"]) < 1e-6 < 0.001 < float(unrelated["p_value"])


def test_where_few_reports_are_expected_a_p_value_from_permutations_is_named(publish, researcher, reports):
    for column in ("copied", "data", "field", "used_1"):  # 40 people, and hardly a third option
        reports[column] = reports[column][:40] % 2
    for column in ("used_2", "hours"):
        reports[column] = reports[column][:40]
    reports["field"][:2] = 2
    publish()
    (row,) = rows(researcher, "row=copied&column=field")["independence"]
    assert float(row["smallest_expected"]) < 5
    assert row["permutations"] == "999"
    thousandths = 1000 * float(row["permutation_p_value"])
    assert 1 <= thousandths == pytest.approx(round(thousandths))
    assert row["p_value"] != row["permutation_p_value"]
    page = researcher.get("/results/pair/cross?row=copied&column=field").text
    assert f"p = {float(row['permutation_p_value']):.2g} from 999 permutations" in page
    assert f"p = {float(row['p_value']):.2g} from the chi-square distribution" in page
    assert "Use the p-value from permutations." in page
    # It is the same from either side, each of which is computed by itself.
    (other,) = rows(researcher, "row=field&column=copied")["independence"]
    assert other["permutation_p_value"] == row["permutation_p_value"]


def test_where_enough_are_expected_there_is_one_p_value(publish, researcher):
    publish()
    (row,) = rows(researcher, "row=data&column=copied")["independence"]
    assert float(row["smallest_expected"]) >= 5
    assert (row["permutation_p_value"], row["permutations"]) == ("", "")
    assert "permutation" not in researcher.get("/results/pair/cross?row=data&column=copied").text


def test_a_cross_table_is_computed_once(publish, researcher, monkeypatch):
    publish()
    JOINT_TABLES.results.clear()
    computed = []
    monkeypatch.setattr(
        cross_estimates, "cross_figures", lambda *asked: computed.append(asked) or cross_figures(*asked)
    )
    for address in ("cross", "cross.csv", "cross"):
        assert researcher.get(f"/results/pair/{address}?row=data&column=copied").status_code == 200
    assert len(computed) == 1
    researcher.get("/results/pair/cross?row=data&column=copied&confidence_level=0.9")
    assert len(computed) == 2


def test_kept_cross_tables_take_little_memory_however_many_reports_there_are(publish, researcher):
    publish()
    JOINT_TABLES.results.clear()
    assert researcher.get("/results/pair/cross?row=data&column=copied").status_code == 200
    (key,) = JOINT_TABLES.results
    parts = [part for part in key if isinstance(part, str | bytes)]
    assert [len(part) for part in parts] == [64, 4, 6, 32]  # the table is in it as a digest only
    assert JOINT_TABLES.size * MOST_NOISY_CELLS * np.dtype(np.int64).itemsize <= 2**27


@pytest.mark.parametrize("reports_while_open", [False, True])
def test_an_open_survey_is_refused_in_words(publish, researcher, storage, reports_while_open):
    results = {"step": 10, "reports_while_open": reports_while_open}
    survey = publish(close=False, table=TABLE | {"results": results})
    for address in ("cross", "cross.csv"):
        answer = researcher.get(f"/results/pair/{address}?row=data&column=copied")
        assert answer.status_code == 409
        assert "can be compared once this survey is closed" in answer.text
    assert "/cross" not in researcher.get("/results/pair").text
    with pytest.raises(ReportsWithheld):
        joint_table(storage, *results_of(storage, survey), "data", "copied")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("row=hours&column=data", "row must be one of copied, data"),
        ("row=data&column=none", "column must be one of"),
        ("row=data&column=data", "Choose two different questions"),
        ("row=data&column=copied&answer=2", "answer must be one of no, yes"),
        ("row=data&column=copied&group=maybe", "group must be one of no, yes"),
        ("row=data&column=copied&confidence_level=2", "confidence_level must be one of"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_what_can(publish, researcher, query, text):
    publish()
    answer = researcher.get(f"/results/pair/cross?{query}")
    assert answer.status_code == 400
    assert text in answer.text


def test_the_same_group_twice_has_shares_but_no_comparison(publish, researcher):
    publish()
    query = "row=data&column=copied&group=yes&other=yes"
    assert rows(researcher, query)["difference"] == []
    assert "Choose two different groups" in researcher.get(f"/results/pair/cross?{query}").text


def test_strangers_see_no_table(publish, browse):
    publish()
    for address in ("cross", "cross.csv"):
        answer = browse().get(f"/results/pair/{address}?row=data&column=copied")
        assert answer.status_code == 302
        assert "/login" in answer.headers["Location"]


def test_a_closed_survey_that_nobody_answered_has_no_table(storage, researcher):
    survey = storage.write(surveys.import_definition, from_dict(TABLE, "the test"))
    storage.write(surveys.open_survey, survey.id)
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    page = researcher.get("/results/pair/cross?row=data&column=copied")
    assert page.status_code == 200
    assert "Nobody reported on both questions" in page.text
    assert rows(researcher, "row=data&column=copied")["within"] == []


LINKED = {
    **{key: value for key, value in TABLE.items() if key != "questions"},
    "candor": 3,
    "sections": [
        {
            "id": "together",
            "linked": True,
            "epsilon": 2.0,
            "questions": [
                {"id": "copied", "wording": texts("Copied?")},
                {"id": "used_1", "wording": texts("Made up data?")},
            ],
        },
        {
            "id": "apart",
            "questions": [
                {
                    "id": "used_2",
                    "mechanism": "spinner_coin",
                    "epsilon": 1.0,
                    "wording": texts("Used a telephone?"),
                }
            ],
        },
    ],
}


def test_linked_questions_are_read_together_while_the_survey_is_open_in_its_steps(
    storage, reports, researcher
):
    survey = storage.write(surveys.import_definition, from_dict(LINKED, "the test"))
    survey = storage.write(surveys.open_survey, survey.id)
    names = list(survey.publication.columns)
    memory = {}
    for start in range(0, 65, 13):
        batch = [
            Submission(
                survey.id,
                survey.publication.fingerprint,
                secrets.token_hex(16),
                {name: int(reports[name][place]) for name in names},
            )
            for place in range(start, start + 13)
        ]
        assert set(storage.write(store.record, batch, "2026-05-04", memory)) == {"stored"}
    _, results = results_of(storage, survey)
    table = joint_table(storage, survey, results, "copied", "used_1")
    assert results.respondents % 13 == 0
    assert 0 < table.sum() == results.respondents < 65
    assert table.sum(axis=1).tolist() == results.counts["copied"]
    expected = np.zeros((2, 2), int)
    np.add.at(
        expected,
        (reports["copied"][: table.sum()].astype(int), reports["used_1"][: table.sum()].astype(int)),
        1,
    )
    assert table.tolist() == expected.tolist()
    found = rows(researcher, "row=copied&column=used_1")
    assert sum(int(row["count"]) for row in found["reports"]) == table.sum()
    page = researcher.get("/results/pair/cross").text
    assert "used_2" not in page
    assert researcher.get("/results/pair/cross?row=copied&column=used_2").status_code == 409
