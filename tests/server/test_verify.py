"""`candor verify`: whatever does not agree is named in a sentence, and what does agree in a line."""

import random
import re
import sqlite3
from contextlib import closing
from functools import partial
from itertools import count

import numpy as np
import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import counted_lists, pictures, submissions, surveys
from server.store.engine import Unavailable
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.pictures import StoredPicture
from server.store.sqlite.bucket_shape import shape_of
from server.store.sqlite.buckets import records_in, row_of
from server.store.sqlite.connection import connect
from server.store.sqlite.reports import blob_of, read_counts, write_counts
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
from server.store.upkeep import move, verification
from server.store.walk import parts
from survey.counted_list import root_of

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


@pytest.mark.parametrize("kinds", ["plain", "sections"])
def test_every_kind_of_question_is_counted_again(installations, kinds):
    code, said, faults = verify(installations[kinds])
    assert (code, faults) == (0, "")
    assert said == "running: 12 reports agree with their counts and receipts\n" + (
        "finished: 11 reports agree with their counts and receipts\n"
    )


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


def test_each_report_is_looked_up_however_few_are_at_a_time(full, monkeypatch):
    monkeypatch.setattr(verification, "RECEIPTS_AT_ONCE", 3)
    with closing(connect(full.storage.path)) as db:
        two_buckets_exchanged(db)
    faults = "".join(f"exams: {fault}\n" for fault in FAULTS[two_buckets_exchanged])
    assert verify(full.storage.path) == (1, "", faults)


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
        if len(small_parts) == 2 and full.storage.read(surveys.by_slug, "exams"):
            full.storage.write(surveys.close_survey, full.survey.id)
            full.storage.write(surveys.delete_survey, full.survey.id)

    assert list(verification.verify_surveys(Busy(full.storage, delete))) == []


def closed(storage, survey_file, slug):
    """A closed survey with one report, whose end is that its reports are removed."""
    survey = storage.write(lambda db: surveys.open_survey(db, surveys.create_draft(db, survey_file(slug)).id))
    one = Submission(survey.id, survey.publication.fingerprint, "ab" * 16, {"copied": 1, "data": 0})
    storage.write(submissions.record, [one], "2026-05-04")
    storage.write(surveys.close_survey, survey.id)
    storage.write(life.schedule, survey.id, Schedule(remove_at=1), 0)
    storage.finish()
    return survey


ENDS = {
    "deleted": lambda db, survey_id: surveys.delete_survey(db, survey_id),
    "removed": lambda db, survey_id: db.reports.remove(survey_id),
}


@pytest.mark.engines
@pytest.mark.parametrize("end", ENDS)
def test_no_moment_at_which_a_survey_or_its_reports_go_is_taken_for_a_fault(storage, survey_file, end):
    for moment in count(1):
        survey, left = closed(storage, survey_file, f"survey-{moment}"), moment

        def work(survey=survey):
            nonlocal left
            left -= 1
            if left == 0:
                storage.write(ENDS[end], survey.id)
                storage.finish()

        found = list(verification.verify_surveys(Busy(storage, work)))
        assert [faults for *_, faults in found if faults] == [], moment
        if left > 0:
            break
        if end == "removed":
            storage.write(surveys.delete_survey, survey.id)
    assert moment > 7


def test_whoever_cannot_read_on_says_so_and_takes_it_for_no_fault(full, survey_file):
    closed(full.storage, survey_file, "second")

    def work():
        nonlocal left
        left -= 1
        if left == 0:
            raise Unavailable("the disk is gone")

    for reads in range(1, 12):
        left = reads
        with pytest.raises(Unavailable):
            list(verification.verify_surveys(Busy(full.storage, work)))


