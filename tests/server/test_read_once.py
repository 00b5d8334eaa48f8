"""The reports of a closed survey: read in short transactions, once, and sent in blocks."""

import itertools
import secrets

import numpy as np
import pytest

from server.results import reports
from server.results.cross_estimates import joint_table
from server.results.files import report_csv
from server.results.reports import reports_of
from server.runtime import offload
from server.runtime.bounded_cache import BoundedCache
from server.store import submissions, surveys
from server.store.results import sorted_reports, survey_results
from server.store.results.sorted_reports import SortedReports, Sorter
from server.store.results.visible_results import InPreparation
from server.store.submissions import Submission
from server.store.surveys import SurveyGone
from survey.record import Layout

ROWS = [(1, 0), (0, 1), (1, 1), (0, 0), (0, 1), (1, 0), (1, 0)]
BLOCK = 3


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(survey_results, "BLOCK", BLOCK)
    monkeypatch.setattr(report_csv, "BLOCK", BLOCK)


@pytest.fixture
def close(door):
    """Store rows of (copied, data) and close the survey."""

    def close(rows=ROWS):
        fingerprint = door.survey.publication.fingerprint
        batch = [
            Submission(door.survey.id, fingerprint, secrets.token_hex(16), {"copied": copied, "data": data})
            for copied, data in rows
        ]
        assert set(door.storage.write(submissions.record, batch, "2026-05-04")) <= {"stored"}
        door.storage.write(surveys.close_survey, door.survey.id)
        door.storage.finish()
        return door.storage.read(survey_results.survey_with_results, "exams")

    return close


@pytest.fixture
def read(door, monkeypatch):
    """How many reports each transaction has read."""
    counted, part_of = [], survey_results.part_of

    def counting(*arguments):
        block, place = part_of(*arguments)
        counted.append(len(block))
        return block, place

    monkeypatch.setattr(survey_results, "part_of", counting)
    return counted


@pytest.mark.parametrize("people", [0, 1, BLOCK, BLOCK + 1, len(ROWS)])
def test_every_report_is_read_in_transactions_of_a_block_each(door, close, read, people):
    survey, _ = close(ROWS[:people])
    found = survey_results.noisy_reports(door.storage, survey)
    assert found.between(0, people).tolist() == sorted(map(list, ROWS[:people]))
    assert sum(read) == people
    assert max(read) <= BLOCK


def test_who_writes_between_two_blocks_does_not_wait(door, close):
    survey, _ = close()
    made = []

    class Busy:
        """A database that somebody else writes to after every reading."""

        @staticmethod
        def read(function, *args):
            found = door.storage.read(function, *args)
            made.append(door.storage.write(surveys.create_draft, {"slug": f"other-{len(made)}"}))
            return found

    assert len(survey_results.noisy_reports(Busy, survey)) == len(ROWS)
    assert len(made) == 1 + 3  # one reading asks whether the reports are given out at all


def test_a_survey_that_is_deleted_between_two_blocks_is_gone(door, close):
    survey, _ = close()

    class Interrupted:
        @staticmethod
        def read(function, *args):
            found = door.storage.read(function, *args)
            door.storage.write(surveys.delete_survey, survey.id)
            return found

    with pytest.raises(SurveyGone):
        survey_results.noisy_reports(Interrupted, survey)


def test_of_a_survey_that_is_closed_between_two_blocks_the_reports_are_in_preparation(door, survey_file):
    early = survey_file("early", results={"step": 10, "reports_while_open": True})
    draft = door.storage.write(surveys.create_draft, early)
    survey = door.storage.write(surveys.open_survey, draft.id)
    fingerprint = survey.publication.fingerprint
    batch = [Submission(survey.id, fingerprint, f"{n:032x}", {"copied": 0, "data": 1}) for n in range(500)]
    assert set(door.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}

    class Interrupted:
        @staticmethod
        def read(function, *args):
            found = door.storage.read(function, *args)
            if function is survey_results.part_of:
                door.storage.write(surveys.close_survey, survey.id)
                door.storage.finish()
            return found

    with pytest.raises(InPreparation, match="early was closed meanwhile"):
        survey_results.noisy_reports(Interrupted, survey)


def test_rows_come_from_any_place_up_to_any_other():
    table = SortedReports.of(ROWS)
    for start, end in itertools.combinations_with_replacement(range(len(ROWS) + 2), 2):
        assert table.between(start, end).tolist() == sorted(map(list, ROWS))[start:end]


def test_records_are_counted_when_as_many_wait_as_there_are_combinations(monkeypatch):
    monkeypatch.setattr(sorted_reports, "LEAST", 4)
    sorter, waiting = Sorter(Layout((("copied", 3), ("data", 4)))), []
    codes = [*range(1, 10), *range(9, 1, -1), 2]
    rows = [divmod(code, 4) for code in codes]
    for start, end in itertools.pairwise((0, 3, 4, 9, 17, 18)):
        sorter.add(b"".join(map(bytes, rows[start:end])))
        waiting.append(len(b"".join(sorter.waiting)) // 2)
    assert waiting == [3, 0, 0, 8, 0]
    reports = sorter.sorted()
    assert [*map(tuple, reports.combinations.tolist())] == sorted(set(rows))
    assert reports.times.tolist() == [1, 3, *[2] * 7]


def test_reports_are_read_once_for_all_tables_and_downloads(door, close, read):
    survey, results = close()
    table = joint_table(door.storage, survey, results, "copied", "data")
    asked = len(read)
    assert table.tolist() == [[1, 2], [3, 1]]
    assert joint_table(door.storage, survey, results, "data", "copied").tolist() == table.T.tolist()
    assert reports_of(door.storage, survey, results) is reports_of(door.storage, survey, results)
    assert len(read) == asked > 0


def test_another_database_with_the_same_survey_is_another(door, close, read, app, tmp_path):
    survey, results = close()
    reports_of(door.storage, survey, results)
    asked = len(read)
    other = door.storage.path.rename(tmp_path / "moved.db")
    reports_of(type(door.storage)(other), survey, results)
    assert len(read) == 2 * asked


def test_reports_are_kept_up_to_a_number_of_bytes():
    kept = BoundedCache(10, weigh=len)
    assert [kept.get(key, lambda key=key: bytes(4)) for key in "abc"] == [bytes(4)] * 3
    assert list(kept.results) == ["b", "c"]
    assert kept.get("large", lambda: bytes(11)) == bytes(11)
    assert list(kept.results) == ["b", "c"]
    assert reports.REPORTS.weigh(SortedReports.of(np.eye(3))) == 3 * (3 * 2 + 8)


def test_a_download_is_written_block_by_block_each_in_a_thread(monkeypatch):
    table, calls = SortedReports.of(ROWS), []
    monkeypatch.setattr(offload, "run", lambda function, *args: calls.append(function) or function(*args))
    pieces = list(report_csv.report_blocks(["copied", "data"], table))
    assert [piece.count(b"\r\n") for piece in pieces] == [1, 3, 3, 1]
    assert b"".join(pieces).decode().splitlines() == ["copied,data", *(f"{a},{b}" for a, b in sorted(ROWS))]
    assert calls == [report_csv.lines] * 3
