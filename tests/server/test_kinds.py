"""Reports of every kind, from the form to the row and the tally: codes in their ranges, strata kept apart."""

import re
import secrets
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from server.store import submissions, surveys
from server.store.results import survey_results, visible_results
from server.store.sqlite.report_table import create_table
from server.store.submissions import Submission
from survey.record import layout_of

ASKED = {"en": "?"}
GRID = {"low": 0, "high": 12, "step": 1}


def options(count):
    return [{"en": f"Option {n}"} for n in range(count)]


QUESTIONS = [
    {"id": "hand", "mechanism": "spinner", "epsilon": 1.0, "by_hand": "coin", "skip": "apart"},
    {"id": "skip", "mechanism": "spinner", "epsilon": 1.0, "skip": "randomized"},
    {"id": "one", "kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": options(12)},
    {"id": "set", "kind": "choice", "mechanism": "subset", "epsilon": 1.0, "size": 2, "options": options(6)},
    {"id": "few", "kind": "boxes", "mechanism": "sampled_box", "epsilon": 1.0, "options": options(3)}
    | {"skip": "apart"},
    {"id": "all", "kind": "boxes", "mechanism": "per_box", "epsilon": 1.0, "options": options(2)},
    {"id": "much", "kind": "number", "mechanism": "laplace", "epsilon": 2.0, **GRID},
]
CODES = {
    "hand": 5, "skip": 3, "one": 12, "set": 15,
    "few_1": 4, "few_2": 4, "few_3": 4, "all_1": 2, "all_2": 2, "much": 13,
}  # fmt: skip
GOOD = {
    "hand": "4", "skip": "2", "one": "11", "set": "09",
    "few_1": "2", "few_2": "1", "few_3": "2", "all_1": "1", "all_2": "0", "much": "07",
}  # fmt: skip


@pytest.fixture
def kinds(app, survey_file):
    """An open survey with every kind of question."""
    storage = app.extensions["candor"].storage
    table = survey_file("kinds", questions=[each | {"wording": ASKED} for each in QUESTIONS])
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, table).id)


@pytest.fixture
def send(app, kinds):
    """Send codes as a page does: give the outcome, and what was said of it."""

    def send(**changed):
        body = {"fingerprint": kinds.publication.fingerprint, "receipt": secrets.token_hex(16)}
        answer = app.test_client().post(
            "/s/kinds", data=body | GOOD | changed, headers={"Sec-Fetch-Site": "same-origin"}
        )
        return re.search(r'data-outcome="(\w+)"', answer.text)[1], answer.text

    return send


def rows(app):
    """What is stored: the codes of everybody."""

    def read(db):
        survey = surveys.get(db, 1)
        records = [record for _, record in db.reports.records(survey.id, survey.publication)]
        return list(map(tuple, layout_of(survey.publication).table(b"".join(records)).tolist()))

    return app.extensions["candor"].storage.read(read)


def test_every_column_has_its_own_number_of_codes(kinds):
    assert {name: column.codes for name, column in kinds.publication.columns.items()} == CODES


def test_a_submission_of_every_kind_is_stored_as_its_codes(app, send):
    assert send()[0] == "stored"
    assert rows(app) == [tuple(map(int, GOOD.values()))]


@pytest.mark.parametrize("column", CODES)
def test_the_largest_code_is_the_last_that_store_and_database_take(app, kinds, column):
    storage, largest = app.extensions["candor"].storage, CODES[column] - 1
    storage.write(lambda db: create_table(db, kinds.id, layout_of(kinds.publication).codes))
    good = {name: int(value) for name, value in GOOD.items()}

    def inserted(code):
        with closing(sqlite3.connect(storage.path)) as db:
            values = good | {column: code}
            names = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join("?" * len(values))
            insert = f"INSERT INTO reports_1 (receipt, {names}) VALUES (randomblob(16), {marks})"
            db.execute(insert, list(values.values()))

    def recorded(code):
        one = Submission(kinds.id, kinds.publication.fingerprint, "ab" * 16, good | {column: code})
        return storage.write(submissions.record, [one], "2026-05-04")

    inserted(0)
    inserted(largest)
    for code in (-1, largest + 1, 0.5, "x"):
        with pytest.raises(sqlite3.IntegrityError):
            inserted(code)
        assert recorded(code) == ["refused"]


@pytest.mark.parametrize(
    ("column", "text", "allowed"),
    [
        (
            "one",
            "12",
            "one must be a whole number from 00 to 11, with the same number of digits",
        ),
        ("one", "7", "one must be a whole number from 00 to 11, with the same number of digits"),
        ("one", "007", "one must be a whole number from 00 to 11, with the same number of digits"),
        ("hand", "5", "hand must be a whole number from 0 to 4, with the same number of digits"),
        ("set", "15", "set must be a whole number from 00 to 14, with the same number of digits"),
        ("much", "-1", "much must be a whole number from 00 to 12, with the same number of digits"),
    ],
)
def test_a_code_outside_the_alphabet_is_refused_with_its_range(app, send, column, text, allowed):
    outcome, said = send(**{column: text})
    assert outcome == "refused"
    assert allowed in said
    assert rows(app) == []


