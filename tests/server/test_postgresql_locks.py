"""Several servers record at a time: none waits for another in a circle, or for ever; nothing comes late."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count

import numpy as np
import pytest

from server.store import committer as committer_module
from server.store import surveys
from server.store.committer import Committer
from server.store.lifecycle import life, scheduler
from server.store.postgresql import migrations
from server.store.postgresql.reports import PostgreSQLReports
from server.store.postgresql.storage import PostgreSQLStorage, forget_arrivals, write_anew
from server.store.submissions import Submission, days, record_and_count

DAY = "2026-05-04"


@pytest.fixture(autouse=True)
def nothing_is_written_later(monkeypatch):
    """Let no committer open a connection once a test has closed its own."""
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 600.0)


@pytest.fixture
def servers(postgresql):
    """Two servers on one database, patient ones: a busy machine is no deadlock."""
    pair = [PostgreSQLStorage(postgresql, busy_seconds=60.0) for _ in range(2)]
    yield pair
    for storage in pair:
        storage.close()


@pytest.fixture
def opened(servers, survey_file):
    """Open a survey of this name."""

    def opened(slug):
        draft = servers[0].write(surveys.create_draft, survey_file(slug))
        return servers[0].write(surveys.open_survey, draft.id)

    return opened


def submission(survey, number, copied=1):
    reports = {"copied": copied, "data": 0}
    return Submission(survey.id, survey.publication.fingerprint, f"{number:032x}", reports)


def record(storage, batch, starts):
    return storage.write_until(
        storage.deadline(), record_and_count, batch, [DAY] * len(batch), Counter(starts), {}
    )


def together(*calls):
    """Make calls at the same time; give what each returned."""
    barrier = threading.Barrier(len(calls))

    def call(function, *arguments):
        barrier.wait()
        return function(*arguments)

    with ThreadPoolExecutor(len(calls)) as pool:
        return [running.result() for running in [pool.submit(call, *each) for each in calls]]


def stored(storage, survey):
    """Count a survey again: its receipts, which must be distinct; its tallies and days must say the same."""

    def read(db):
        receipts = [receipt for receipt, _ in db.reports.records(survey.id, survey.publication)]
        return receipts, db.reports.counts(survey.id, survey.publication), days(db, survey.id)

    receipts, counts, totals = storage.read(read)
    assert len(set(receipts)) == len(receipts)
    assert counts[:2].sum() == len(receipts)
    assert sum(day.sent for day in totals) == len(receipts)
    return len(receipts)


@pytest.fixture
def slowly(monkeypatch):
    """Let every transaction rest once it has stored reports and holds their tally."""
    put = PostgreSQLReports.put

    def put_slowly(*arguments):
        try:
            return put(*arguments)
        finally:
            time.sleep(0.05)

    monkeypatch.setattr(PostgreSQLReports, "put", put_slowly)


def test_batches_over_two_surveys_in_opposite_orders_do_not_block_each_other(servers, opened, slowly):
    """Both transactions come to hold one survey's tally: in another order, each would want the other's."""
    first, second = opened("first"), opened("second")
    batch = [submission(survey, n) for n in range(4) for survey in (first, second)]
    starts = {(second.id, DAY): 1, (first.id, DAY): 1}
    for _ in range(3):
        one, other = together((record, servers[0], batch, starts), (record, servers[1], batch[::-1], starts))
        assert {*one, *other} <= {"stored", "repeated"}
    assert [stored(servers[0], survey) for survey in (first, second)] == [4, 4]
    assert [day.started for day in servers[0].read(days, first.id)] == [6]


def test_page_views_of_one_survey_do_not_block_submissions_to_another(servers, opened, slowly):
    first, second = opened("first"), opened("second")
    for n in range(3):
        together(
            (record, servers[0], [submission(first, n)], {(second.id, DAY): 1}),
            (record, servers[1], [submission(second, n)], {(first.id, DAY): 1}),
        )
    assert [stored(servers[0], survey) for survey in (first, second)] == [3, 3]


def test_one_receipt_through_two_servers_at_once_is_stored_once(servers, opened, slowly):
    survey = opened("exams")
    for n in range(3):
        same = [submission(survey, n)]
        outcomes = together((record, servers[0], same, {}), (record, servers[1], same, {}))
        assert sorted(map(str, outcomes)) == ["['repeated']", "['stored']"]
        other = [submission(survey, n, copied=0)]
        assert record(servers[1], other, {}) == ["different"]
    assert stored(servers[0], survey) == 3


@pytest.mark.parametrize("end", [surveys.close_survey, surveys.delete_survey])
def test_a_survey_that_ends_under_load_takes_nothing_afterwards(servers, opened, end):
    survey, other = opened("exams"), opened("other")
    committers = [Committer(storage) for storage in servers]
    go_on, ended = threading.Event(), threading.Event()
    outcomes = {survey.id: [], other.id: []}

    def send(thread):
        for n in range(10_000):
            late = ended.is_set()
            for target in (survey, other):
                outcome = committers[thread % 2].submit(submission(target, thread * 10_000 + n), DAY)
                outcomes[target.id].append((late, outcome))
            committers[thread % 2].start(survey.id, DAY)
            if n == 5:
                go_on.set()
            if late:
                return

    with ThreadPoolExecutor(4) as pool:
        sending = [pool.submit(send, thread) for thread in range(4)]
        assert go_on.wait(20)
        servers[0].write(end, survey.id)
        ended.set()
        for each in sending:
            each.result()
    for committer in committers:
        committer.settle()
    refused = "closed" if end is surveys.close_survey else "missing"
    assert {outcome for late, outcome in outcomes[survey.id] if late} == {refused}
    assert {outcome for _, outcome in outcomes[survey.id]} == {"stored", refused}
    assert {outcome for _, outcome in outcomes[other.id]} == {"stored"}
    assert stored(servers[0], other) == len(outcomes[other.id])
    if end is surveys.close_survey:
        acknowledged = sum(outcome == "stored" for _, outcome in outcomes[survey.id])
        assert stored(servers[0], survey) == acknowledged
        shown = servers[1].read(lambda db: db.reports.published(survey.id, survey.publication))
        counted = servers[1].read(lambda db: db.reports.counts(survey.id, survey.publication))
        assert np.array_equal(shown, counted)


NOW = 1_800_000_000

PASSED = 1000
"""How many may be stored while somebody wants to be alone, from before the request until after the answer."""

ALONE = {
    "close": surveys.close_survey,
    "delete": surveys.delete_survey,
    "pause": life.pause,
    "plan": partial(life.schedule, wanted=life.Schedule(closes_at=NOW + 60), now=NOW),
    "close by its date": partial(scheduler.close_if_due, now=NOW),
}


@pytest.fixture
def crowd(postgresql, slowly):
    """Let four servers take submissions to a survey without a break, so that it is never in no hands."""
    stop, numbers, outcomes = threading.Event(), count(), []

    def send(committer, survey):
        while not stop.is_set():
            outcomes.append(committer.submit(submission(survey, next(numbers)), DAY))

    with ThreadPoolExecutor(16) as pool:
        storages = [PostgreSQLStorage(postgresql, busy_seconds=60.0) for _ in range(4)]

        def begin(survey):
            committers = [Committer(storage, clock=lambda: NOW - 60.0) for storage in storages]
            running = [pool.submit(send, committer, survey) for committer in committers for _ in range(4)]
            while len(outcomes) < 40:
                assert not any(each.done() for each in running)
                time.sleep(0.01)
            return outcomes

        yield begin
        stop.set()
    for storage in storages:
        storage.close()


@pytest.mark.parametrize("change", ALONE.values(), ids=ALONE)
def test_whoever_wants_a_survey_alone_is_not_passed_by_those_who_come_later(
    postgresql, opened, crowd, change
):
    """Whoever is passed by each that comes waits in vain; up to 16 may have come before."""
    survey = opened("exams")
    with closing(PostgreSQLStorage(postgresql, busy_seconds=60.0)) as staff:
        staff.write(life.note, survey.id, closes_at=NOW, end_changed=NOW)
        outcomes = crowd(survey)
        before = len(outcomes)
        staff.write(change, survey.id)
        assert outcomes[before:].count("stored") < PASSED


def advisory_locks(db):
    """The advisory locks that a transaction holds, by numbers that servers of all versions must know."""
    held = """
        SELECT classid::bigint, objid::bigint FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid() ORDER BY 1, 2
    """
    return db.execute(held).fetchall()


def test_a_gate_is_let_go_of_by_whoever_records_and_kept_by_whoever_wants_the_survey_alone(servers, opened):
    several = [opened(f"survey{n}").id for n in range(20)]

    def gates(db, **how):
        db.hold(several, **how)
        return advisory_locks(db)

    assert servers[0].write_until(servers[0].deadline(), gates) == []
    shut = servers[0].write_until(servers[0].deadline(), gates, alone=True)
    assert shut == [(int.from_bytes(b"cand"), survey_id) for survey_id in several]
    assert servers[0].read(advisory_locks) == []


def test_all_that_write_take_one_lock_and_those_that_change_the_tables_another(servers):
    """A server of another version looks for the same two."""
    number = int.from_bytes(b"candor")
    assert servers[0].write(advisory_locks) == [divmod(number + 1, 2**32)]

    def migrated(db):
        migrations.migrate(db, create=True)
        return advisory_locks(db)

    assert servers[0].write_until(servers[0].deadline(), migrated) == [divmod(number, 2**32)]


def test_whoever_wants_several_surveys_alone_waits_for_the_lowest_number_first(servers, opened):
    """In another order two would hold what the other wants."""
    first, second = sorted(opened(slug).id for slug in ("exams", "other"))
    wanted, begun = (second, first), threading.Event()

    def hold(db):
        begun.set()
        db.hold(wanted, alone=True)

    def both(db):
        db.hold([first], alone=True)
        waits = pool.submit(servers[1].write_until, servers[1].deadline(), hold)
        assert begun.wait(20)
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while not db.execute(waiting).fetchone()[0] and not waits.done():
            time.sleep(0.01)
        db.hold([second], alone=True)
        return waits

    with ThreadPoolExecutor(1) as pool:
        servers[0].write_until(servers[0].deadline(), both).result()


def test_the_arrivals_are_forgotten_once_those_who_send_again_are_done(servers, opened, monkeypatch):
    """Whoever sends again takes the survey and then its reports, and so does whoever forgets them."""
    survey = opened("exams")
    record(servers[0], [submission(survey, 1)], {})
    servers[0].write(surveys.close_survey, survey.id)
    servers[0].write(write_anew, survey.id)
    holds, find = threading.Event(), PostgreSQLReports.find

    def find_late(*arguments):
        holds.set()
        time.sleep(0.3)
        return find(*arguments)

    monkeypatch.setattr(PostgreSQLReports, "find", find_late)
    with ThreadPoolExecutor(1) as pool:
        again = pool.submit(record, servers[0], [submission(survey, 1)], {})
        assert holds.wait(20)
        assert servers[1].write_until(servers[1].deadline(), forget_arrivals, survey.id)
        assert again.result() == ["repeated"]


def test_a_closed_survey_is_written_anew_while_others_take_submissions(servers, opened):
    survey, other = opened("exams"), opened("other")
    record(servers[0], [submission(survey, n) for n in range(200)], {})
    servers[0].write(surveys.close_survey, survey.id)
    outcomes = []

    def send():
        for n in range(50):
            outcomes.extend(record(servers[1], [submission(other, n), submission(survey, n)], {}))

    together((send,), (servers[0].finish,))
    assert Counter(outcomes) == {"stored": 50, "repeated": 50}
    assert stored(servers[1], survey) == 200
