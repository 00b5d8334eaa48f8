"""Where an open survey's reports lie is a function of who they are: not of who came first, or with whom."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.special import bdtrc
from sqlite_utils import Database

from server.runtime import sort_rows
from server.store import submissions, surveys
from server.store.sqlite import bucket_shape, buckets
from server.store.sqlite.bucket_shape import OVERFULL, bucket_of, hash_of, shape_of, source_bucket
from server.store.sqlite.buckets import Buckets, create_buckets, records_in, rows_between, split_records
from server.store.sqlite.connection import connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
from server.store.upkeep import backup

DAY = "2026-05-04"
PEOPLE = 6 * shape_of(1).load
"""The last of them calls for one more bucket."""

COUNTED_BY_SQLITE = (slice(24, 28), slice(92, 96))
"""Where the head of a file says how often it was changed: once by each transaction."""


def all_rows(db, survey_id):
    """The rows of all buckets, in the order of their numbers."""
    return rows_between(db, survey_id, 0, 2**40)


def everybody(survey, number, seed=1):
    """Submissions to a survey, the same from the same seed."""
    draw, columns = random.Random(seed), survey.publication.columns
    return [
        Submission(
            survey.id,
            survey.publication.fingerprint,
            draw.randbytes(16).hex(),
            {name: draw.randrange(column.codes) for name, column in columns.items()},
        )
        for _ in range(number)
    ]


def record(storage, batch):
    assert set(storage.write(submissions.record, batch, DAY)) == {"stored"}


def in_batches(people, sizes):
    """Take people apart into batches of these sizes, over and over."""
    people, sizes, batches = list(people), list(sizes), []
    while people:
        size = sizes[len(batches) % len(sizes)]
        batches.append(people[:size])
        people = people[size:]
    return batches


@pytest.fixture
def opened(app, survey_file, tmp_path):
    """A database with an open survey, of which there can be copies; and the survey.

    Its step is long, so that nothing is published: what a page showed depends on who had come by then.
    """
    storage = app.extensions["candor"].storage
    survey = storage.write(lambda db: open_survey(db, survey_file("exams", results={"step": 1000})))
    storage.close()

    def copied(name="copy.db"):
        return SQLiteStorage(Path(shutil.copy(storage.path, tmp_path / name)))

    return SimpleNamespace(copied=copied, survey=survey)


def open_survey(db, table):
    return surveys.open_survey(db, surveys.create_draft(db, table).id)


def file_of(storage):
    """The bytes of a database, without what SQLite counts."""
    storage.close()
    held = bytearray(storage.path.read_bytes())
    for counted in COUNTED_BY_SQLITE:
        held[counted] = bytes(4)
    return bytes(held)


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(order=st.randoms(use_true_random=False), sizes=st.lists(st.integers(20, 120), min_size=1, max_size=6))
def test_the_same_people_in_any_order_and_any_batches_leave_the_same_file(opened, order, sizes):
    people = everybody(opened.survey, PEOPLE)
    expected = opened.copied("expected.db")
    record(expected, people)
    storage = opened.copied()
    order.shuffle(people)
    for batch in in_batches(people, sizes):
        record(storage, batch)
    assert file_of(storage) == file_of(expected)
    assert storage.read(lambda db: len(all_rows(db, opened.survey.id))) == 7


def test_a_backup_shows_the_people_and_not_even_how_many_transactions_there_were(opened, tmp_path):
    """It is the same, byte for byte, whoever came first: SQLite counts from the beginning in a new file."""
    held = []
    for name, sizes in (("few", [30]), ("many", [70])):
        storage, people = opened.copied(f"{name}.db"), everybody(opened.survey, PEOPLE)
        for batch in in_batches(people if name == "many" else people[::-1], sizes):
            record(storage, batch)
        backup.back_up(storage.path, tmp_path / f"{name}.zip")
        held.append((tmp_path / f"{name}.zip").read_bytes())
        storage.close()
    assert held[0] == held[1]


def test_and_so_they_do_with_processes_killed_in_between(opened):
    expected, storage = opened.copied("expected.db"), opened.copied()
    record(expected, everybody(opened.survey, PEOPLE))
    run = subprocess.run([sys.executable, __file__, storage.path], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.split() == ["killed"] * 5
    assert file_of(storage) == file_of(expected)


def killed_in_between(path):
    """Store the same people from the last to the first; before each batch, one is killed that stores it.

    It is killed with a journal on the disk and pages in the file that were not committed.
    """
    with closing(connect(path)) as db:
        survey = surveys.by_slug(db, "exams")
    for batch in in_batches(everybody(survey, PEOPLE)[::-1], [100]):
        before = Path(path).read_bytes()
        if (child := os.fork()) == 0:
            db = connect(path)
            db.execute("PRAGMA cache_size=4")  # so that pages are written before the transaction ends
            db.conn.execute("BEGIN IMMEDIATE")
            submissions.record(db, batch, DAY)
            os.kill(os.getpid(), signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert Path(path).read_bytes() != before
        assert Path(f"{path}-journal").stat().st_size > 0
        print("killed", flush=True)
        storage = SQLiteStorage(Path(path))
        record(storage, batch)
        storage.close()


def test_of_several_surveys_the_rows_are_the_same(opened, survey_file):
    held = []
    for sizes, turned in (([400], False), ([7, 60], True)):
        storage = opened.copied()
        object.__setattr__(storage, "draw", random.Random(5).randbytes)
        other = storage.write(open_survey, survey_file("others"))
        people = everybody(opened.survey, 200) + everybody(other, 200, seed=2)
        random.Random(turned).shuffle(people)
        for batch in in_batches(people, sizes):
            record(storage, batch)
        held.append([storage.read(all_rows, survey.id) for survey in (opened.survey, other)])
        storage.close()
    assert held[0] == held[1]
    assert [len(rows) for rows in held[0]] == [3, 3]


def test_rows_are_overwritten_where_they_are(opened):
    storage, people = opened.copied(), everybody(opened.survey, 352)
    record(storage, people[:350])
    storage.close()
    before = storage.path.read_bytes()
    assert (350 // 71, 352 // 71) == (4, 4)  # no bucket is divided
    record(storage, people[350:352])
    storage.close()
    after = storage.path.read_bytes()
    pages = {place // 4096 for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
    assert len(pages) == 5  # two buckets, the counts, the day, and the head of the file


@pytest.fixture(params=[1, 10, 90, 2000], ids=lambda size: f"records of {size} bytes")
def empty(request):
    """Buckets for records of a size, in memory and without a survey's triggers."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        db = Database(connection)
        db.execute("CREATE TABLE surveys (id INTEGER PRIMARY KEY, state TEXT)")
        db.execute("INSERT INTO surveys VALUES (1, 'open')")
        shape = shape_of(request.param)
        create_buckets(db, 1, shape)
        yield Buckets(db, 1, shape, bytes(16), 0)