@pytest.mark.parametrize(
    ("codes", "allowed"),
    [
        ("000", "few_1, few_2, few_3 must be 2 (not drawn) in all but 1 of the boxes"),
        ("222", "few_1, few_2, few_3 must be 2 (not drawn) in all but 1 of the boxes"),
        ("323", "few_1, few_2, few_3 must all be skipped, or none of them"),
    ],
)
def test_boxes_that_no_page_sends_together_are_refused(app, send, codes, allowed):
    outcome, said = send(**dict(zip(("few_1", "few_2", "few_3"), codes, strict=True)))
    assert (outcome, allowed in said) == ("refused", True)
    assert rows(app) == []


def test_boxes_left_out_together_are_taken(send):
    assert send(few_1="3", few_2="3", few_3="3")[0] == "stored"


def test_tallies_keep_the_strata_apart_and_are_what_a_recount_gives(app, kinds):
    storage = app.extensions["candor"].storage
    draw = np.random.default_rng(5)
    table = draw.integers(0, list(CODES.values()), (137, len(CODES)))
    batch = [
        Submission(
            kinds.id,
            kinds.publication.fingerprint,
            draw.bytes(16).hex(),
            dict(zip(CODES, row, strict=True)),
        )
        for row in table.tolist()
    ]
    for start in range(0, 137, 30):
        assert set(storage.write(submissions.record, batch[start : start + 30], "2026-05-04")) == {"stored"}
    closed = storage.write(surveys.close_survey, kinds.id)
    storage.finish()
    counts = storage.read(visible_results.results, closed).counts
    for index, (name, codes) in enumerate(CODES.items()):
        assert counts[name] == np.bincount(table[:, index], minlength=codes).tolist()
    strata = kinds.publication.columns["hand"].split(counts["hand"])
    assert strata.device == (counts["hand"][0], counts["hand"][1])
    assert strata.by_hand == (counts["hand"][2], counts["hand"][3])
    assert strata.skipped == counts["hand"][4] > 0
    assert sum(strata.device) + sum(strata.by_hand) + strata.skipped == 137
    noisy = survey_results.noisy_reports(storage, closed)
    assert noisy.between(0, 137).tolist() == sorted(table.tolist())


def test_a_submission_overwrites_one_bucket_and_the_counts(app, kinds):
    storage = app.extensions["candor"].storage
    one = Submission(
        kinds.id, kinds.publication.fingerprint, "ab" * 16, {name: int(code) for name, code in GOOD.items()}
    )
    written = []

    def record(db):
        db.conn.set_trace_callback(written.append)
        submissions.record(db, [one], "2026-05-04")
        db.conn.set_trace_callback(None)

    storage.write(record)
    changes = [said.split()[:3] for said in written if re.match(r"\s*(UPDATE|INSERT|DELETE)", said)]
    # A statement is traced again for the trigger that watches it.
    assert [" ".join(words) for words in dict.fromkeys(map(tuple, changes))] == [
        "UPDATE buckets_1 SET",
        "UPDATE counts SET",
        "INSERT INTO days",
    ]


@pytest.mark.parametrize("change", [{"epsilon": 1e-5}, {"options": options(1)}, {"size": 6}])
def test_a_survey_that_cannot_be_estimated_cannot_be_opened(app, survey_file, change):
    storage = app.extensions["candor"].storage
    question = {"id": "set", "kind": "choice", "mechanism": "subset", "epsilon": 1.0, "wording": ASKED}
    table = survey_file("bad", questions=[question | {"options": options(6)} | change])
    draft = storage.write(surveys.create_draft, table)
    (key,) = change
    with pytest.raises(ValueError, match=rf"bad: questions\[0\]\.{key} must be"):
        storage.write(surveys.open_survey, draft.id)
    assert storage.read(surveys.by_slug, "bad").state == "draft"


def test_a_survey_of_a_thousand_columns_is_taken_in_one_submission(app, survey_file):
    storage = app.extensions["candor"].storage
    boxes = {"kind": "boxes", "mechanism": "per_box", "epsilon": 5.0, "options": options(20)}
    names = [f"{n:040d}".replace("0", "q", 1) for n in range(50)]  # as long as names can be
    table = survey_file("wide", questions=[{"id": name, "wording": ASKED} | boxes for name in names])
    survey = storage.write(surveys.open_survey, storage.write(surveys.create_draft, table).id)
    body = dict.fromkeys(survey.publication.columns, "1")
    body |= {"fingerprint": survey.publication.fingerprint, "receipt": "ab" * 16}
    answer = app.test_client().post("/s/wide", data=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert 'data-outcome="stored"' in answer.text
    closed = storage.write(surveys.close_survey, survey.id)
    storage.finish()
    assert survey_results.noisy_reports(storage, closed).between(0, 1).tolist() == [[1] * 1000]
