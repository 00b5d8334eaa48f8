"""Group commit: many waiting submissions, one transaction, each with its own outcome."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.store import surveys
from server.store.committer import Committer
from server.store.database import Unavailable
from server.store.submissions import Submission

DAY = "2026-05-04"


class SlowDisk:
    """A storage whose first transaction lasts until the test lets it end."""

    def __init__(self, storage):
        self.storage = storage
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.batches = []

    def write(self, function, batch, starts):
        self.batches.append(len(batch))
        self.entered.set()
        assert self.go_on.wait(10)
        return self.storage.write(function, batch, starts)


def submission(door, number, **reports):
    fields = {"copied": 1, "data": 0} | reports
    return Submission(door.survey.id, door.survey.publication.fingerprint, f"{number:032x}", fields)


def crowd(committer, batch, disk, size):
    """Let one submission lead, and all others come while it is being committed."""
    with ThreadPoolExecutor(len(batch)) as pool:
        first = pool.submit(committer.submit, batch[0], DAY)
        assert disk.entered.wait(10)
        others = [pool.submit(committer.submit, one, DAY) for one in batch[1:]]
        while len(committer.waiting) < size - 1:
            threading.Event().wait(0.001)
        disk.go_on.set()
        return [first, *others]


def test_all_that_wait_share_the_next_transaction(door):
    disk = SlowDisk(door.storage)
    done = crowd(Committer(disk), [submission(door, n) for n in range(20)], disk, 20)
    assert [one.result() for one in done] == ["stored"] * 20
    assert disk.batches == [1, 19]
    assert len(door.rows()) == 20


def test_a_failing_submission_does_not_fail_its_neighbours(door):
    disk = SlowDisk(door.storage)
    batch = [submission(door, n, copied=9 if n == 3 else 1) for n in range(6)]
    done = crowd(Committer(disk), batch, disk, 6)
    assert [one.result() for one in done] == ["stored"] * 3 + ["refused"] + ["stored"] * 2


def test_a_database_that_fails_is_told_to_everybody_who_waits_and_the_next_is_served(door):
    class Failing(SlowDisk):
        def write(self, function, batch, starts):
            super().write(lambda db, *_: None, batch, starts)
            raise Unavailable("the disk is full")

    disk = Failing(door.storage)
    committer = Committer(disk)
    for one in crowd(committer, [submission(door, n) for n in range(5)], disk, 5):
        with pytest.raises(Unavailable, match="full"):
            one.result()
    assert door.rows() == {}
    committer.storage = door.storage
    assert committer.submit(submission(door, 1), DAY) == "stored"


def test_many_threads_store_everything_exactly_once(door):
    with ThreadPoolExecutor(16) as pool:
        done = [
            pool.submit(door.services.committer.submit, submission(door, n % 150), DAY) for n in range(300)
        ]
    assert [one.result() for one in done] == ["stored"] * 300
    assert len(door.rows()) == 150
    door.storage.write(surveys.close_survey, door.survey.id)
    assert sum(door.results().counts["copied"]) == 150


def test_submissions_around_midnight_count_on_their_own_day(door):
    committer = Committer(door.storage)
    disk = SlowDisk(door.storage)
    committer.storage = disk
    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(committer.submit, submission(door, 0), "2026-05-04")]
        assert disk.entered.wait(10)
        done += [pool.submit(committer.submit, submission(door, 1), "2026-05-05")]
        disk.go_on.set()
    assert [one.result() for one in done] == ["stored", "stored"]
    assert door.storage.read(lambda db: db.execute("SELECT day, sent FROM days").fetchall()) == [
        ("2026-05-04", 1),
        ("2026-05-05", 1),
    ]