def people_of(empty, number, seed=3):
    """Receipts and records that fit."""
    draw = random.Random(seed)
    return {draw.randbytes(16): draw.randbytes(empty.shape.width - 16) for _ in range(number)}


def again(empty):
    """The same buckets, as the next transaction sees them."""
    return Buckets(empty.db, 1, empty.shape, empty.key, empty.respondents)


def test_new_rows_come_in_their_order_however_many_there_are_already(empty):
    # A tree whose rows come in another order has other pages.
    load = empty.shape.load
    people = list(people_of(empty, 304 * load).items())
    empty.put(dict(people[: 300 * load]))
    added = []
    empty.db.conn.set_trace_callback(lambda sql: added.append(sql) if sql.startswith("INSERT") else None)
    again(empty).put(dict(people[300 * load :]))
    rows = [int(re.match(r"INSERT INTO buckets_1 VALUES \((\d+)", sql)[1]) for sql in added]
    assert list(dict.fromkeys(rows)) == [301, 302, 303, 304]  # each is traced again for its trigger


def test_a_message_that_shows_buckets_shows_no_record(empty):
    people = people_of(empty, 3)
    empty.put(people)
    assert all(str(record) not in repr(empty) for record in people.values())
    assert "held" not in repr(empty)


def test_what_is_stored_is_found_and_nothing_else_is(empty):
    people = people_of(empty, 400)
    for start in range(0, 400, 90):
        empty.put(dict(list(people.items())[start : start + 90]))
        empty = again(empty)
    strangers = people_of(empty, 50, seed=4)
    assert empty.find(people | strangers) == people
    assert len(all_rows(empty.db, 1)) == empty.shape.buckets(400) == 1 + 400 // empty.shape.load


@pytest.mark.parametrize("byte", range(16))
def test_receipts_that_differ_in_one_byte_are_those_of_different_people(empty, byte):
    receipts = [bytes(byte) + bytes([value]) + bytes(15 - byte) for value in (2, 0, 1)]
    people = {receipt: bytes([n]) * (empty.shape.width - 16) for n, receipt in enumerate(receipts)}
    (first, record), *others = people.items()
    empty.put({first: record})
    assert again(empty).find(people) == {first: record}
    again(empty).put(dict(others))
    assert again(empty).find(people) == people
    assert b"".join(receipt + people[receipt] for receipt in sorted(people)) in all_rows(empty.db, 1)[0]


