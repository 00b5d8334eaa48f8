"""Nothing stored ties a report to a person or a moment: not the rows, and not their places in the file."""

import random

import numpy as np
import pytest
from scipy.stats import spearmanr

from server import create_app
from server.config import Config
from server.store import submissions, surveys
from server.store.sqlite import reports
from server.store.submissions import Submission

MARK = "Sentinel4711"


def test_address_agent_referer_and_moment_are_nowhere_in_the_database(door, tmp_path):
    marked = {
        "Sec-Fetch-Site": "same-origin",
        "User-Agent": MARK,
        "Referer": f"http://localhost/{MARK}",
        "Accept-Language": MARK,
        "Cookie": f"a={MARK}",
        "X-Forwarded-For": MARK,
    }
    address = {"REMOTE_ADDR": "203.0.113.77"}
    door.client.get("/s/exams", headers=marked, environ_overrides=address)
    assert door.send(door.body(), headers=marked, environ_overrides=address) == (200, "stored")
    door.services.committer.settle()
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    held = b"".join(path.read_bytes() for path in files)
    assert len(door.rows()) == 1
    # The clock of the test says nine o'clock; only the day is kept.
    for trace in (MARK, "203.0.113.77", "cb00714d", "2026-05-04T", "2026-05-04 0", "09:00", "1777885200"):
        assert trace.encode() not in held
    assert bytes([203, 0, 113, 77]) not in held
    assert (1777885200).to_bytes(4, "big") not in held


def test_a_report_has_no_column_but_its_receipt_and_the_questions(door):
    columns = door.storage.read(lambda db: [column.name for column in db["reports_1"].columns])
    assert columns == ["receipt", "copied", "data"]


def places(door, receipts):
    """Where in the file each receipt stands; all its places, if it stands in several."""
    held = door.storage.path.read_bytes()
    found = []
    for rank, receipt in enumerate(receipts):
        place = held.find(bytes.fromhex(receipt))
        while place >= 0:
            found.append((rank, place))
            place = held.find(bytes.fromhex(receipt), place + 1)
    assert {rank for rank, _ in found} == set(range(len(receipts)))
    return np.array(found)


def sent_one_by_one(door, n):
    draw = random.Random(n)
    receipts = [draw.randbytes(16).hex() for _ in range(n)]
    for receipt in receipts:
        assert door.send(door.body(receipt=receipt)) == (200, "stored")
    return receipts


@pytest.mark.parametrize("n", [20, 60, 100])
def test_the_place_in_the_file_does_not_tell_the_order_of_arrival(door, n):
    receipts = sent_one_by_one(door, n)
    found = places(door, receipts)
    in_key_order = np.argsort(np.argsort(receipts))[found[:, 0]]
    # The place is a function of the key alone, and the seed fixes the keys: no chance is left in this test.
    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) < 3 / np.sqrt(n)
    assert abs(spearmanr(in_key_order, found[:, 1]).statistic) > 0.4


def recorded_in_batches(door, n):
    draw = random.Random(n)
    receipts = [draw.randbytes(16).hex() for _ in range(n)]
    fingerprint, survey_id = door.survey.publication.fingerprint, door.survey.id
    for start in range(0, n, 10):
        batch = [
            Submission(survey_id, fingerprint, receipt, {"copied": 1, "data": 0})
            for receipt in receipts[start : start + 10]
        ]
        assert set(door.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}
    return receipts


@pytest.mark.parametrize("n", [400, 1400])
def test_nor_does_it_with_many_rows(door, n):
    receipts = recorded_in_batches(door, n)
    found = places(door, receipts)
    in_key_order = np.argsort(np.argsort(receipts))[found[:, 0]]
    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) < 3 / np.sqrt(n)
    # About 80 rows stand in a page: by chance alone the mean size would be 0.09.
    assert within_pages(found[:, 0], found[:, 1]) < 0.15
    assert within_pages(in_key_order, found[:, 1]) > 0.6


@pytest.mark.parametrize("n", [400, 1400])
def test_with_many_rows_and_no_rewriting_it_would_tell_within_every_page(door, n, monkeypatch):
    monkeypatch.setattr(reports, "SMALL", 0)
    monkeypatch.setattr(reports, "LARGE", 0)
    found = places(door, recorded_in_batches(door, n))
    assert within_pages(found[:, 0], found[:, 1]) > 0.2


def within_pages(ranks, found, page=4096):
    """How strongly places tell ranks within the pages of the file: the mean size of the coefficients."""
    pages = [found // page == number for number in np.unique(found // page)]
    return np.mean([abs(spearmanr(ranks[one], found[one]).statistic) for one in pages if one.sum() > 20])


@pytest.mark.parametrize(
    ("before", "after", "step", "due"),
    [
        (998, 999, 7, True),
        (1049, 1050, 50, True),
        (1050, 1099, 50, False),
        (1040, 1060, 50, True),
        (1049, 1050, 1, True),
        (1050, 1051, 1, False),
        (1499, 1500, 300, True),
        (1049, 1050, 300, False),
        (19_949, 19_950, 50, True),
        (19_999, 20_000, 50, False),
    ],
)
def test_above_a_thousand_rows_it_is_written_anew_at_the_steps_and_above_twenty_thousand_no_more(
    before, after, step, due
):
    assert reports.is_due(before, after, step) == due


@pytest.mark.parametrize("n", [20, 100])
def test_without_the_rewriting_it_would_tell(door, n, monkeypatch):
    monkeypatch.setattr(reports, "SMALL", 0)
    monkeypatch.setattr(reports, "LARGE", 0)
    found = places(door, sent_one_by_one(door, n))
    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) > 0.9


def test_two_orders_of_arrival_leave_the_same_table(tmp_path, clock, door_of):
    forward, backward = (
        door_of(create_app(Config(database=tmp_path / name), clock)) for name in ("forward.db", "backward.db")
    )
    receipts = [random.Random(i).randbytes(16).hex() for i in range(30)]
    for door, order in ((forward, receipts), (backward, receipts[::-1])):
        for receipt in order:
            door.send(door.body(receipt=receipt))
    page = 4096

    def table(door):
        ((root,),) = door.storage.read(
            lambda db: db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'reports_1'").fetchall()
        )
        return door.storage.path.read_bytes()[(root - 1) * page : root * page]

    assert table(forward) == table(backward)


def test_closing_leaves_a_table_of_any_size_in_key_order(door, monkeypatch):
    monkeypatch.setattr(reports, "SMALL", 0)
    monkeypatch.setattr(reports, "LARGE", 0)
    receipts = sent_one_by_one(door, 60)
    door.storage.write(surveys.close_survey, door.survey.id)
    found = places(door, receipts)
    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) < 3 / np.sqrt(60)


def test_a_removed_survey_leaves_no_bytes_behind(door):
    receipts = sent_one_by_one(door, 30)
    door.storage.write(surveys.delete_survey, door.survey.id)
    held = door.storage.path.read_bytes()
    assert not any(bytes.fromhex(receipt) in held for receipt in receipts)
    assert b"Did you copy?" not in held
