"""The codebook and the channels: what a stranger needs to read the reports of any survey."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from server.results.files import channel_tables as bundled
from server.results.files import codebook
from server.results.files.channel_tables import channels
from server.results.files.csv_text import csv_text
from server.store import surveys
from survey.channel import TOTAL
from survey.column import Column
from survey.compact_form import Subsets
from survey.mechanisms import gaussian, hybrid, laplace, one_bit
from survey.publication import publish
from survey.read_definition import from_dict, parse

EXAMPLES = sorted(Path("server/examples").glob("*.toml"))
HOSTILE = '=cmd|\' /C calc\'!A0", "two"\r\nlines, 한국어'
GRID = {"kind": "number", "low": 0, "high": 60, "step": 5, "unit": {"en": "hours"}, "epsilon": 2.0}
OPTIONS = [{"en": name} for name in ("Amber", "Blue", "Dun")]


def published(*questions, **more):
    texts = {name: {"en": name} for name in ("title", "information", "consent")}
    table = {"candor": 1, "slug": "codes", "languages": ["en"], "questions": list(questions), **texts, **more}
    for number, question in enumerate(questions):
        question.setdefault("id", f"q{number}")
        question.setdefault("wording", {"en": "Well?"})
    return publish(from_dict(table, "the test"))


def rows_of(publication):
    """The codebook as a reader gets it: header -> cell."""
    return list(
        csv.DictReader(io.StringIO(csv_text(codebook.header(publication), codebook.rows(publication))))
    )


def column(publication, name):
    return [row for row in rows_of(publication) if row["column"] == name]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_code_of_every_column_has_a_row_with_words_in_each_language(file):
    publication = publish(parse(file.read_text(), file.name))
    expected = [(name, str(code)) for name, each in publication.columns.items() for code in range(each.codes)]
    rows = rows_of(publication)
    assert [(row["column"], row["code"]) for row in rows] == expected
    for language in publication.definition.languages:
        assert all(row[f"label_{language}"] and row[f"wording_{language}"] for row in rows)
    assert {row["meaning"] for row in rows} <= set(codebook.MEANINGS)


def test_codes_that_are_no_reports_say_what_they_are():
    section = {"id": "two", "questions": [{"id": "other", "mechanism": "coin", "wording": {"en": "?"}}]}
    asked = {"id": "mine", "mechanism": "coin", "by_hand": "coin", "skip": "apart", "wording": {"en": "?"}}
    texts = {name: {"en": name} for name in ("title", "information", "consent")}
    sections = [{"id": "one", "questions": [asked]}, section]
    table = {"candor": 2, "slug": "codes", "languages": ["en"], "asked": 1, "sections": sections, **texts}
    found = column(publish(from_dict(table, "the test")), "mine")
    assert [(row["meaning"], row["answer"], row["label_en"]) for row in found] == [
        ("report", "0", "No"),
        ("report", "1", "Yes"),
        ("by_hand", "0", "No (real coins)"),
        ("by_hand", "1", "Yes (real coins)"),
        ("skip", "", "Skipped"),
        ("not_asked", "", "Not asked"),
    ]
    assert {row["section"] for row in found} == {"one"}


def test_a_box_that_was_not_sampled_is_no_answer():
    box = {"kind": "boxes", "mechanism": "sampled_box", "epsilon": 1.0, "options": OPTIONS}
    found = column(published(box), "q0_2")
    assert [(row["meaning"], row["answer"]) for row in found] == [
        ("report", "0"),
        ("report", "1"),
        ("not_sampled", ""),
    ]


def test_a_randomized_skip_is_an_answer_like_the_others():
    found = column(published({"mechanism": "spinner", "epsilon": 1.0, "skip": "randomized"}), "q0")
    assert [(row["meaning"], row["answer"], row["label_en"]) for row in found][2] == (
        "report",
        "2",
        "Skip (randomized)",
    )


def test_a_set_names_its_options_and_no_single_answer():
    chosen = {"kind": "choice", "mechanism": "subset", "epsilon": 0.8, "size": 2, "options": OPTIONS}
    found = column(published(chosen), "q0")
    assert [row["label_en"] for row in found] == ["Amber | Blue", "Amber | Dun", "Blue | Dun"]
    assert {row["answer"] for row in found} == {""}


@pytest.mark.parametrize(
    ("mechanism", "more"),
    [("designed", {"ordered": True, "wants": {"curve": 1}}), ("cyclic", {})],
)
def test_the_reports_of_designed_and_cyclic_choices_are_named_after_the_options_that_they_hold(
    mechanism, more
):
    options = [{"en": letter} for letter in "abcdefghijklm"][: 4 if mechanism == "designed" else 13]
    chosen = {"kind": "choice", "mechanism": mechanism, "epsilon": 1.0, "options": options} | more
    publication = published(chosen)
    found = column(publication, "q0")
    members = publication.columns["q0"].channel.form.members().T
    assert len(found) == len(members)
    for row, holds in zip(found, members, strict=True):
        letters = [option["en"] for option, held in zip(options, holds, strict=True) if held]
        assert row["label_en"] == (" | ".join(letters) or "No option")
        assert row["answer"] == ("" if len(letters) != 1 else str("abcdefghijklm".index(letters[0])))


@pytest.mark.parametrize("mechanism", ["one_bit", "laplace", "hybrid", "gaussian"])
def test_what_the_reports_of_a_number_add_has_the_answer_as_its_mean(mechanism):
    delta = {"delta": 1e-6} if mechanism == "gaussian" else {}
    publication = published(GRID | {"mechanism": mechanism} | delta)
    found = column(publication, "q0")
    adds = np.array([float(row["adds_to_mean"]) for row in found])
    chances = publication.columns["q0"].channel.probabilities
    assert chances @ adds == pytest.approx(np.arange(0, 65, 5), abs=1e-4)
    assert {(row["low"], row["high"], row["unit"]) for row in found} == {("0", "60", "hours")}


def test_a_report_of_a_number_has_a_value_only_where_it_is_a_point_of_the_grid():
    table = published(*({"mechanism": name} | GRID for name in ("laplace", "one_bit", "hybrid")))
    assert [row["value"] for row in column(table, "q0")] == [str(float(hours)) for hours in range(0, 65, 5)]
    assert column(table, "q0")[2]["label_en"] == "10 hours"

    assert [(row["value"], row["answer"]) for row in column(table, "q1")] == [("0.0", ""), ("60.0", "")]
    assert {(row["value"], row["answer"]) for row in column(table, "q2")} == {("", "")}


def test_a_negative_number_has_a_minus_sign_which_no_spreadsheet_takes_for_a_formula():
    first, *_ = column(published(GRID | {"mechanism": "laplace", "low": -5}), "q0")
    assert first["label_en"] == "−5 hours"


def test_wordings_that_a_spreadsheet_would_run_are_harmless_and_stay_in_their_cell():
    found = rows_of(published({"mechanism": "coin", "wording": {"en": HOSTILE}}))
    assert [row["wording_en"] for row in found] == ["'" + HOSTILE] * 2


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_channels_are_the_published_integers(file):
    publication = publish(parse(file.read_text(), file.name))
    table = json.loads(json.dumps(channels(publication)))
    assert list(table["columns"]) == list(publication.columns)
    for name, each in publication.columns.items():
        found = table["columns"][name]
        assert (found["skip_code"], found["not_asked_code"]) == (each.skip_code, each.not_asked_code)
        strata = {"device": each.channel} | ({"by_hand": each.by_hand} if each.by_hand else {})
        assert list(found["strata"]) == list(strata)
        first = 0
        for way, channel in strata.items():
            stratum = found["strata"][way]
            assert (stratum["first_code"], stratum["codes"]) == (first, channel.reports)
            assert (stratum["epsilon"], stratum["delta"]) == channel.guarantee
            assert stratum["denominator"] == TOTAL
            assert stratum["matrix"] == channel.weights.tolist()
            first += channel.reports


FINE = (0, 1000, 1)


@pytest.mark.parametrize(
    "channel",
    [
        laplace(*FINE, 2.0),
        hybrid(*FINE, 1.0),
        hybrid(*FINE, 4.0),
        one_bit(*FINE, 1.0),
        gaussian(*FINE, 1.0, 1e-6),
        gaussian(0, 50, 1, 5.0, 0.2),
    ],
    ids=["laplace", "hybrid", "window only", "one bit", "gaussian", "few knots"],
)
def test_the_lines_that_come_along_expand_every_generator(channel, monkeypatch):
    monkeypatch.setattr(bundled, "MOST_ENTRIES", 10)
    name = {}
    exec(channels(published(GRID | {"mechanism": "laplace"}))["expand"], name)
    stratum = bundled.stratum(channel, 0, False)
    assert "matrix" not in stratum
    assert np.array_equal(name["expand"](json.loads(json.dumps(stratum))["generator"]), channel.weights)


def test_a_large_matrix_comes_as_its_generator_and_a_small_one_in_full():
    large = bundled.column_table(
        published(GRID | {"mechanism": "laplace"}).definition.questions[0],
        Column("q0", laplace(*FINE, 2.0)),
        seen_first=False,
    )["strata"]["device"]
    assert ("matrix" in large, large["generator"]["form"]) == (False, "tails")
    small = channels(published(GRID | {"mechanism": "laplace"}))["columns"]["q0"]["strata"]["device"]
    assert ("generator" in small, len(small["matrix"])) == (False, 13)


@pytest.fixture
def opened(storage):
    draft = storage.write(surveys.import_definition, parse(EXAMPLES[0].read_text(), "the test"))
    return storage.write(surveys.open_survey, draft.id)


@pytest.mark.parametrize("role", ["researcher", "admin"])
def test_staff_download_them_while_the_survey_is_open(opened, browse, role):
    staff, start = browse(role), f'attachment; filename="{opened.slug}-{opened.publication.fingerprint[:12]}-'
    answer = staff.get(f"/results/{opened.slug}/codebook.csv")
    assert answer.headers["Content-Disposition"] == f'{start}codebook.csv"'
    assert answer.text.startswith(
        "\ufeffquestion,section,kind,column,code,meaning,answer,value,low,high,unit,"
    )
    answer = staff.get(f"/results/{opened.slug}/channels.json")
    assert answer.json == json.loads(json.dumps(channels(opened.publication)))
    answer = staff.get(f"/results/{opened.slug}/survey.toml")
    assert publish(parse(answer.text, "the download")).fingerprint == opened.publication.fingerprint


def test_a_draft_has_none(storage, browse):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "health", "languages": ["en"]})
    for name in ("codebook.csv", "channels.json", "survey.toml"):
        assert browse("researcher").get(f"/results/health/{name}").status_code == 404


def test_a_set_is_named_without_a_table_of_all_sets(monkeypatch):
    question = {"kind": "choice", "mechanism": "subset", "epsilon": 1.0, "options": OPTIONS * 3}
    publication = published(question)
    monkeypatch.setattr(Subsets, "members", lambda form: pytest.fail("924 sets take this 1848 times"))
    sets = [row["label_en"].split(" | ") for row in column(publication, "q0")]
    assert len(sets) == publication.columns["q0"].codes
    assert {name for each in sets for name in each} == {"Amber", "Blue", "Dun"}
