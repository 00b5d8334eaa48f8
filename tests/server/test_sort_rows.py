"""Rows are sorted in portions, and what is made of them does not depend on how many there are."""

import random
from itertools import pairwise

import pytest

from server.runtime import sort_rows
from server.runtime.sort_rows import in_order, smallest
from server.store import counted_lists, submissions, surveys
from server.store.submissions import Submission
from server.store.upkeep import verification

WIDTH = 3


def rows_of(number, seed=1):
    """Different rows in pieces of several lengths, zeros at their ends and beginnings among them."""
    draw = random.Random(seed)
    rows = draw.sample([bytes(each) for each in ((0, 0, 0), (0, 0, 1), (1, 0, 0))], 3)
    rows += {draw.randbytes(WIDTH) for _ in range(number)} - set(rows)
    cuts = [0, *sorted(draw.sample(range(len(rows)), 5)), len(rows)]
    return rows, [b"".join(rows[low:high]) for low, high in pairwise(cuts)]


@pytest.mark.parametrize("number", [3, 40, 500])
@pytest.mark.parametrize("most", [1, 7, 30, 10_000])
def test_every_row_comes_once_in_order_however_many_fit(monkeypatch, number, most):
    monkeypatch.setattr(sort_rows, "MOST_BYTES", most * WIDTH)
    rows, pieces = rows_of(number)
    found = list(in_order(lambda: iter(pieces), WIDTH, 4))
    assert b"".join(found) == b"".join(sorted(rows))
    assert {len(each) for each in found[:-1]} <= {4 * WIDTH}


def test_a_portion_takes_little_more_than_it_may():
    rows, pieces = rows_of(5000)
    small = [piece[at : at + 30] for piece in pieces for at in range(0, len(piece), 30)]
    portion = smallest(small, WIDTH, None, 100 * WIDTH)
    assert portion.rows.tobytes() == b"".join(sorted(rows)[:100])
    assert not portion.last
    assert len(portion.rows.base) == 125, "all the memory that it took"


@pytest.fixture
def filled(door, monkeypatch):
    """The door of a survey that 2500 people answered, where memory has room for a thousand rows or fewer."""
    monkeypatch.setattr(sort_rows, "MOST_BYTES", 10_000)
    monkeypatch.setattr(counted_lists, "AT_ONCE", 1)
    draw, fingerprint = random.Random(4), door.survey.publication.fingerprint
    receipts = [draw.randbytes(16).hex() for _ in range(2500)]
    batch = [
        Submission(door.survey.id, fingerprint, receipt, {"copied": n % 2, "data": 1})
        for n, receipt in enumerate(receipts)
    ]
    assert set(door.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}
    return door


@pytest.mark.engines
def test_a_survey_that_memory_has_no_room_for_is_closed_and_listed_all_the_same(filled):
    before = filled.rows()
    filled.storage.write(surveys.close_survey, filled.survey.id)
    filled.storage.finish()
    assert filled.rows() == before
    assert filled.storage.read(counted_lists.of, filled.survey.id).leaves == len(before)
    assert list(verification.verify_surveys(filled.storage)) == [("exams", 2500, [])]
