"""`candor verify`: whatever does not agree is named in a sentence, and what does agree in a line."""

import random
import re
import sqlite3
from contextlib import closing
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import pictures, submissions, surveys
from server.store.pictures import StoredPicture
from server.store.sqlite.bucket_shape import shape_of
from server.store.sqlite.buckets import records_in, row_of
from server.store.sqlite.connection import connect
from server.store.sqlite.reports import blob_of, read_counts, write_counts
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
from server.store.upkeep import move, verification
from server.store.walk import parts

SHAPE = shape_of(1)
REPORTS = 200


@pytest.fixture
def full(door):
    """The door of a survey whose reports lie in three buckets."""
    draw = random.Random(1)
    batch = [
        Submission(
            door.survey.id,
            door.survey.publication.fingerprint,
            draw.randbytes(16).hex(),
            {"copied": draw.randrange(2), "data": draw.randrange(2)},
        )
        for _ in range(REPORTS)
    ]
    assert set(door.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}
    return door


OTHERS = ("schema: ", "audit log: ", "the schema is the one that this version of Candor makes")


def verify(database):
    """Run the command: its status, and what it says of surveys."""
    ended = CliRunner().invoke(main, ["verify", "--database", str(database)])
    said, faults = (
        "".join(line for line in stream.splitlines(keepends=True) if not line.startswith(OTHERS))
        for stream in (ended.stdout, ended.stderr)
    )
    return ended.exit_code, said, faults


@pytest.mark.engines
def test_what_agrees_is_said_of_every_survey_open_or_closed(full, survey_file, database):
    for slug in ("closed", "empty"):
        survey = full.storage.write(
            lambda db, slug=slug: surveys.open_survey(db, surveys.create_draft(db, survey_file(slug)).id)
        )
        if slug == "closed":
            one = Submission(survey.id, survey.publication.fingerprint, "ab" * 16, {"copied": 1, "data": 0})
            full.storage.write(submissions.record, [one], "2026-05-04")
            full.storage.write(surveys.close_survey, survey.id)
    full.storage.write(surveys.create_draft, {"slug": "draft"})
    before = full.rows()
    said = "{}: {} reports agree with their counts and receipts\n"
    expected = said.format("exams", 200) + said.format("closed", 1) + said.format("empty", 0)
    assert verify(getattr(database, "text", database)) == (0, expected, "")
    assert (len(before), full.rows()) == (REPORTS, before)


def row(db, bucket):
    """The records of a bucket."""
    ((held,),) = db.execute("SELECT records FROM buckets_1 WHERE bucket = ?", [bucket]).fetchall()
    return records_in(held, SHAPE.width)


def overwrite(db, bucket, records):
    db.execute("UPDATE buckets_1 SET records = ? WHERE bucket = ?", [row_of(SHAPE, records), bucket])


def a_report_twice(db):
    first = row(db, 0)[: SHAPE.width]
    overwrite(db, 1, first + row(db, 1))


def a_report_that_went(db):
    overwrite(db, 0, row(db, 0)[SHAPE.width :])


def another_code(db):
    records = bytearray(row(db, 0))
    records[SHAPE.width - 1] ^= 1
    overwrite(db, 0, bytes(records))


def no_such_code(db):
    records = bytearray(row(db, 0))
    records[SHAPE.width - 1] = 7
    overwrite(db, 0, bytes(records))


def two_buckets_exchanged(db):
    first, second = row(db, 0), row(db, 1)
    overwrite(db, 0, second)
    overwrite(db, 1, first)


def out_of_order(db):
    records = row(db, 0)
    overwrite(db, 0, records[-SHAPE.width :] + records[: -SHAPE.width])


def a_bucket_that_went(db):
    two_buckets_exchanged(db)
    overwrite(db, 0, row(db, 0) + row(db, 2))
    db.execute("DROP TRIGGER buckets_1_stay_until_copied")
    db.execute("DELETE FROM buckets_1 WHERE bucket = 2")


def one_more_counted(db):
    counts = read_counts(db, 1)
    counts.counted[0] += 1
    write_counts(db, 1, counts)


def more_published_than_counted(db):
    counts = read_counts(db, 1)
    db.execute("UPDATE counts SET published = ?", [blob_of(counts.counted + np.array([0, 0, 1, 0]))])


