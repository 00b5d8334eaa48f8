"""While another process holds the database, every answer comes after one wait for it, and says so."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest

from server.runtime import offload
from server.store import surveys
from server.store.sqlite import storage as sqlite_storage

WAIT = 1
"""Seconds that a request waits here; 5 in use."""

MOST = 1.75 * WAIT
"""Seconds at work within which every answer is to come: less than two waits."""

TICK = 0.01
"""Seconds between two looks of the watch."""


class Watch:
    """Tells seconds at work: while a machine is so busy that it has no turn for us, this stands still too."""

    def __init__(self):
        self.ticks, self.runs = 0, True
        self.thread = threading.Thread(target=self.tick, daemon=True)
        self.thread.start()

    def tick(self):
        while self.runs:
            time.sleep(TICK)
            self.ticks += 1

    def __call__(self):
        return TICK * self.ticks

    def stop(self):
        self.runs = False
        self.thread.join()


@pytest.fixture
def timed():
    """Call a function; return what it returns, and the seconds at work that it took."""
    watch = Watch()

    def timed(function):
        before = watch()
        found = function()
        return found, watch() - before

    yield timed
    watch.stop()


@contextmanager
def locked(path, *how):
    """Another process that holds the database, up to the end of the block at the latest."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in how:
            connection.execute(statement).fetchall()
        yield connection
        end(connection)


def end(connection):
    """Let a process hold the database no longer."""
    connection.rollback()


@pytest.fixture
def patient(door):
    """The door of an application that waits a while for the database."""
    object.__setattr__(door.storage, "busy_seconds", WAIT)
    door.storage.close()
    return door


@pytest.mark.parametrize("how", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_submission_is_answered_after_one_wait_even_behind_others(patient, timed, how):
    patient.get()  # counted by the next commit, which then waits for the lock too
    answers = []
    with locked(patient.storage.path, how):
        threads = [
            threading.Thread(target=lambda: answers.append(timed(lambda: patient.send(patient.body()))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
            time.sleep(WAIT / 4)  # so that each comes while another waits
        for thread in threads:
            thread.join()
    assert [answer for answer, _ in answers] == [(503, "busy")] * 4
    assert max(seconds for _, seconds in answers) <= MOST


def test_a_database_that_is_read_for_long_is_waited_for_once(patient, timed):
    with closing(sqlite3.connect(patient.storage.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM surveys").fetchall()
        answer, seconds = timed(lambda: patient.send(patient.body()))
    assert answer == (503, "busy")
    assert seconds <= MOST


def test_whoever_comes_while_another_process_writes_joins_the_next_transaction(patient):
    object.__setattr__(patient.storage, "busy_seconds", 60)
    committer = patient.services.committer
    with ThreadPoolExecutor(8) as pool:
        with locked(patient.storage.path, "BEGIN IMMEDIATE"):
            answers = [pool.submit(patient.send, patient.body()) for _ in range(8)]
            end = time.monotonic() + 30
            while len(committer.waiting[0].submissions) < 8:  # its leader waits for the lock already
                assert time.monotonic() < end
                time.sleep(0.01)
        assert [answer.result() for answer in answers] == [(200, "stored")] * 8
    assert len(patient.rows()) == 8


def test_whoever_finds_that_others_write_looks_again_soon(door, monkeypatch):
    pauses = []
    with locked(door.storage.path, "BEGIN IMMEDIATE") as other:
        monkeypatch.setattr(offload, "pause", lambda seconds: pauses.append(seconds) or end(other))
        assert door.storage.write(surveys.create_draft, {"slug": "soon"}).slug == "soon"
    assert pauses == [0.001]


HELD = {"read": ["BEGIN EXCLUSIVE"], "write": ["BEGIN", "SELECT * FROM surveys"]}


@pytest.mark.parametrize("way", HELD)
def test_a_lock_of_others_is_waited_for_while_there_is_time(door, way):
    object.__setattr__(door.storage, "busy_seconds", 60)
    door.storage.write(surveys.create_draft, {"slug": "before"})
    inside = threading.Event()

    def slugs(db):
        inside.set()
        return [survey.slug for survey in surveys.all_surveys(db)]

    with ThreadPoolExecutor(1) as pool:
        with locked(door.storage.path, *HELD[way]):
            waiting = pool.submit(getattr(door.storage, way), slugs)
            inside.wait(0.2 if way == "read" else None)  # a reader does not get in, and a writer not out
            time.sleep(0.2)
        assert sorted(waiting.result()) == ["before", "exams"]


def test_what_opening_a_connection_has_waited_for_is_not_waited_for_again(door, monkeypatch):
    left, waits = iter([5.0, 4.9]), []
    monkeypatch.setattr(sqlite_storage, "seconds_left", lambda deadline: next(left))
    monkeypatch.setattr(
        sqlite_storage, "check", lambda db: waits.extend(db.execute("PRAGMA busy_timeout").fetchone())
    )
    sqlite_storage.open_checked(door.storage.path, 0.0, door.storage.draw).close()
    assert waits == [4900]


@pytest.mark.parametrize(
    "address", ["/s/exams", "/admin", "/admin/surveys/exams", "/results/exams", "/account"]
)
def test_a_page_is_answered_after_one_wait(staff_app, browse, survey_file, storage, timed, address):
    draft = storage.write(surveys.create_draft, survey_file("exams"))
    storage.write(surveys.open_survey, draft.id)
    client = browse("admin").client
    object.__setattr__(storage, "busy_seconds", WAIT)
    storage.close()
    with locked(storage.path, "BEGIN EXCLUSIVE"):
        answer, seconds = timed(lambda: client.get(address))
    assert answer.status_code == 503
    assert seconds <= MOST