LIST = r"the list that was counted \(root \w{64}\) is not that of its reports"
OF_CLOSED = {
    "DELETE FROM reports_1 WHERE receipt = (SELECT min(receipt) FROM reports_1)": [
        "the counts of copied, data differ from a recount of 199 reports",
        LIST,
    ],
    "UPDATE reports_1 SET receipt = zeroblob(16) WHERE receipt = (SELECT min(receipt) FROM reports_1)": [
        LIST
    ],
    "UPDATE reports_1 SET data = 2 WHERE receipt = (SELECT min(receipt) FROM reports_1)": [
        "1 of 200 reports have a code that their column does not have",
        LIST,
    ],
}


def without_triggers(path):
    """Open a file that keeps nobody from changing it."""
    db = sqlite3.connect(path, isolation_level=None)
    for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute("PRAGMA ignore_check_constraints = ON")
    return closing(db)


@pytest.mark.parametrize("change", OF_CLOSED)
def test_a_row_of_a_closed_survey_that_is_gone_or_another_is_missed(full, change):
    full.storage.write(surveys.close_survey, full.survey.id)
    full.storage.finish()
    with without_triggers(full.storage.path) as db:
        db.execute(change)
    code, said, faults = verify(full.storage.path)
    assert (code, said) == (1, "")
    assert re.fullmatch("".join(f"exams: {fault}\n" for fault in OF_CLOSED[change]), faults)


@pytest.mark.parametrize(("first", "right"), [((0, 1, 2), True), ((0, 1, 3), False)])
def test_a_list_is_in_order_from_sheet_to_sheet(full, first, right):
    full.storage.write(surveys.close_survey, full.survey.id)
    full.storage.finish()
    ((*leaves,),) = counted_lists.sheets(full.storage, full.survey.id)
    sheets = [leaves[at] for at in first], [leaf for at, leaf in enumerate(leaves) if at not in first]
    root = root_of([root_of(sheet) for sheet in sheets]).hex()
    with without_triggers(full.storage.path) as db:
        db.execute("DELETE FROM leaf_sheets")
        for place, sheet in enumerate(sheets):
            row = [full.survey.id, place, sheet[0], root_of(sheet), b"".join(sheet)]
            db.execute("INSERT INTO leaf_sheets VALUES (?, ?, ?, ?, ?)", row)
        db.execute("UPDATE counted_lists SET root = ?", [root])
    ((*_, faults),) = verification.verify_surveys(full.storage)
    assert faults == ([] if right else [f"the list that was counted has another root than {root}"])


def test_more_published_than_counted_is_named_also_where_the_reports_were_removed(storage, survey_file):
    survey = closed(storage, survey_file, "exams")
    storage.write(lambda db: db.reports.remove(survey.id))
    storage.finish()
    with without_triggers(storage.path) as db:
        db.execute("UPDATE counts SET published = ?", [blob_of(np.array([0, 2, 1, 0]))])
    assert list(verification.verify_surveys(storage)) == [
        ("exams", None, ["more is published of copied than was counted"])
    ]


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


def test_each_picture_that_is_not_what_its_name_says_is_named(full, survey_file):
    those = [StoredPicture("png", 3, 2, b"the bytes of picture %d" % number) for number in range(6)]
    shown = {"type": "png", "width": 3, "height": 2, "alt": {"en": "A glass"}}
    question, *_ = survey_file()["questions"]
    questions = [
        question | {"id": f"q{number}", "picture": shown | {"sha256": picture.sha256}}
        for number, picture in enumerate(those)
    ]
    draft = full.storage.write(surveys.create_draft, survey_file("pictures", candor=3, questions=questions))
    for picture in those:
        full.storage.write(pictures.add, draft.id, picture)
    full.storage.write(surveys.open_survey, draft.id)
    assert verify(full.storage.path)[0] == 0
    with closing(connect(full.storage.path)) as db:
        db.execute("DROP TRIGGER pictures_never_change")
        db.execute("UPDATE pictures SET bytes = CAST('others' AS BLOB)")
    code, _, faults = verify(full.storage.path)
    assert code == 1
    names = sorted(picture.sha256 for picture in those)
    for name, line in zip(names, faults.splitlines(), strict=True):
        assert line.startswith(f"pictures: the bytes of the picture {name} have the SHA-256 ")
