"""What open surveys have counted on PostgreSQL lies in parts: nobody waits for another who counts."""

import time
from collections import Counter
from contextlib import closing

import numpy as np
import pytest

from server.store import committer as committer_module
from server.store import invitations, publishing, submissions, surveys
from server.store.committer import Batch, Committer
from server.store.engine import Unavailable
from server.store.lifecycle import life
from server.store.postgresql.reports import PostgreSQLReports
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.submissions import Submission

pytestmark = pytest.mark.engines("postgresql")

DAY = "2026-05-04"


@pytest.fixture
def another(door):
    """Another server on the database of the first."""
    with closing(PostgreSQLStorage(door.services.config.database)) as storage:
        yield storage


def submission(survey, number, token=b""):
    reports = {"copied": number % 2, "data": 0}
    return Submission(survey.id, survey.publication.fingerprint, f"{number:032x}", reports, token)


def record(db, survey, number, memory=None, token=b""):
    """Record a report, and that the page was opened."""
    starts, memory = Counter({(survey.id, DAY): 1}), {} if memory is None else memory
    return submissions.record_and_count(db, [submission(survey, number, token)], [DAY], starts, memory)


def beside(storage, other, survey, number, tokens=(b"", b"")):
    """Record a report on a server while another, which has recorded one, has yet to commit."""

    def both(db):
        assert record(db, survey, number, token=tokens[0]) == ["stored"]
        soon = time.monotonic() + 1
        assert other.write_until(soon, record, survey, number + 1, token=tokens[1]) == ["stored"]

    storage.write_until(storage.deadline(), both)


def rows(storage, table, survey):
    select = f"SELECT * FROM {table} WHERE survey_id = ?"
    return storage.read(lambda db: db.execute(select, [survey.id]).fetchall())


def counted(storage, survey):
    """Return how many are counted, and what of each day."""
    counts = storage.read(lambda db: db.reports.counts(survey.id, survey.publication))
    return counts.tolist(), storage.read(submissions.days, survey.id)


def test_nobody_waits_for_whoever_has_recorded_and_not_committed(door, another):
    for number in (0, 2):
        beside(door.storage, another, door.survey, number)
    assert len(rows(door.storage, "tally_parts", door.survey)) == 2
    assert counted(another, door.survey) == ([2, 2, 4, 0], [submissions.Day(DAY, 4, 4)])


def test_closing_joins_the_parts(door, another):
    beside(door.storage, another, door.survey, 0)
    another.write(lambda db: db.execute("INSERT INTO days (survey_id, day, sent) VALUES (1, ?, 0)", [DAY]))
    before = counted(another, door.survey)
    another.write(surveys.close_survey, door.survey.id)
    assert counted(another, door.survey) == before
    assert door.results().counts == {"copied": [1, 1], "data": [2, 0]}
    assert rows(another, "tally_parts", door.survey) == []
    another.write(lambda db: db.reports.add_to_day(door.survey.id, DAY, 1, 0))
    assert len(rows(another, "days", door.survey)) == 1


def test_whoever_counts_for_a_quota_or_for_listed_invitations_waits_for_whoever_does(
    door, another, survey_file
):
    full = door.storage.write(surveys.create_draft, survey_file("full"))
    door.storage.write(life.schedule, full.id, life.Schedule(quota=10), 0)
    listed = door.storage.write(surveys.create_draft, survey_file("listed", candor=3, invitations="listed"))
    secrets = [bytes([number]) * invitations.SECRET for number in range(2 * invitations.SHEET)]
    for draft, tokens in ((full, (b"", b"")), (listed, (bytes(4) + secrets[0], b"\0\0\1\0" + secrets[62]))):
        survey = door.storage.write(surveys.open_survey, draft.id)
        if draft is listed:
            hashes = [invitations.hash_of(secret) for secret in secrets]
            door.storage.write(invitations.make, survey.id, hashes)
        with pytest.raises(Unavailable, match=r"(lock|statement) timeout"):
            beside(door.storage, another, survey, 0, tokens)
        assert rows(door.storage, "tally_parts", survey) == []


@pytest.fixture
def clocked(door, monkeypatch):
    """A committer with a clock that stands still and a pause, and the moments at which it read all counts."""
    reports = door.storage.read(lambda db: type(db.reports))
    moments, now, counts = [], [0.0], reports.counts

    def noted(*arguments):
        moments.append(now[0])
        return counts(*arguments)

    monkeypatch.setattr(reports, "counts", noted)
    monkeypatch.setattr(reports, "pause", PostgreSQLReports.pause)
    monkeypatch.setattr(committer_module, "FLUSH_SECONDS", 600.0)
    return Committer(door.storage, clock=lambda: now[0]), now, moments


@pytest.mark.engines
def test_all_counts_are_read_once_a_second_and_once_more_for_what_came_since(door, clocked):
    (committer, now, moments), planned = clocked, []
    for number, moment in enumerate((5.0, 5.0, 5.8)):
        now[0] = moment
        committer.submit(submission(door.survey, number), DAY)
        planned.append(committer.flushing)
    assert (moments, planned) == ([5.0], [False, True, True])
    for moment in (5.9, 6.0, 7.5):
        now[0] = moment
        committer.flush()
    assert moments == [5.0, 6.0]
    assert not committer.is_behind()
    assert door.storage.read(publishing.behind, committer.memory, 9.0) == set()


@pytest.mark.engines
def test_what_came_last_is_shown_though_nobody_comes_any_more(door, clocked):
    committer, now, _ = clocked
    sizes = [door.step, door.step, 1]
    for moment, size in enumerate(sizes):
        batch = Batch()
        now[0] = moment * 0.3
        for number in range(size):
            batch.add(submission(door.survey, 100 * moment + number), DAY, door.storage.deadline())
        assert committer.commit(batch, Counter())
    assert door.results().respondents == 0
    now[0] = 1.0
    committer.flush()
    assert door.results().respondents == door.step


@pytest.mark.engines
def test_a_survey_that_is_paused_meanwhile_is_left_as_it_is(door, clocked):
    committer, now, moments = clocked
    for number in range(2):
        committer.submit(submission(door.survey, number), DAY)
    door.storage.write(life.pause, door.survey.id)
    now[0] = 2.0
    committer.flush()
    assert (moments, committer.is_behind()) == ([0.0], False)


def test_whoever_may_not_publish_now_does_so_later(door, another):
    memory = {}

    def meanwhile(db):
        assert db.reports.may_publish(door.survey.id)
        assert another.write_until(time.monotonic() + 1, record, door.survey, 1, memory) == ["stored"]

    door.storage.write_until(door.storage.deadline(), meanwhile)
    assert memory[door.survey.id].behind
    another.write_until(time.monotonic() + 1, record, door.survey, 2, memory)
    assert not memory[door.survey.id].behind
    assert memory[door.survey.id].fingerprint == door.survey.publication.fingerprint


def test_counts_are_joined_in_the_database_as_they_are_read(door):
    """The highest byte first, whatever stands in it."""
    counts = np.array([2**40 + 3, 5, 255, 256])

    def joined(db):
        db.reports.count(door.survey.id, door.survey.publication, counts)
        record(db, door.survey, 1)
        return db.execute("SELECT counted(?)", [door.survey.id]).fetchone()[0]

    assert np.frombuffer(door.storage.write(joined), ">i8").tolist() == [2**40 + 3, 6, 256, 256]
