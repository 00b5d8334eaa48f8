"""What has a date happens once, whoever comes first: servers side by side, in any order of deeds."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import pytest

import server.store.lifecycle.scheduler
from server import create_app
from server.store import surveys
from server.store.committer import Committer
from server.store.engine import Unavailable
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.lifecycle.scheduler import DueChange, Scheduler
from server.store.results import visible_results
from server.store.submissions import Submission
from server.store.surveys import WrongState

HOUR = 3600
DAY = "2026-05-04"


def state_of(storage, survey_id):
    return storage.read(surveys.get, survey_id).state


@pytest.mark.engines
def test_a_server_closes_by_itself_when_it_is_woken(door, clock):
    """Nobody asks for a page here: the thread waits, is told of a change, and does what is due by then."""
    scheduler, done = door.services.scheduler, threading.Event()
    finish = scheduler.finish
    scheduler.finish = lambda: (finish(), done.set())
    thread = threading.Thread(target=scheduler.run)
    thread.start()
    assert done.wait(30)
    moment = int(clock().timestamp()) + HOUR
    door.storage.write(life.schedule, door.survey.id, Schedule(closes_at=moment), clock().timestamp())
    clock.forward(HOUR)
    done.clear()
    scheduler.wake()
    assert done.wait(30)
    door.services.finisher.settle()
    assert state_of(door.storage, door.survey.id) == "closed"
    scheduler.stop()
    thread.join()  # it was woken once more when the table was ready


def test_a_server_waits_for_the_moment_it_knows_and_never_longer_than_ten_minutes(door, clock):
    waits = []
    scheduler = Scheduler(door.storage, lambda: clock().timestamp(), door.services.finisher)

    class Waiting(threading.Event):
        def wait(self, seconds):
            assert not self.is_set()  # or it would not wait
            waits.append(seconds)
            scheduler.stopped = len(waits) == 3
            now = int(clock().timestamp())
            plan = Schedule(closes_at=now + 60 if len(waits) == 1 else now + 2 * HOUR)
            door.storage.write(life.schedule, door.survey.id, plan, now)
            scheduler.wake()

    scheduler.changed = Waiting()
    scheduler.run()
    assert waits == [600, 60, 600]


WRONG = [
    (Unavailable("it is away"), 5, "the dates of surveys cannot be looked at: it is away"),
    (ValueError("odd"), 600, "the dates of surveys could not be looked at"),
]


@pytest.mark.parametrize(("error", "seconds", "logged"), WRONG)
def test_whatever_goes_wrong_is_logged_and_the_dates_are_looked_at_again(error, seconds, logged, caplog):
    waits = []

    class Away:
        def read(self, *asked):
            raise error

    class Waiting:
        def wait(self, seconds):
            waits.append(seconds)
            scheduler.stopped = True

        def clear(self):
            pass

    scheduler = Scheduler(Away(), time.time, None)
    scheduler.changed = Waiting()
    scheduler.run()
    assert waits == [seconds]
    assert [record.getMessage() for record in caplog.records] == [logged]


def test_a_removal_that_fails_starts_no_finishing_which_would_wake_us_to_fail_again(
    storage, monkeypatch, caplog
):
    def broken(*asked):
        raise RuntimeError("a defect")

    started = []
    scheduler = Scheduler(storage, time.time, SimpleNamespace(start=lambda: started.append(1)))
    monkeypatch.setattr(server.store.lifecycle.scheduler, "all_due", lambda db, now: [DueChange(1, "remove")])
    monkeypatch.setattr(server.store.lifecycle.scheduler, "remove_if_due", broken)
    scheduler.turn()
    scheduler.finish()
    assert not started
    assert "what was due for a survey could not be done" in caplog.text


def test_what_was_closed_is_finished_once(storage, monkeypatch):
    """The finisher wakes the scheduler when it is done: started each time, both would go round and round."""
    started = []
    scheduler = Scheduler(storage, time.time, SimpleNamespace(start=lambda: started.append(1)))
    monkeypatch.setattr(server.store.lifecycle.scheduler, "all_due", lambda db, now: [DueChange(1, "close")])
    monkeypatch.setattr(server.store.lifecycle.scheduler, "close_if_due", lambda db, number, now: None)
    scheduler.turn()
    scheduler.finish()
    scheduler.finish()
    assert started == [1]


def test_where_the_database_goes_away_no_other_change_is_tried(storage, monkeypatch):
    def away(db, number, now):
        tried.append(number)
        raise Unavailable("the disk is full")

    tried = []
    changes = [DueChange(1, "remove"), DueChange(2, "remove")]
    monkeypatch.setattr(server.store.lifecycle.scheduler, "all_due", lambda db, now: changes)
    monkeypatch.setattr(server.store.lifecycle.scheduler, "remove_if_due", away)
    with pytest.raises(Unavailable):
        Scheduler(storage, time.time, None).turn()
    assert tried == [1]


@pytest.mark.parametrize("deed", [Scheduler.look, Scheduler.stop])
def test_a_server_waits_no_longer_once_it_was_asked_for_a_page_or_is_to_stop(storage, deed):
    scheduler = Scheduler(storage, time.time, None)
    deed(scheduler)
    assert scheduler.changed.is_set()


def test_the_dates_are_looked_at_in_a_thread_that_nobody_waits_for(storage):
    threads, looked = [], threading.Event()

    def clock():
        threads.append(threading.current_thread())
        looked.set()
        return 0.0

    scheduler = Scheduler(storage, clock, None)
    scheduler.start()
    assert looked.wait(60)
    scheduler.stop()
    threads[0].join(60)
    assert threads[0].daemon
    assert not threads[0].is_alive()


@pytest.fixture
def with_quota(door, survey_file):
    """Open a survey that takes so many reports."""

    def with_quota(quota):
        draft = door.storage.write(surveys.create_draft, survey_file("second"))
        door.storage.write(life.schedule, draft.id, Schedule(quota=quota), 0)
        return door.storage.write(surveys.open_survey, draft.id)

    return with_quota


def submission(survey, number):
    return Submission(
        survey.id, survey.publication.fingerprint, f"{number:032x}", {"copied": number % 2, "data": 0}
    )


@pytest.mark.engines
def test_a_quota_is_exact_where_two_servers_record_at_once(door, with_quota):
    survey, quota = with_quota(25), 25
    filled = threading.Event()
    committers = [Committer(door.storage, filled=filled.set) for _ in range(2)]
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda n: committers[n % 2].submit(submission(survey, n), DAY), range(60)))
    for committer in committers:
        committer.settle()
    assert sorted(set(outcomes)) == ["closed", "stored"]
    assert outcomes.count("stored") == quota
    assert filled.is_set()
    door.services.scheduler.turn()
    assert door.storage.read(life.of, survey.id).closed_by == "quota"
    assert door.storage.read(visible_results.results, surveys_get(door, survey)).respondents == quota


def surveys_get(door, survey):
    return door.storage.read(surveys.get, survey.id)


@pytest.mark.engines
@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_of_deeds_on_two_servers_nothing_is_lost_and_nothing_comes_late(
    door, with_quota, clock, seed
):
    """Stored is what was acknowledged; nothing comes after the end or in a pause; results move by steps."""
    draw = random.Random(seed)
    quota, ends = draw.choice([None, 30, 60]), draw.randint(2, 6) * HOUR
    survey = with_quota(quota) if quota else door.survey
    moment = int(clock().timestamp()) + ends
    door.storage.write(life.schedule, survey.id, Schedule(closes_at=moment, quota=quota), clock().timestamp())
    other = create_app(door.services.config, clock, create=False)
    servers = [door.services, other.extensions["candor"]]
    acknowledged, paused, shown, sent = set(), False, [0], 0
    for _ in range(130):
        server = draw.choice(servers)
        deed = draw.choices(["send", "again", "pause", "resume", "wait", "turn"], [60, 8, 4, 8, 2, 4])[0]
        if deed in ("send", "again"):
            sent += deed == "send"
            one = submission(survey, sent if deed == "send" else draw.randint(1, max(sent, 1)))
            known = one.receipt in acknowledged
            outcome = server.committer.submit(one, DAY)
            if known:
                assert outcome == "repeated"
            else:
                over = clock().timestamp() >= moment or state_of(server.storage, survey.id) == "closed"
                full = "closed" if len(acknowledged) == quota else "stored"
                assert outcome == ("closed" if over else "paused" if paused else full)
                acknowledged |= {one.receipt} if outcome == "stored" else set()
        elif deed in ("pause", "resume") and state_of(server.storage, survey.id) == "open":
            server.storage.write(getattr(life, deed), survey.id)
            paused = deed == "pause"
        elif deed == "wait":
            clock.forward(HOUR)
        elif deed == "turn":
            server.scheduler.turn()
        shown.append(server.storage.read(visible_results.results, surveys_get(door, survey)).respondents)
    moves = [after - before for before, after in pairwise(shown) if after != before]
    assert all(move >= door.step for move in moves[:-1])  # the last may be the end, which shows everybody
    clock.forward(24 * HOUR)
    for server in servers:
        server.scheduler.turn()
    door.services.finisher.start()
    door.services.finisher.settle()
    assert state_of(door.storage, survey.id) == "closed"
    assert door.storage.read(visible_results.results, surveys_get(door, survey)).respondents == len(
        acknowledged
    )
    held = door.storage.read(
        lambda db: {key.hex() for key, _ in db.reports.records(survey.id, survey.publication)}
    )
    assert held == acknowledged
    by = "quota" if quota and len(acknowledged) == quota else "date"
    assert door.storage.read(life.of, survey.id).closed_by == by
    servers[1].committer.settle()
    servers[1].storage.close()


def test_whoever_closes_by_hand_at_the_same_time_finds_it_done(door, clock):
    moment = int(clock().timestamp()) + HOUR
    door.storage.write(life.schedule, door.survey.id, Schedule(closes_at=moment), 0)
    clock.forward(HOUR)
    door.services.scheduler.turn()
    with pytest.raises(WrongState):
        door.storage.write(surveys.close_survey, door.survey.id)
    assert door.storage.read(life.of, door.survey.id).closed_by == "date"


@pytest.mark.engines
def test_pausing_waits_for_what_is_being_stored_and_then_nothing_comes(door):
    """Of submissions and a pause at the same time, each is stored before it or refused after it."""
    with ThreadPoolExecutor(5) as pool:
        sending = [
            pool.submit(door.services.committer.submit, submission(door.survey, n), DAY) for n in range(40)
        ]
        pausing = pool.submit(partial(door.storage.write, life.pause), door.survey.id)
        outcomes = [each.result() for each in sending]
        pausing.result()
    assert set(outcomes) <= {"stored", "paused"}
    assert len(door.rows()) == outcomes.count("stored")
    assert door.services.committer.submit(submission(door.survey, 99), DAY) == "paused"