FAULTS = {
    a_report_twice: [
        "1 of 201 reports have a receipt that another has too",
        "the counts of copied, data differ from a recount of 201 reports",
    ],
    a_report_that_went: ["the counts of copied, data differ from a recount of 199 reports"],
    another_code: ["the counts of data differ from a recount of 200 reports"],
    no_such_code: ["1 of 200 reports have a code that their column does not have"],
    two_buckets_exchanged: ["149 of 200 reports are not found under their receipts"],
    out_of_order: ["2 of 200 reports are not found under their receipts"],
    a_bucket_that_went: ["bucket 2 is missing of 3"],
    one_more_counted: ["the counts of copied differ from a recount of 200 reports"],
    more_published_than_counted: ["more is published of data than was counted"],
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
def test_what_does_not_agree_is_said_in_a_sentence_each(full, spoil):
    with closing(connect(full.storage.path)) as db:
        spoil(db)
    assert verify(full.storage.path) == (1, "", "".join(f"exams: {fault}\n" for fault in FAULTS[spoil]))


def another_fingerprint(db):
    db.execute(f"UPDATE publications SET fingerprint = '{'0' * 64}' WHERE survey_id = 1")


def another_title(db):
    before, after = '"title":{"en":"title"}', '"title":{"en":"other"}'
    db.execute(
        "UPDATE publications SET json = CAST(replace(json, ?, ?) AS BLOB) WHERE survey_id = 1",
        [before, after],
    )


def no_publication(db):
    db.execute("DELETE FROM publications WHERE survey_id = 1")


def bytes_that_are_no_publication(db):
    db.execute("UPDATE publications SET json = x'ff' WHERE survey_id = 1")


def no_counts(db):
    db.execute("DELETE FROM counts WHERE survey_id = 1")


def no_buckets(db):
    db.execute("DROP TABLE buckets_1")


DAMAGE = {
    another_fingerprint: f"and {'0' * 64} is stored with it",
    another_title: "what was published has the fingerprint ",
    no_publication: "what was published of it is gone",
    bytes_that_are_no_publication: "it cannot be read: 'utf-8' codec can't decode byte 0xff",
    no_counts: "it cannot be read (TypeError: ",
    no_buckets: "it cannot be read (OperationalError: no such table: buckets_1)",
}


@pytest.mark.parametrize("spoil", DAMAGE, ids=lambda spoil: spoil.__name__)
def test_a_survey_that_is_damaged_is_named_and_keeps_no_other_from_being_counted(full, survey_file, spoil):
    full.storage.write(
        lambda db: surveys.open_survey(db, surveys.create_draft(db, survey_file("second")).id) and None
    )
    with closing(sqlite3.connect(full.storage.path, isolation_level=None)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        spoil(db)
    code, said, faults = verify(full.storage.path)
    assert (code, said) == (1, "second: 0 reports agree with their counts and receipts\n")
    assert faults.startswith("exams: ")
    assert DAMAGE[spoil] in faults
    assert faults.count("\n") == 1


@pytest.fixture
def small_parts(monkeypatch):
    """Let as few reports be read at a time as can be; the parts that were read."""
    pieces, part_of = [], verification.part_of

    def noted(*arguments):
        block, place = part_of(*arguments)
        pieces.append(len(block))
        return block, place

    monkeypatch.setattr(verification, "BLOCK", 64)
    monkeypatch.setattr(verification, "part_of", noted)
    return pieces


@pytest.mark.engines
def test_a_closed_survey_is_read_in_short_pieces(full, database, small_parts):
    full.storage.write(surveys.close_survey, full.survey.id)
    full.storage.finish()
    said = "exams: 200 reports agree with their counts and receipts\n"
    assert verify(getattr(database, "text", database)) == (0, said, "")
    assert small_parts == [64, 64, 64, 8]


def test_what_is_carried_into_another_file_agrees_there_too(full, tmp_path):
    other = SQLiteStorage(tmp_path / "other.db")
    other.create()
    full.storage.read(lambda source: other.write(lambda target: move.carry(target, source)))
    assert list(verification.verify_surveys(other)) == [("exams", REPORTS, [])]
    other.close()


def test_an_open_survey_is_read_in_pieces_of_as_many_buckets_as_hold_so_many_reports(full):
    def pieces(db, most):
        of_survey = partial(db.reports.part, full.survey.id, full.survey.publication)
        return [len(block) for block in parts(lambda place: of_survey(place, most))]

    for most, number in ((1, 3), (2 * SHAPE.load - 1, 3), (2 * SHAPE.load, 2), (1000, 1)):
        found = full.storage.read(pieces, most)
        assert (len(found), sum(found)) == (number, REPORTS)


class Busy:
    """A storage that does something after each reading, as others would."""

    def __init__(self, storage, work):
        self.storage, self.work = storage, work

    def read(self, function, *arguments):
        found = self.storage.read(function, *arguments)
        self.work()
        return found


@pytest.mark.engines
def test_an_open_survey_agrees_while_its_buckets_are_divided(full, small_parts):
    draw = random.Random(2)
    fingerprint = full.survey.publication.fingerprint

    def send():
        batch = [
            Submission(full.survey.id, fingerprint, draw.randbytes(16).hex(), {"copied": 1, "data": 0})
            for _ in range(100)
        ]
        assert set(full.storage.write(submissions.record, batch, "2026-05-04")) == {"stored"}

    ((slug, reports, faults),) = verification.verify_surveys(Busy(full.storage, send))
    assert (slug, faults) == ("exams", [])
    assert REPORTS < reports < len(full.rows())


@pytest.mark.engines
def test_a_survey_that_is_closed_while_it_is_counted_is_counted_again(full, small_parts):
    def close():
        if len(small_parts) == 2 and full.storage.read(surveys.get, full.survey.id).state == "open":
            full.storage.write(surveys.close_survey, full.survey.id)
            full.storage.finish()

    found = list(verification.verify_surveys(Busy(full.storage, close)))
    assert found == [("exams", REPORTS, [])]
    assert full.storage.read(surveys.get, full.survey.id).state == "closed"


@pytest.mark.engines
def test_a_survey_that_is_deleted_while_it_is_counted_is_passed_over(full, small_parts):
    def delete():
        if len(small_parts) == 2:
            full.storage.write(surveys.close_survey, full.survey.id)
            full.storage.write(surveys.delete_survey, full.survey.id)

    assert list(verification.verify_surveys(Busy(full.storage, delete))) == []


def test_a_row_that_is_gone_from_a_closed_survey_is_missed(full):
    full.storage.write(surveys.close_survey, full.survey.id)
    full.storage.finish()
    with closing(sqlite3.connect(full.storage.path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER reports_1_stay_once_closed")
        db.execute("DELETE FROM reports_1 WHERE receipt = (SELECT min(receipt) FROM reports_1)")
    code, said, faults = verify(full.storage.path)
    assert (code, said) == (1, "")
    assert faults.startswith("exams: the counts of copied, data differ from a recount of 199 reports\n")
    assert re.search(
        r"^exams: the list that was counted \(root \w+\) is not that of its reports$", faults, re.M
    )


@pytest.mark.engines
def test_where_nothing_was_opened_it_says_so(storage, database):
    storage.write(surveys.create_draft, {"slug": "draft"})
    code, said, faults = verify(getattr(database, "text", database))
    assert (code, faults) == (0, "")
    assert said == f"{database} holds no survey that was opened: there is nothing to count again\n"


def test_a_database_that_is_not_there_is_named(tmp_path):
    ended = CliRunner().invoke(main, ["verify", "--database", str(tmp_path / "none.db")])
    assert ended.exit_code == 1
    assert ended.stderr == (
        f"Error: the database {tmp_path / 'none.db'} cannot be used: "
        "there is no such file; candor serve makes it when it starts\n"
    )


def test_a_picture_that_is_not_what_its_name_says_is_named(full, survey_file):
    one = StoredPicture("png", 3, 2, b"the bytes of a picture")
    question, *others = survey_file()["questions"]
    shown = {"sha256": one.sha256, "type": "png", "width": 3, "height": 2, "alt": {"en": "A glass"}}
    table = survey_file("pictures", candor=3, questions=[question | {"picture": shown}, *others])
    draft = full.storage.write(surveys.create_draft, table)
    full.storage.write(pictures.add, draft.id, one)
    full.storage.write(surveys.open_survey, draft.id)
    assert verify(full.storage.path)[0] == 0
    with closing(connect(full.storage.path)) as db:
        db.execute("DROP TRIGGER pictures_never_change")
        db.execute("UPDATE pictures SET bytes = CAST('others' AS BLOB)")
    code, _, faults = verify(full.storage.path)
    assert code == 1
    assert faults.startswith(f"pictures: the bytes of the picture {one.sha256} have the SHA-256 ")
