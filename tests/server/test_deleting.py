"""Deleting a survey: it is gone at once, and its rows go in short transactions, overwritten."""

import random
import sqlite3
from contextlib import closing, suppress

import pytest
from between import Between

from server.cli import serve
from server.config import Config
from server.store import submissions, surveys
from server.store.sqlite import conversion, deleting, short_transactions
from server.store.submissions import Submission

DAY = "2026-05-04"


class Killed(BaseException):
    """The process is gone."""


def submission(survey, receipt):
    reports = {"copied": 0, "data": 1}
    return Submission(survey.id, survey.publication.fingerprint, receipt, reports)


@pytest.fixture
def answered(door, monkeypatch):
    """The door of a survey that 400 people answered."""
    monkeypatch.setattr(short_transactions, "FIRST", 2)
    draw = random.Random(1)
    door.receipts = [draw.randbytes(16).hex() for _ in range(400)]
    batch = [submission(door.survey, receipt) for receipt in door.receipts]
    assert set(door.storage.write(submissions.record, batch, DAY)) == {"stored"}
    return door


@pytest.fixture(params=["open", "being prepared", "closed"])
def deleted(request, answered):
    """The same after the survey was deleted from one of its states, and before its rows are removed."""
    storage, survey = answered.storage, answered.survey
    if request.param != "open":
        storage.write(surveys.close_survey, survey.id)
        with suppress(Killed):
            conversion.finish(Between(storage, dies_after(8 if request.param == "being prepared" else 10**6)))
    storage.write(surveys.delete_survey, survey.id)
    return answered


def dies_after(transactions):
    """Return what kills the process after so many transactions."""
    left = [transactions]

    def die():
        left[0] -= 1
        if not left[0]:
            raise Killed

    return die


def tables(storage):
    """The names of the tables that hold somebody's reports."""
    with closing(sqlite3.connect(storage.path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master").fetchall()]
    return [name for name in names if "buckets_" in name or "reports_" in name]


def held(door):
    """How many receipts stand somewhere in the file."""
    content = door.storage.path.read_bytes()
    return sum(bytes.fromhex(receipt) in content for receipt in door.receipts)


def test_a_survey_is_gone_before_its_rows_are(deleted):
    assert held(deleted) == 400
    assert deleted.storage.read(surveys.all_surveys) == []
    late = submission(deleted.survey, deleted.receipts[0])
    assert deleted.storage.write(submissions.record, [late], DAY) == ["missing"]
    again = deleted.storage.write(surveys.import_definition, deleted.survey.publication.definition)
    assert deleted.storage.write(surveys.open_survey, again.id).id != deleted.survey.id


def test_then_nothing_of_them_is_left_in_the_file(deleted):
    deleting.finish(deleted.storage)
    assert tables(deleted.storage) == []
    assert held(deleted) == 0


def test_who_is_killed_again_and_again_comes_to_the_end(deleted):
    lives = 0
    while tables(deleted.storage):
        lives += 1
        with suppress(Killed):
            deleting.finish(Between(deleted.storage, dies_after(2)))
    assert lives >= 2
    assert held(deleted) == 0


def test_others_submit_between_two_transactions(deleted):
    other = deleted.storage.write(surveys.import_definition, deleted.survey.publication.definition)
    other, outcomes = deleted.storage.write(surveys.open_survey, other.id), []

    def send():
        receipt = random.Random(len(outcomes)).randbytes(16).hex()
        outcomes.extend(deleted.storage.write(submissions.record, [submission(other, receipt)], DAY))

    deleting.finish(Between(deleted.storage, send))
    assert len(outcomes) >= 2
    assert set(outcomes) == {"stored"}
    assert deleted.storage.read(lambda db: db.reports.respondents(other.id, other.publication)) == len(
        outcomes
    )


def test_a_server_that_starts_does_what_one_that_was_killed_has_left(deleted):
    started = serve.application(Config(database=deleted.storage.path, secret_key="k" * 32))
    started.extensions["candor"].finisher.settle()
    assert tables(deleted.storage) == []


def test_deleting_in_the_editor_has_the_rest_done(staff_app, editor, monkeypatch):
    started = []
    monkeypatch.setattr(staff_app.extensions["candor"].finisher, "start", lambda: started.append(True))
    editor.browser.post("/admin/surveys/health/delete", slug="healht")
    assert started == []
    editor.browser.post("/admin/surveys/health/delete", slug="health")
    assert started == [True]
