"""Recording a batch: everybody gets their own outcome, and the published counts stop exactly at a step."""

import numpy as np
import pytest

from server.store import readings, submissions, surveys
from server.store.sqlite.counts import read_counts
from server.store.submissions import ReportsWithheld, Submission

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


def test_a_batch_that_passes_steps_shows_the_counts_of_the_last_but_one_and_not_its_own_end(door):
    batch = [submission(door, n, copied=int(n < 10)) for n in range(37)]
    door.storage.write(submissions.record, batch, DAY)
    # Twenty of the 37: the first ten reported 1, the next ten 0. The step at thirty waits, seven came after.
    assert door.results().counts == {"copied": [10, 10], "data": [20, 0]}
    door.storage.write(submissions.record, [submission(door, n) for n in range(37, 41)], DAY)
    assert door.results().counts == {"copied": [20, 10], "data": [30, 0]}


@pytest.mark.parametrize("sizes", [(1,) * 47, (9, 2, 18, 3, 15), (47,), (30, 17), (29, 1, 17)])
def test_no_two_states_that_are_shown_differ_by_fewer_than_a_step_closing_included(door, sizes):
    draw, number, shown = np.random.default_rng(2), iter(range(47)), [0]
    for size in sizes:
        batch = [submission(door, next(number), *map(int, draw.integers(0, 2, 2))) for _ in range(size)]
        door.storage.write(submissions.record, batch, DAY)
        shown.append(door.results().respondents)
    door.storage.write(surveys.close_survey, door.survey.id)
    shown.append(door.results().respondents)
    advances = np.diff(sorted(set(shown)))
    assert shown[-2:] == [30, 47]
    assert (advances >= door.step).all()
    assert advances[-1] < 2 * door.step


def test_once_closed_the_file_sets_nobody_apart_from_the_rest(door):
    batch = [submission(door, n, copied=int(n == door.step)) for n in range(door.step + 1)]
    door.storage.write(submissions.record, batch, DAY)
    counts = door.storage.read(lambda db: read_counts(db, door.survey.id))
    assert (counts.counted - counts.pending).tolist() == [0, 1, 1, 0]  # one person's report
    door.storage.write(surveys.close_survey, door.survey.id)
    counts = door.storage.read(lambda db: read_counts(db, door.survey.id))
    assert counts.counted.tolist() == counts.pending.tolist() == counts.published.tolist() == [10, 1, 11, 0]


def test_retries_do_not_move_the_step(door):
    for _ in range(3):
        door.storage.write(submissions.record, [submission(door, n) for n in range(9)], DAY)
    assert door.results().respondents == 0


def test_the_tallies_are_what_a_recount_of_the_reports_gives(door):
    draw = np.random.default_rng(4)
    batch = [submission(door, n, *map(int, draw.integers(0, 2, 2))) for n in range(200)]
    for start in range(0, 200, 23):
        door.storage.write(submissions.record, batch[start : start + 23], DAY)
    door.storage.write(surveys.close_survey, door.survey.id)
    table = np.array(list(door.rows().values()))
    recount = {"copied": np.bincount(table[:, 0]).tolist(), "data": np.bincount(table[:, 1]).tolist()}
    assert door.results().counts == recount


def test_noisy_reports_come_sorted_by_value_after_closing_only(door):
    rows = [(1, 0), (0, 1), (1, 1), (0, 0), (0, 1)]
    batch = [submission(door, n, *row) for n, row in enumerate(rows)]
    door.storage.write(submissions.record, batch, DAY)
    with pytest.raises(ReportsWithheld):
        readings.noisy_reports(door.storage, door.survey)
    closed = door.storage.write(surveys.close_survey, door.survey.id)
    noisy = readings.noisy_reports(door.storage, closed)
    assert noisy.tolist() == sorted(map(list, rows))


def test_a_definition_may_give_the_reports_out_earlier(app, survey_file):
    storage = app.extensions["candor"].storage
    early = survey_file("early", results={"step": 10, "reports_while_open": True})
    draft = storage.write(surveys.create_draft, early)
    survey = storage.write(surveys.open_survey, draft.id)
    assert readings.noisy_reports(storage, survey).shape == (0, 2)


def test_a_draft_has_neither_results_nor_reports(app):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.create_draft, {"slug": "draft"})
    with pytest.raises(ValueError, match="is a draft"):
        storage.read(submissions.results, draft)
    with pytest.raises(ValueError, match="is a draft"):
        readings.noisy_reports(storage, draft)
