"""Group commit: many waiting submissions, one transaction, each with its own outcome."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.store import committer as committer_module
from server.store import submissions, surveys
from server.store.committer import Batch, Committer
from server.store.engine import Unavailable
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.submissions import Submission

pytestmark = pytest.mark.engines

DAY = "2026-05-04"


class SlowDisk:
    """A storage whose first transaction lasts until the test lets it end."""

    def __init__(self, storage):
        self.storage = storage
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.batches = []
        self.error = None

    def deadline(self):
        return self.storage.deadline()

    def write_until(self, deadline, function, *arguments):
        def slow(db, *arguments):
            outcomes = function(db, *arguments)
            self.batches.append(len(outcomes))
            self.entered.set()
            assert self.go_on.wait(60)
            if self.error:
                raise self.error
            return outcomes

        return self.storage.write_until(deadline, slow, *arguments)


def submission(door, number, **reports):
    fields = {"copied": 1, "data": 0} | reports
    return Submission(door.survey.id, door.survey.publication.fingerprint, f"{number:032x}", fields)


def crowd(committer, batch, disk, days=None):
    """Let one submission lead, and all others come, in order, while it is being committed."""
    first_day, *other_days = days or [DAY] * len(batch)
    with ThreadPoolExecutor(len(batch)) as pool:
        first = pool.submit(committer.submit, batch[0], first_day)
        assert disk.entered.wait(60)
        others = []
        for one, day in zip(batch[1:], other_days, strict=True):
            others.append(pool.submit(committer.submit, one, day))
            wait_until(lambda: sum(len(each.submissions) for each in committer.waiting) == len(others))
        disk.go_on.set()
        return [first, *others]


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def days(door):
    """What is counted: day -> (opened, sent)."""
    return {day.day: (day.started, day.sent) for day in door.storage.read(submissions.days, door.survey.id)}


def test_all_that_wait_share_the_next_transaction(door):
    disk = SlowDisk(door.storage)
    done = crowd(Committer(disk), [submission(door, n) for n in range(20)], disk)
    assert [one.result() for one in done] == ["stored"] * 20
    assert disk.batches == [1, 19]
    assert len(door.rows()) == 20


def test_a_crowd_is_committed_in_several_transactions_first_come_first(door, monkeypatch):
    monkeypatch.setattr(committer_module, "MOST", 8)
    disk = SlowDisk(door.storage)
    committer = Committer(disk)
    done = crowd(committer, [submission(door, n, copied=9 if n == 12 else 1) for n in range(20)], disk)
    assert [one.result() for one in done] == ["stored"] * 12 + ["refused"] + ["stored"] * 7
    assert disk.batches == [1, 8, 8, 3]
    assert committer.submit(submission(door, 99), DAY) == "stored"
    assert len(door.rows()) == 20


def test_a_failing_submission_does_not_fail_its_neighbours(door):
    disk = SlowDisk(door.storage)
    batch = [submission(door, n, copied=9 if n == 3 else 1) for n in range(6)]
    done = crowd(Committer(disk), batch, disk)
    assert [one.result() for one in done] == ["stored"] * 3 + ["refused"] + ["stored"] * 2


def test_a_database_that_fails_is_told_to_everybody_who_waits_and_the_next_is_served(door):
    disk = SlowDisk(door.storage)
    disk.error = Unavailable("the disk is full")
    committer = Committer(disk)
    for one in crowd(committer, [submission(door, n) for n in range(5)], disk):
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
    assert Counter(one.result() for one in done) == {"stored": 150, "repeated": 150}
    assert len(door.rows()) == 150
    door.storage.write(surveys.close_survey, door.survey.id)
    assert sum(door.results().counts["copied"]) == 150


class Noting:
    """A storage that notes until when it is to be waited for."""

    def __init__(self, storage):
        self.storage = storage
        self.deadlines = []

    def deadline(self):
        return 100.0

    def write_until(self, deadline, function, *arguments):
        self.deadlines.append(deadline)
        return self.storage.write_until(self.storage.deadline(), function, *arguments)


def test_a_commit_waits_no_longer_than_whoever_in_it_waits_the_least(door):
    storage = Noting(door.storage)
    committer = Committer(storage)
    committer.submit(submission(door, 1), DAY)
    committer.submit(submission(door, 2), DAY, 20.0)
    batch = Batch()
    for number, deadline in ((3, 40.0), (4, 30.0), (5, 50.0)):
        batch.add(submission(door, number), DAY, deadline)
    committer.commit(batch, Counter())
    assert storage.deadlines == [100.0, 20.0, 30.0]
    assert len(door.rows()) == 5


def test_submissions_around_midnight_count_on_their_own_day_each_with_its_own_outcome(door):
    disk = SlowDisk(door.storage)
    batch = [submission(door, n, copied=9 if n == 2 else 1) for n in range(6)]
    before, after = "2026-05-04", "2026-05-05"
    # A server whose clock is set back, or several that differ, may even mix the two.
    done = crowd(Committer(disk), batch, disk, [before, before, after, after, before, after])
    assert [one.result() for one in done] == ["stored", "stored", "refused", "stored", "stored", "stored"]
    assert disk.batches == [1, 5]
    assert days(door) == {before: (0, 3), after: (0, 2)}


def test_page_views_wait_for_the_next_submission(door, monkeypatch):
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 3600)
    committer = Committer(door.storage)
    for day in (DAY, DAY, "2026-05-05"):
        committer.start(door.survey.id, day)
    assert days(door) == {}
    committer.submit(submission(door, 1), DAY)
    assert days(door) == {DAY: (2, 1), "2026-05-05": (1, 0)}


def test_page_views_that_no_submission_takes_along_are_written_soon_and_so_are_later_ones(door, monkeypatch):
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 0.01)
    committer = Committer(door.storage)
    for views in (1, 2):
        committer.start(door.survey.id, DAY)
        wait_until(lambda: days(door) == {DAY: (views, 0)})  # noqa: B023  # called at once


class Broken:
    """A storage that cannot write."""

    def __init__(self, error):
        self.error = error

    def deadline(self):
        return 0.0

    def write_until(self, *arguments):
        raise self.error


def test_whoever_comes_after_a_transaction_that_did_not_even_begin_is_served(door):
    committer = Committer(Broken(Unavailable("locked")))
    with pytest.raises(Unavailable, match="locked"):
        committer.submit(submission(door, 1), DAY)
    committer.storage = door.storage
    assert committer.submit(submission(door, 2), DAY) == "stored"
    assert len(door.rows()) == 1


def test_page_views_that_cannot_be_written_are_kept_and_a_defect_is_logged(door, caplog):
    committer = Committer(Broken(RuntimeError("a defect")))
    committer.start(door.survey.id, DAY)
    committer.settle()
    assert "page views could not be counted" in caplog.text
    committer.storage = door.storage
    committer.settle()
    assert days(door) == {DAY: (1, 0)}


def test_a_database_that_is_away_when_page_views_are_written_is_no_defect(door, caplog):
    committer = Committer(Broken(Unavailable("away")))
    committer.start(door.survey.id, DAY)
    committer.settle()
    assert caplog.text == ""


def test_a_defect_that_a_respondent_is_told_of_is_not_logged_for_page_views(door, caplog):
    with pytest.raises(RuntimeError, match="a defect"):
        Committer(Broken(RuntimeError("a defect"))).submit(submission(door, 1), DAY)
    assert caplog.text == ""


def test_page_views_wait_for_one_timer_which_keeps_no_server_from_ending(door, monkeypatch):
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 3600)
    committer = Committer(door.storage)
    before = set(threading.enumerate())
    for _ in range(2):
        committer.start(door.survey.id, DAY)
    (timer,) = (each for each in set(threading.enumerate()) - before if isinstance(each, threading.Timer))
    assert timer.daemon
    timer.cancel()


def test_page_views_are_written_once_and_plan_nothing_more(door, monkeypatch):
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 3600)
    committer, planned = Committer(door.storage), []
    for _ in range(3):
        committer.flush()
        planned.append(committer.flushing)
        committer.start(door.survey.id, DAY)
    assert planned == [False] * 3
    assert days(door) == {DAY: (2, 0)}


def test_page_views_leave_a_commit_that_is_under_way_to_whoever_leads_it(door, monkeypatch):
    disk = SlowDisk(door.storage)
    committer = Committer(disk)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(committer.submit, submission(door, 1), DAY)
        assert disk.entered.wait(60)
        committer.start(door.survey.id, DAY)
        with monkeypatch.context() as patch:
            patch.setattr(committer, "lead", lambda: pytest.fail("two commits at a time"))
            committer.flush()
        disk.go_on.set()
    committer.settle()
    assert disk.batches == [1, 0]
    assert days(door) == {DAY: (1, 1)}


def test_page_views_that_came_during_a_commit_are_written_though_nobody_comes_after_it(door, monkeypatch):
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 0.01)
    disk, tried = SlowDisk(door.storage), []
    committer = Committer(disk)
    flush = committer.flush
    monkeypatch.setattr(committer, "flush", lambda: (flush(), tried.append(disk.batches.copy())))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(committer.submit, submission(door, 1), DAY)
        assert disk.entered.wait(60)
        committer.start(door.survey.id, DAY)
        wait_until(lambda: tried)
        disk.go_on.set()
    assert tried[0] == [1]
    wait_until(lambda: days(door) == {DAY: (1, 1)})


def test_a_submission_joins_page_views_that_wait_for_the_database(door):
    entered, go_on = threading.Event(), threading.Event()

    class Locked(Noting):
        def write_until(self, *arguments):
            entered.set()
            assert go_on.wait(60)
            return super().write_until(*arguments)

    storage = Locked(door.storage)
    committer = Committer(storage)
    committer.start(door.survey.id, DAY)
    with ThreadPoolExecutor(2) as pool:
        pool.submit(committer.flush)
        assert entered.wait(60)
        sent = pool.submit(committer.submit, submission(door, 1), DAY)
        wait_until(lambda: committer.waiting[0].submissions)
        go_on.set()
        assert sent.result(60) == "stored"
    assert len(storage.deadlines) == 1
    assert days(door) == {DAY: (1, 1)}


def test_whoever_closes_surveys_is_called_when_one_has_all_its_reports(door, survey_file):
    draft = door.storage.write(surveys.create_draft, survey_file("second"))
    door.storage.write(life.schedule, draft.id, Schedule(quota=2), time.time())
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    called = []
    committer = Committer(door.storage, filled=lambda: called.append("full"))
    assert committer.submit(submission(door, 1), DAY) == "stored"
    assert called == []
    assert committer.submit(submission(door, 2), DAY) == "stored"
    assert called == ["full"]


def test_settling_waits_for_the_commit_that_is_under_way_and_writes_what_came_meanwhile(door):
    disk = SlowDisk(door.storage)
    committer = Committer(disk)
    with ThreadPoolExecutor(2) as pool:
        pool.submit(committer.submit, submission(door, 1), DAY)
        assert disk.entered.wait(60)
        committer.start(door.survey.id, DAY)
        settled = pool.submit(committer.settle)
        with pytest.raises(TimeoutError):
            settled.result(0.1)
        disk.go_on.set()
        settled.result(60)
    assert days(door) == {DAY: (1, 1)}


def test_settling_waits_for_a_commit_that_began_after_it_had_found_none(door, monkeypatch):
    disk = SlowDisk(door.storage)
    committer = Committer(disk)
    flush = committer.flush
    with ThreadPoolExecutor(2) as pool:

        def overtaken():
            pool.submit(committer.submit, submission(door, 1), DAY)
            assert disk.entered.wait(60)
            flush()

        monkeypatch.setattr(committer, "flush", overtaken)
        settled = pool.submit(committer.settle)
        with pytest.raises(TimeoutError):
            settled.result(0.1)
        disk.go_on.set()
        settled.result(60)
        assert len(door.rows()) == 1


def test_a_message_that_shows_a_batch_shows_no_submission():
    batch = Batch()
    batch.add(Submission(1, "0" * 64, "ab" * 16, {"copied": 1}), DAY, 1.0)
    assert "Submission" not in repr(batch)
    assert DAY not in repr(batch)
