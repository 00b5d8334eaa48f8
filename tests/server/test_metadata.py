"""Nothing stored ties a report to a person or a moment: not the rows, and not their places in the file."""

import random

import numpy as np
import pytest
from scipy.stats import spearmanr

from server.store import submissions, surveys
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


def test_a_report_is_its_receipt_and_the_codes(door):
    assert door.send(door.body(receipt="ab" * 16)) == (200, "stored")
    columns, ((number, row),) = door.storage.read(
        lambda db: (
            [column.name for column in db["buckets_1"].columns],
            db.execute("SELECT * FROM buckets_1").fetchall(),
        )
    )
    assert (columns, number) == (["bucket", "records"], 0)
    assert row.rstrip(b"\0") == b"\0\0\0\1" + b"\xab" * 16 + b"\2"  # one report: 1 and 0, as binary digits


def places(door, receipts):
    """Where in the file each receipt stands; all its places, if it stands in several."""
    held = door.storage.path.read_bytes()
    ranks = {bytes.fromhex(receipt): rank for rank, receipt in enumerate(receipts)}
    some = ((ranks.get(held[place : place + 16]), place) for place in range(len(held)))
    found = [(rank, place) for rank, place in some if rank is not None]
    assert {rank for rank, _ in found} == set(range(len(receipts)))
    return np.array(found)


def sent_one_by_one(door, n):
    draw = random.Random(n)
    receipts = [draw.randbytes(16).hex() for _ in range(n)]
    for receipt in receipts:
        assert door.send(door.body(receipt=receipt)) == (200, "stored")
    return receipts


def recorded_in_batches(door, n):
    draw = random.Random(n)
    receipts = [draw.randbytes(16).hex() for _ in range(n)]
    fingerprint, survey_id = door.survey.publication.fingerprint, door.survey.id
    for start in range(0, n, n // 40):
        batch = [
            Submission(survey_id, fingerprint, receipt, {"copied": 1, "data": 0})
            for receipt in receipts[start : start + n // 40]
        ]
        assert set(door.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}
    return receipts


@pytest.mark.parametrize("n", [20, 60, 100])
def test_the_place_in_the_file_does_not_tell_the_order_of_arrival(door, n):
    check_places(places(door, receipts := sent_one_by_one(door, n)), receipts)


@pytest.mark.parametrize("n", [400, 1400, 20_000])
def test_nor_does_it_with_many_rows(door, n):
    check_places(places(door, receipts := recorded_in_batches(door, n)), receipts)


def check_places(found, receipts):
    """Check that receipts stand once each, by their keys and not by their arrival.

    Receipts and the survey's key come from seeds: no chance is left in these tests.
    """
    n = len(receipts)
    assert len(found) == n
    in_key_order = np.argsort(np.argsort(receipts))[found[:, 0]]
    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) < 3 / np.sqrt(n)
    assert told(*found.T) < 3
    assert told(in_key_order, found[:, 1]) > 3


@pytest.mark.parametrize("n", [20, 100, 400])
def test_in_a_table_that_grows_as_they_come_it_would_tell(door, n):
    receipts = [random.Random(place).randbytes(16).hex() for place in range(n)]
    door.storage.write(
        lambda db: db.execute("CREATE TABLE as_they_come (receipt BLOB PRIMARY KEY) WITHOUT ROWID")
    )
    for start in range(0, n, 10):
        some = [[bytes.fromhex(receipt)] for receipt in receipts[start : start + 10]]
        door.storage.write(
            lambda db, some=some: db.conn.executemany("INSERT INTO as_they_come VALUES (?)", some)
        )
    found = places(door, receipts)
    assert told(*found.T) > 3


def told(ranks, found, page=4096):
    """How well places tell ranks within the pages of the file: in standard deviations above chance.

    By chance the rank correlation of m pairs is about normal, with a deviation of 1/sqrt(m - 1).
    """
    pages = [one for number in np.unique(found // page) if (one := found // page == number).sum() > 10]
    sizes = [abs(spearmanr(ranks[one], found[one]).statistic) * np.sqrt(one.sum() - 1) for one in pages]
    half_normal = np.sqrt(2 / np.pi), np.sqrt(1 - 2 / np.pi)
    return (np.mean(sizes) - half_normal[0]) / half_normal[1] * np.sqrt(len(sizes))


def test_closing_leaves_a_table_in_key_order_and_nothing_of_the_buckets(door):
    receipts = sent_one_by_one(door, 60)
    door.storage.write(surveys.close_survey, door.survey.id)
    check_places(places(door, receipts), receipts)


def test_a_removed_survey_leaves_no_bytes_behind(door):
    receipts = sent_one_by_one(door, 30)
    door.storage.write(surveys.delete_survey, door.survey.id)
    door.storage.finish()
    held = door.storage.path.read_bytes()
    assert not any(bytes.fromhex(receipt) in held for receipt in receipts)
    assert b"Did you copy?" not in held