def test_rows_have_one_size_and_hold_sorted_records_and_zeros(empty):
    people = people_of(empty, 300)
    empty.put(people)
    held, (width, size) = {}, (empty.shape.width, empty.shape.size)
    for bucket, row in enumerate(all_rows(empty.db, 1)):
        records = list(split_records(records_in(row, width), width))
        assert (len(row), records) == (size, sorted(records))
        assert not any(row[4 + width * len(records) :])
        held |= {one[:16]: bucket for one in records}
    assert held == {one: bucket_of(hash_of(one, empty.key), empty.shape.buckets(300)) for one in people}


def test_buckets_that_are_filled_at_once_are_those_of_one_after_the_other(empty, monkeypatch):
    monkeypatch.setattr(sort_rows, "MOST_BYTES", 1)
    monkeypatch.setattr(buckets, "AT_ONCE", 50)
    people = [*people_of(empty, 400).items()]
    for start in range(0, 400, 100):
        empty.put(dict(people[start : start + 100]))
    expected = all_rows(empty.db, 1)
    empty.db.execute("DROP TRIGGER buckets_1_stay_until_copied")
    empty.db.execute("DELETE FROM buckets_1 WHERE bucket > 0")
    empty.held.clear()
    empty.fill(lambda: [people[300:], [], people[:300]])
    assert all_rows(empty.db, 1) == expected


def test_a_bucket_that_outgrows_its_row_takes_a_multiple_of_it(empty, monkeypatch):
    # As if somebody who knew the key had aimed: nothing is lost, it is only slower.
    for module in (buckets, bucket_shape):
        monkeypatch.setattr(module, "hash_of", lambda receipt, key: 0)
    people = people_of(empty, 500)
    for start in range(0, 500, 125):
        empty.put(dict(list(people.items())[start : start + 125]))
        empty = again(empty)
    first, *others = all_rows(empty.db, 1)
    needed = 4 + 500 * empty.shape.width
    assert 0 <= len(first) - needed < empty.shape.size
    assert (len(first) % empty.shape.size, set(map(len, others))) == (0, {empty.shape.size})
    assert empty.find(people) == people


@pytest.mark.parametrize("hashed", [0, 1, 6, 0xDEADBEEF, 2**64 - 1])
def test_one_more_bucket_moves_only_some_of_the_one_that_it_divides(hashed):
    for number in range(1, 600):
        before, after = bucket_of(hashed, number), bucket_of(hashed, number + 1)
        assert after == before or (before, after) == (source_bucket(number), number)
        assert 0 <= after <= number


@pytest.mark.parametrize("record", [1, 2, 10, 30, 64, 65, 100, 250, 1000, 2000])
def test_a_bucket_outgrows_its_row_with_a_chance_below_one_in_a_thousand_million(record):
    one = shape_of(record)
    holds = (one.size - 4) // one.width
    for level in (0, 1, 4, 10, 20):
        most = one.load * 2 ** (level + 1) - 1  # so many before the last bucket of 2**level is divided
        assert bucket_of(2**level - 1, one.buckets(most)) == 2**level - 1
        assert bdtrc(min(holds, most), most, 0.5**level) < OVERFULL
    wasteful = int(1.2 * one.load + 1) * 2**21
    assert bdtrc(holds, wasteful, 0.5**20) > OVERFULL


def test_another_bucket_comes_with_as_many_people_as_its_load():
    shape = shape_of(2)
    people = [0, shape.load - 1, shape.load, 2 * shape.load - 1, 2 * shape.load]
    assert [shape.buckets(number) for number in people] == [1, 1, 2, 2, 3]


@pytest.mark.parametrize("empty", [2], indirect=True)
@pytest.mark.parametrize(
    ("loads", "expected"),
    [
        (1, "4d38835826ff290dbb1e318b4e9fefec995f90da26ef786f55fc72addaecf5d7"),
        (5, "fce2723950d0a4b90c98f0079d1f8a7aab65d7d339480102aaba33a27a82c6b8"),
    ],
)
def test_rows_are_those_that_files_hold(empty, loads, expected):
    empty.put(people_of(empty, loads * empty.shape.load))
    assert sha256(b"".join(all_rows(empty.db, 1))).hexdigest() == expected


def test_shapes_are_those_that_files_hold():
    for record, shape in SHAPES.items():
        assert (shape_of(record).size, shape_of(record).load) == shape


SHAPES = {
    1: (4056, 76),
    2: (4056, 71),
    10: (4056, 44),
    19: (4056, 29),
    30: (4056, 20),
    64: (4056, 8),
    100: (8148, 14),
    500: (24516, 8),
    941: (49068, 9),
    1000: (49068, 8),
    2000: (98172, 8),
}
"""Size of a record -> size of a row and load. Buckets that were written so can be read only so."""


if __name__ == "__main__":
    killed_in_between(sys.argv[1])
