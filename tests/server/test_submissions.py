"""Recording a batch: everybody gets their own outcome, and a retry the answer that the first one got."""

import sqlite3
from collections import Counter
from contextlib import closing

import numpy as np
import pytest

from server.store import publishing, submissions, surveys
from server.store.results import survey_results, visible_results
from server.store.results.visible_results import InPreparation, ReportsWithheld
from server.store.sqlite.connection import SQLite
from server.store.submissions import Submission

pytestmark = pytest.mark.engines

DAY = "2026-05-04"


def submission(door, number, copied=1, data=0, **more):
    fields = {
        "survey_id": door.survey.id,
        "fingerprint": door.survey.publication.fingerprint,
        "receipt": f"{number:032x}",
        "reports": {"copied": copied, "data": data},
    }
    return Submission(**(fields | more))


def test_a_submission_that_cannot_be_stored_leaves_its_neighbours_alone(door):
    batch = [
        submission(door, 1),
        submission(door, 2, copied=7),
        submission(door, 3, fingerprint="0" * 64),
        submission(door, 4, survey_id=99),
        submission(door, 5, reports={"copied": 1}),
        submission(door, 1),
        submission(door, 1, copied=0),
        submission(door, 6),
    ]
    outcomes = door.storage.write(submissions.record, batch, DAY)
    assert outcomes == [
        "stored",
        "refused",
        "stale",
        "missing",
        "refused",
        "repeated",
        "different",
        "stored",
    ]
    assert len(door.rows()) == 2
    assert [day.sent for day in door.storage.read(submissions.days, door.survey.id)] == [2]


def test_the_store_takes_no_column_that_was_not_published(door):
    batch = [
        submission(door, n, reports={"copied": 1, "data": 0} | more) for n, more in enumerate(({}, {"x": 0}))
    ]
    assert door.storage.write(submissions.record, batch, DAY) == ["stored", "refused"]
    assert len(door.rows()) == 1


def test_a_retry_under_another_fingerprint_is_no_retry(door):
    first, other = submission(door, 1), submission(door, 1, fingerprint="0" * 64)
    assert door.storage.write(submissions.record, [first, other, first], DAY) == [
        "stored",
        "different",
        "repeated",
    ]


@pytest.mark.engines("sqlite")
def test_what_is_sent_again_is_acknowledged_by_a_commit_of_its_own_and_a_refusal_by_none(door, database):
    """The commit that stored it may have been cut short before it was synced, and be read all the same."""
    with closing(sqlite3.connect(database)) as other:

        def commits(one):
            before = other.execute("PRAGMA data_version").fetchone()
            outcome = door.storage.write(submissions.record, [one], DAY)
            return *outcome, other.execute("PRAGMA data_version").fetchone() != before

        assert commits(submission(door, 1)) == ("stored", True)
        assert commits(submission(door, 1)) == ("repeated", True)
        assert commits(submission(door, 1, copied=0)) == ("different", False)
        assert commits(submission(door, 2, copied=7)) == ("refused", False)


@pytest.mark.engines("sqlite")
def test_all_surveys_of_a_transaction_are_held_before_it_records_in_the_order_of_their_numbers(
    door, monkeypatch
):
    taken = []
    monkeypatch.setattr(SQLite, "hold", lambda db, numbers: taken.append(numbers))
    monkeypatch.setattr(surveys, "intake", lambda db, number, now: taken.append(number))
    batch = [submission(door, number, survey_id=number) for number in (8, 1)]
    memory = {9: publishing.Remembered("", 0, {}, behind=True)}
    starts = Counter({(7, DAY): 1})
    door.storage.write(submissions.record_and_count, batch, [DAY, DAY], starts, memory)
    assert taken == [{1, 7, 8, 9}, 1, 8, 9]


def test_retries_do_not_move_the_step(door):
    memory = {}
    for _ in range(5):
        door.storage.write(submissions.record, [submission(door, n) for n in range(9)], DAY, memory)
    assert door.results().respondents == 0
    door.storage.write(submissions.record, [submission(door, 9)], DAY, memory)
    assert memory[door.survey.id].moment == 10


def test_the_tallies_are_what_a_recount_of_the_reports_gives(door):
    draw = np.random.default_rng(4)
    batch = [submission(door, n, *map(int, draw.integers(0, 2, 2))) for n in range(200)]
    for start in range(0, 200, 23):
        door.storage.write(submissions.record, batch[start : start + 23], DAY)
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    table = np.array(list(door.rows().values()))
    recount = {"copied": np.bincount(table[:, 0]).tolist(), "data": np.bincount(table[:, 1]).tolist()}
    assert door.results().counts == recount


def test_noisy_reports_come_sorted_by_value_after_closing_only(door):
    rows = [(1, 0), (0, 1), (1, 1), (0, 0), (0, 1)]
    batch = [submission(door, n, *row) for n, row in enumerate(rows)]
    door.storage.write(submissions.record, batch, DAY)
    with pytest.raises(ReportsWithheld):
        survey_results.noisy_reports(door.storage, door.survey)
    closed = door.storage.write(surveys.close_survey, door.survey.id)
    with pytest.raises(InPreparation):
        survey_results.noisy_reports(door.storage, closed)
    door.storage.finish()
    noisy = survey_results.noisy_reports(door.storage, closed)
    assert noisy.between(0, 5).tolist() == sorted(map(list, rows))


def test_results_say_whether_closing_has_left_something_to_do(door):
    assert door.results().prepared
    door.storage.write(surveys.close_survey, door.survey.id)
    assert not door.results().prepared
    door.storage.finish()
    assert door.results().prepared


def test_a_definition_may_give_the_reports_out_earlier(app, survey_file):
    storage = app.extensions["candor"].storage
    early = survey_file("early", results={"step": 10, "reports_while_open": True})
    draft = storage.write(surveys.create_draft, early)
    survey = storage.write(surveys.open_survey, draft.id)
    assert len(survey_results.noisy_reports(storage, survey)) == 0
    batch = [
        Submission(survey.id, survey.publication.fingerprint, f"{n:032x}", {"copied": n % 2, "data": 1})
        for n in range(10)
    ]
    storage.write(submissions.record, batch[:9], "2026-05-04")
    assert len(survey_results.noisy_reports(storage, survey)) == 0
    storage.write(submissions.record, batch[9:], "2026-05-04")
    assert (
        survey_results.noisy_reports(storage, survey).between(0, 10).tolist() == [[0, 1]] * 5 + [[1, 1]] * 5
    )


def test_a_draft_has_neither_results_nor_reports(app):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.create_draft, {"slug": "draft"})
    with pytest.raises(ValueError, match="is a draft"):
        storage.read(visible_results.results, draft)
    with pytest.raises(ValueError, match="is a draft"):
        survey_results.noisy_reports(storage, draft)
    for slug in ("draft", "nothing"):
        assert storage.read(survey_results.survey_with_results, slug) is None
