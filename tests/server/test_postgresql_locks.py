"""Several servers record at a time: none waits for another in a circle, and nothing comes after the close."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from server.store import surveys
from server.store.committer import Committer
from server.store.postgresql.reports import PostgreSQLReports
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.submissions import Submission, days, record_and_count

DAY = "2026-05-04"


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
