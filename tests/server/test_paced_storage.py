"""The storage for large work: it rests as long as it has worked, and far longer where others send reports."""

import pytest

from server.store import surveys
from server.store.lifecycle import paced_storage
from server.store.lifecycle.paced_storage import PacedStorage
from server.store.sqlite.storage import AGAIN_SECONDS


class Desk:
    """A storage whose transactions last as a test says, and at which others leave reports."""

    def __init__(self):
        self.now, self.arrived, self.rests = 0.0, 0, []
        self.reports = self
        self.paced = PacedStorage(self, lambda: self.now, self.pause)

    def pause(self, seconds):
        self.rests.append(seconds)
        self.now += seconds

    def arrivals_mark(self):
        return self.arrived

    def read(self, function, *arguments, **named):
        self.now += 0.5  # the wait for the lock
        return function(self, *arguments, **named)

    write = read

    def work(self, seconds, arrivals=0):
        """Work for some seconds, in turn reading and writing, then let others leave some reports."""

        def last(db):
            self.now += seconds

        (self.paced.read, self.paced.write)[len(self.rests) % 2](last)
        self.arrived += arrivals


@pytest.fixture
def desk():
    return Desk()


def test_it_rests_between_transactions_as_long_as_it_has_worked(desk):
    for seconds in (2, 0.5, 4):
        desk.work(seconds)
    assert desk.rests == [2, 0.5]


def test_whoever_looks_each_millisecond_gets_in_between_two_transactions(desk):
    for seconds in (0, 0.5**10, 1):
        desk.work(seconds)
    assert min(desk.rests) >= 5 * AGAIN_SECONDS


def test_it_rests_for_two_seconds_at_most(desk):
    desk.work(2.5, arrivals=1)
    desk.work(0.5)
    desk.work(1)
    assert desk.rests == [2, 2]


def test_what_is_computed_between_transactions_counts_as_work(desk):
    desk.work(0.5)
    desk.now += 0.25
    desk.work(1)
    assert desk.rests == [0.75]


def test_beside_others_it_rests_a_hundred_times_as_long_until_nothing_has_come_for_ten_seconds(desk):
    desk.work(1, arrivals=1)  # they are noticed in the next transaction
    for seconds in (0.015625, 0.0078125, 10, 1.5, 1):
        desk.work(seconds)
    assert desk.rests == [1, 1.5625, 0.78125, 2, 1.5]


def test_a_while_is_worked_before_others_are_looked_for(desk, monkeypatch):
    monkeypatch.setattr(paced_storage, "AT_ONCE_SECONDS", 0.125)
    for _ in range(11):
        desk.work(0.015625, arrivals=1)
    assert desk.rests == [0.015625] * 8 + [1.5625] * 2


def test_ten_seconds_after_the_last_arrival_nobody_counts_as_there(desk):
    desk.work(1, arrivals=1)
    desk.work(1)
    desk.now = desk.paced.arrived + 10 - 0.015625 - 0.5 - 2  # it rests for 2, waits for 0.5 and works
    desk.work(0.015625)
    desk.work(1)
    assert desk.rests == [1, 2, 0.015625]


def test_reading_and_writing_give_what_the_storage_gives(desk):
    assert desk.paced.read(lambda db, one, *, two: (db, one, two), 1, two=2) == (desk, 1, 2)
    assert desk.paced.write(lambda db, one, *, two: (db, one, two), 1, two=2) == (desk, 1, 2)


def test_a_mark_changes_when_a_report_has_come_and_not_with_what_is_done_in_the_background(door, survey_file):
    def mark():
        return door.storage.read(lambda db: db.reports.arrivals_mark())

    draft = door.storage.write(surveys.create_draft, survey_file("other"))
    door.storage.write(surveys.open_survey, draft.id)
    first = mark()
    assert door.send(door.body()) == (200, "stored")
    second = mark()
    assert second != first
    assert door.send(door.body()) == (200, "stored")
    assert mark() not in (first, second)
    door.storage.write(surveys.close_survey, door.survey.id)
    closed = mark()
    door.storage.finish()
    assert mark() == closed


def test_a_server_rests_and_a_command_does_not(door, monkeypatch):
    rested = []
    monkeypatch.setattr(PacedStorage, "rest", lambda self: rested.append(None))
    assert door.send(door.body()) == (200, "stored")
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    assert not rested
    door.services.finisher.start()
    door.services.finisher.settle()
    assert rested
