"""After closing: buckets become a plain table in short transactions, and only who wants rows notices."""

import random
import shutil
import sqlite3
import threading
import traceback
from contextlib import closing, suppress

import pytest
from between import Between

from server.cli import serve
from server.config import Config
from server.store import submissions, surveys
from server.store.engine import Unavailable
from server.store.lifecycle.finisher import Finisher, in_a_while, run_for_each
from server.store.sqlite import conversion, deleting, short_transactions
from server.store.sqlite.connection import connect
from server.store.sqlite.report_table import is_there
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission

DAY = "2026-05-04"


class Killed(BaseException):
    """The process is gone."""


class Clock:
    """A clock by which transactions are quick, so that each has twice as many rows as the one before."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += short_transactions.AIM / 9
        return self.now


def submission(survey, receipt, copied, data):
    reports = {"copied": copied, "data": data}
    return Submission(survey.id, survey.publication.fingerprint, receipt, reports)


@pytest.fixture
def closed(door, monkeypatch):
    """The door of a survey that 400 people answered and that was closed, but not converted yet."""
    monkeypatch.setattr(short_transactions, "FIRST", 2)
    draw = random.Random(1)
    door.sent = {draw.randbytes(16).hex(): [draw.randrange(2), draw.randrange(2)] for _ in range(400)}
    batch = [submission(door.survey, receipt, *row) for receipt, row in door.sent.items()]
    assert set(door.storage.write(submissions.record, batch, DAY)) == {"stored"}
    door.storage.write(surveys.close_survey, door.survey.id)
    return door


def finish(storage):
    """Convert in transactions of two rows, four, eight and so on."""
    conversion.finish(storage, Clock())


def found(door):
    """What is answered to somebody who asks for every receipt: receipt -> reports."""

    def find(db):
        receipts = [bytes.fromhex(receipt) for receipt in door.sent]
        return db.reports.find(door.survey.id, door.survey.publication, receipts)

    return {receipt.hex(): list(record) for receipt, record in door.storage.read(find).items()}


def contents(storage):
    """Everything in the file: definitions and rows, as SQL."""
    with closing(sqlite3.connect(storage.path)) as connection:
        return sorted(connection.iterdump())


def test_any_sql_tool_reads_the_table_in_the_order_of_its_keys(closed):
    finish(closed.storage)
    with closing(sqlite3.connect(closed.storage.path)) as connection:
        rows = connection.execute("SELECT * FROM reports_1").fetchall()
        assert {receipt.hex(): codes for receipt, *codes in rows} == closed.sent
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master").fetchall()]
    assert [name for name in names if name.startswith("buckets")] == []
    assert {name for name in names if name.startswith("reports_1_")} == {
        "reports_1_never_change",
        "reports_1_come_once",
        "reports_1_stay_once_closed",
    }


def test_a_table_takes_no_more_reports(closed):
    finish(closed.storage)
    with pytest.raises(ValueError, match="survey 1 is closed: it has no buckets"):
        closed.storage.write(
            lambda db: db.reports.put(closed.survey.id, closed.survey.publication, {bytes(16): bytes(2)})
        )


class Mortal:
    """A storage whose process is killed at one of its transactions, before or after it is committed."""

    def __init__(self, storage, last, committed):
        self.storage, self.left, self.committed = storage, last, committed

    def run(self, transaction, function, *arguments):
        self.left -= 1

        def doomed(db, *given):
            result = function(db, *given)
            if self.left < 0 and not self.committed:
                raise Killed
            return result

        result = transaction(doomed, *arguments)
        if self.left < 0:
            raise Killed
        return result

    def read(self, function, *arguments):
        return self.run(self.storage.read, function, *arguments)

    def write(self, function, *arguments):
        return self.run(self.storage.write, function, *arguments)


@pytest.mark.parametrize("committed", [True, False])
def test_a_kill_at_any_transaction_loses_nothing_and_the_next_goes_on(closed, tmp_path, committed):
    begun = shutil.copy(closed.storage.path, tmp_path / "begun.db")
    finish(closed.storage)
    expected = contents(closed.storage)
    kills = 0
    while True:
        closed.storage.close()
        shutil.copy(begun, closed.storage.path)
        try:
            finish(Mortal(closed.storage, kills, committed))
        except Killed:
            kills += 1
        else:
            break
        assert found(closed) == closed.sent
        finish(closed.storage)
        assert contents(closed.storage) == expected
    assert kills >= 12


def test_one_that_is_killed_again_and_again_comes_to_the_end(closed):
    lives = 0
    while closed.storage.read(conversion.with_buckets):
        lives += 1
        with suppress(Killed):
            finish(Mortal(closed.storage, 6, committed=True))
    assert closed.rows() == closed.sent
    assert lives >= 3


@pytest.mark.parametrize("moment", [1, 3, 6, 10])
def test_two_may_convert_at_once(closed, moment):
    begun = []

    def other():
        begun.append(None)
        if len(begun) == moment:
            finish(SQLiteStorage(closed.storage.path))

    finish(Between(closed.storage, other))
    assert len(begun) >= moment
    assert closed.rows() == found(closed) == closed.sent
    assert closed.storage.read(conversion.with_buckets) == []


def test_two_that_take_turns_convert_together(closed):
    lives = []

    def other():
        lives.append(None)
        with suppress(Killed):
            finish(Mortal(SQLiteStorage(closed.storage.path), 5, committed=True))

    finish(Between(closed.storage, other))
    assert len(lives) >= 2
    assert closed.rows() == found(closed) == closed.sent


def test_each_transaction_adds_as_many_rows_as_it_has_time_for(closed):
    added = []

    def count(db):
        return db["reports_1"].count if is_there(db, "reports_1") else 0

    finish(Between(closed.storage, lambda: added.append(closed.storage.read(count))))
    assert sorted(set(added)) == [0, 2, 6, 14, 30, 62, 126, 254, 400]


def test_as_many_buckets_are_in_memory_as_are_asked_for_and_have_room(closed, monkeypatch):
    monkeypatch.setattr(conversion, "MOST_BUCKETS", 4)
    walk, held = conversion.Walk(closed.survey.id, 17), []
    for buckets in (5, 1, 5):
        more = closed.storage.read(walk.gather, buckets)
        held.append((len(walk.rows), more))
        walk.take()
    assert held == [(4, True), (1, True), (1, False)]


def test_receipts_are_answered_throughout_and_rows_only_at_the_end(closed):
    receipt, (copied, data) = next(iter(closed.sent.items()))
    asked = []

    def ask():
        bodies = [
            closed.body(receipt, copied=str(copied), data=str(data)),
            closed.body(receipt, copied=str(1 - copied), data=str(data)),
            closed.body(),
        ]
        asked.append([closed.send(body)[1] for body in bodies])
        assert found(closed) == closed.sent

    finish(Between(closed.storage, ask))
    assert len(asked) >= 10
    assert {tuple(each) for each in asked} == {("stored", "different", "closed")}


def test_a_survey_that_is_deleted_meanwhile_is_gone(closed):
    begun = []

    def delete():
        begun.append(None)
        if len(begun) == 9:
            closed.storage.write(surveys.delete_survey, closed.survey.id)

    finish(Between(closed.storage, delete))
    deleting.finish(closed.storage)
    assert not [line for line in contents(closed.storage) if "buckets_1" in line or "reports_1" in line]


def test_one_survey_that_is_gone_before_it_is_looked_at_keeps_no_other_waiting(closed):
    """It is deleted after the closed surveys were listed; the one after it is converted all the same."""
    table = closed.survey.publication.definition.as_dict() | {"slug": "again"}
    again = closed.storage.write(surveys.create_draft, table)
    again = closed.storage.write(surveys.open_survey, again.id)
    closed.storage.write(submissions.record, [submission(again, "ab" * 16, 1, 0)], DAY)
    closed.storage.write(surveys.close_survey, again.id)

    class Deleting:
        def read(self, function, *arguments):
            found = closed.storage.read(function, *arguments)
            if function is conversion.with_buckets:
                closed.storage.write(surveys.delete_survey, closed.survey.id)
            return found

        write = closed.storage.write

    finish(Deleting())
    assert closed.storage.read(conversion.with_buckets) == []
    assert closed.storage.read(lambda db: db.reports.finished(again.id))


@pytest.mark.parametrize(
    "attempt",
    [
        "DELETE FROM buckets_1",
        "UPDATE buckets_1 SET records = x'00000000'",
        "INSERT INTO buckets_1 VALUES (99, x'00000000')",
        "UPDATE counts SET key = NULL",
    ],
)
def test_the_buckets_of_a_closed_survey_stay_until_all_is_in_the_table(closed, attempt):
    with pytest.raises(Killed):
        finish(Mortal(closed.storage, 6, committed=True))
    with closing(connect(closed.storage.path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(attempt)
    finish(closed.storage)
    assert closed.rows() == closed.sent


@pytest.mark.parametrize("code", [-1, 2, 3, 0.5, "yes", None])
def test_the_table_takes_no_code_that_the_survey_does_not_have(closed, code):
    with pytest.raises(Killed):
        finish(Mortal(closed.storage, 6, committed=True))  # the table is there, and not final yet
    with closing(connect(closed.storage.path)) as db:
        with pytest.raises(sqlite3.IntegrityError, match=r"CHECK|NOT NULL"):
            db.execute("INSERT INTO reports_1 VALUES (?, ?, 0)", [bytes(16), code])
        db.execute("INSERT INTO reports_1 VALUES (?, 1, 0)", [bytes(16)])


class Disk:
    """A storage on a disk that takes its time, by a clock that nothing else moves."""

    def __init__(self, storage, a_row, a_commit):
        self.storage, self.a_row, self.a_commit = storage, a_row, a_commit
        self.now, self.held = 0.0, []

    def clock(self):
        return self.now

    def run(self, transaction, function, *arguments):
        def worked(db, *given):
            begun, before = self.now, db.conn.total_changes
            result = function(db, *given)
            rows = arguments[1] if len(arguments) > 1 else 0
            assert db.conn.total_changes - before <= rows + 1  # the last one makes the table final
            self.now += rows * self.a_row + self.a_commit
            self.held.append(self.now - begun)
            return result

        return transaction(worked, *arguments)

    def read(self, function, *arguments):
        return self.run(self.storage.read, function, *arguments)

    def write(self, function, *arguments):
        return self.run(self.storage.write, function, *arguments)


@pytest.mark.parametrize(("a_row", "a_commit"), [(4e-6, 0.002), (1e-4, 0.012), (1e-3, 0.001)])
def test_others_submit_between_transactions_that_are_short_on_any_disk(door, survey_file, a_row, a_commit):
    draw, survey = random.Random(2), door.survey
    records = {draw.randbytes(16): bytes([n % 2, 0]) for n in range(int(min(2e4, 2 / a_row)))}
    door.storage.write(lambda db: db.reports.put(survey.id, survey.publication, records))
    door.storage.write(surveys.close_survey, survey.id)
    draft = door.storage.write(surveys.create_draft, survey_file("other"))
    other = door.storage.write(surveys.open_survey, draft.id)
    disk, stored = Disk(door.storage, a_row, a_commit), []

    def send():
        if len(disk.held) % 10 == 0:
            one = submission(other, draw.randbytes(16).hex(), 1, 0)
            stored.extend(door.storage.write(submissions.record, [one], DAY))

    conversion.finish(Between(disk, send), disk.clock)
    assert max(disk.held) <= 0.05
    assert len(disk.held) >= len(records) * a_row / 0.05
    assert set(stored) == {"stored"}
    assert sum(
        1 for _ in door.storage.read(lambda db: list(db.reports.records(survey.id, survey.publication)))
    ) == len(records)


def test_files_and_tables_say_that_they_are_being_prepared_and_estimates_are_there(
    staff_app, door_of, browse
):
    door = door_of(staff_app)
    for _ in range(3):
        assert door.send(door.body())[1] == "stored"
    door.storage.write(surveys.close_survey, door.survey.id)
    researcher, services = browse("researcher"), staff_app.extensions["candor"]
    page = researcher.get("/results/exams")
    assert page.status_code == 200
    assert "Being prepared. Please come back in a few minutes." in page.text
    assert "reports.csv" not in page.text
    assert researcher.get("/results/exams/estimates.json").json["respondents"] == 3
    for first, file in ((True, "reports.csv"), (False, "cross"), (False, "cross.csv")):
        answer = researcher.client.get(f"/results/exams/{file}", headers={"Accept-Language": "ko"})
        if first or answer.status_code != 200:  # the first request made somebody begin
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
            assert "개별 기록을 준비하고 있습니다." in answer.text
            assert '<a href="/results/exams">추정값 보기</a>' in answer.text
    services.finisher.settle()
    for file in ("", "/reports.csv", "/cross", "/cross.csv"):
        answer = researcher.get(f"/results/exams{file}")
        assert answer.status_code == 200
        assert "eing prepared" not in answer.text


def test_closing_by_the_editor_converts_in_the_background(staff_app, door_of, browse):
    door = door_of(staff_app)
    assert door.send(door.body())[1] == "stored"
    assert browse("admin").post("/admin/surveys/exams/close").status_code == 302
    door.services.finisher.settle()
    assert door.storage.read(conversion.with_buckets) == []


class Errand:
    """A storage that has something to finish, and does what the test says when it is asked."""

    def __init__(self, *happens):
        self.happens, self.asked = list(happens), 0

    def finish(self, gently):
        assert gently
        self.asked += 1
        if self.happens:
            self.happens.pop(0)()


def away():
    raise Unavailable("the disk is full")


def broken():
    raise RuntimeError("a defect")


def test_a_database_that_is_away_is_asked_again_later(caplog):
    waited, errand = [], Errand(away, away)
    finisher = Finisher(errand, waited.append)
    finisher.start()
    finisher.settle()
    assert errand.asked == 3
    assert waited == [5.0, 5.0]
    assert "closed or deleted surveys are still being worked on: the disk is full" in caplog.text


def test_a_defect_is_logged_and_tried_again_later_or_as_soon_as_somebody_asks(caplog):
    planned, told, errand = [], [], Errand(broken, broken, broken)
    later = lambda seconds, again: planned.append((seconds, again))  # noqa: E731
    finisher = Finisher(errand, later=later, after=lambda: told.append(errand.asked))
    for asked in (1, 2):
        finisher.start()
        finisher.settle()
        assert errand.asked == asked
    ((seconds, again),) = planned  # one try is planned, however often it fails before
    assert seconds == 300
    again()
    finisher.settle()
    assert errand.asked == 3
    assert len(planned) == 2
    assert told == [1, 2, 3]
    assert caplog.text.count("could not be done") == 3


def test_what_is_planned_for_later_happens_in_a_thread_that_nobody_waits_for():
    threads, done = [], threading.Event()
    in_a_while(0.01, lambda: (threads.append(threading.current_thread()), done.set()))
    finisher = Finisher(Errand(lambda: threads.append(threading.current_thread())))
    finisher.start()
    finisher.settle()
    assert done.wait(60)
    assert [thread.daemon for thread in threads] == [True, True]


def test_a_survey_that_cannot_be_converted_does_not_keep_the_others_from_it(storage, monkeypatch):
    tried = []

    def convert(storage, clock, survey_id):
        tried.append(survey_id)
        if survey_id == 1:
            raise ValueError("of the first")

    monkeypatch.setattr(conversion, "with_buckets", lambda db: [1, 2, 3])
    monkeypatch.setattr(conversion, "convert", convert)
    monkeypatch.setattr(deleting, "left_over", lambda db: tried.append("deleted") or [])
    with pytest.raises(ExceptionGroup) as raised:
        storage.finish()
    assert tried == ["deleted", 1, 2, 3]
    assert "of the first" in "".join(traceback.format_exception(raised.value))


def test_a_database_that_goes_away_ends_it_at_once():
    tried = []

    def fail(item):
        tried.append(item)
        raise Unavailable("the disk is full")

    with pytest.raises(Unavailable):
        run_for_each(fail, [1, 2])
    assert tried == [1]


def test_whoever_is_at_it_looks_again_after_one_more_was_closed():
    errand = Errand()
    finisher = Finisher(errand)
    errand.happens.append(finisher.start)
    finisher.start()
    finisher.settle()
    assert errand.asked == 2


def test_a_server_that_starts_does_what_one_that_was_killed_has_left(closed):
    with pytest.raises(Killed):
        finish(Mortal(closed.storage, 7, committed=True))
    started = serve.application(Config(database=closed.storage.path, secret_key="k" * 32))
    started.extensions["candor"].finisher.settle()
    assert closed.storage.read(conversion.with_buckets) == []
    assert closed.rows() == closed.sent
