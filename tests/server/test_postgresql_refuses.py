"""What PostgreSQL refuses by itself, whoever tries, the owner of the tables too."""

import hashlib
import threading
import time

import psycopg
import pytest

from server.store import surveys
from server.store.postgresql.storage import write_anew
from server.store.submissions import Submission, record

pytestmark = pytest.mark.engines("postgresql")

EMPTY = hashlib.sha256(b"{}").hexdigest()

WHILE_OPEN = {
    "other bytes": "UPDATE publications SET json = '{}'",
    "another fingerprint": f"UPDATE publications SET fingerprint = '{EMPTY}'",
    "moved to another survey": "UPDATE publications SET survey_id = 2",
    "withdrawn": "DELETE FROM publications WHERE survey_id = 1",
    "all withdrawn": "TRUNCATE publications",
    "upserted": f"INSERT INTO publications VALUES (1, '{{}}', '{EMPTY}') "
    "ON CONFLICT (survey_id) DO UPDATE SET json = excluded.json",
    "back to a draft": "UPDATE surveys SET state = 'draft', draft = '{}' WHERE id = 1",
    "given a draft": "UPDATE surveys SET draft = '{}' WHERE id = 1",
    "given saves": "UPDATE surveys SET saves = '[]' WHERE id = 1",
    "renamed": "UPDATE surveys SET slug = 'other' WHERE id = 1",
    "renumbered": "UPDATE surveys SET id = DEFAULT WHERE id = 1",
    "overrun by another survey's name": "UPDATE surveys SET slug = 'exams' WHERE id = 2",
    "inserted as open": "INSERT INTO surveys (slug, state) VALUES ('third', 'open')",
    "every survey removed": "TRUNCATE surveys CASCADE",
    "a draft that is no JSON": "UPDATE surveys SET draft = '{' WHERE id = 2",
    "a publication for a draft": f"INSERT INTO publications VALUES (2, '{{}}', '{EMPTY}')",
    "a changed report": "UPDATE arrivals_1 SET record = '\\x0000'",
    "a removed report": "DELETE FROM arrivals_1",
    "all reports removed": "TRUNCATE arrivals_1",
    "a report removed from a part": "DELETE FROM arrivals_1_0",
    "a report changed in a part": "UPDATE arrivals_1_0 SET record = '\\x0000'",
    "an impossible report": f"INSERT INTO arrivals_1 VALUES ('\\x{'cd' * 16}', '\\x0200')",
    "a report that is too short": f"INSERT INTO arrivals_1 VALUES ('\\x{'cd' * 16}', '\\x00')",
    "a report that is too long": f"INSERT INTO arrivals_1 VALUES ('\\x{'cd' * 16}', '\\x000000')",
    "a receipt of the wrong length": "INSERT INTO arrivals_1 VALUES ('\\xcd', '\\x0000')",
    "a tally made again": "INSERT INTO tallies VALUES (1, '{}', '{}', '', '')",
    "a tally for a draft": "INSERT INTO tallies VALUES (2, '{}', '{}', '', '')",
    "a tally of another length": "UPDATE tallies SET counts = '', published = ''",
    "other columns": "UPDATE tallies SET columns = '{a,b}'",
    "a removed tally": "DELETE FROM tallies WHERE survey_id = 1",
    "all tallies removed": "TRUNCATE tallies",
    "a part that begins with counts": "INSERT INTO tally_parts (survey_id, counts) "
    "SELECT 1, overlay(counts PLACING '\\x09' FROM 1) FROM tallies",
    "a part of another length": "INSERT INTO tally_parts (survey_id, counts) VALUES (1, '')",
    "a part of a draft": "INSERT INTO tally_parts (survey_id, counts) VALUES (2, '')",
    "a part made shorter": "UPDATE tally_parts SET counts = ''",
    "a part of another survey": "UPDATE tally_parts SET survey_id = 2",
    "a removed part": "DELETE FROM tally_parts",
    "all parts removed": "TRUNCATE tally_parts",
    "opened twice": "SELECT open_survey(1, '{}', '', '{}', '{}', 0)",
    "opened under another fingerprint": f"SELECT open_survey(2, '[]', '{EMPTY}', '{{a}}', '{{2}}', 2)",
}

ONCE_CLOSED = {
    "opened again": "UPDATE surveys SET state = 'open' WHERE id = 1",
    "more counted": "UPDATE tallies SET counts = overlay(counts PLACING '\\x09' FROM 1)",
    "a late part": "INSERT INTO tally_parts (survey_id, counts) "
    "SELECT 1, decode(repeat('00', octet_length(counts)), 'hex') FROM tallies",
    "more shown": "UPDATE tallies SET published = overlay(published PLACING '\\x09' FROM 1)",
    "written anew once more": "UPDATE tallies SET rewritten = false",
    "a changed report": "UPDATE reports_1 SET copied = 0",
    "a removed report": "DELETE FROM reports_1",
    "all reports removed": "TRUNCATE reports_1",
    "a late report": f"INSERT INTO reports_1 VALUES ('\\x{'cd' * 16}', 0, 0)",
}

REFUSALS = (psycopg.IntegrityError, psycopg.DataError, psycopg.NotSupportedError)


@pytest.fixture
def two(door):
    """An open survey with one report, number 1, and a draft, number 2."""
    assert door.send(door.body(receipt="ab" * 16)) == (200, "stored")
    door.storage.write(surveys.create_draft, {"slug": "second"})
    return door


def dump(storage):
    """Every row of every table, in an order that does not change."""

    def rows(db):
        tables = db.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'candor' ORDER BY 1"
        ).fetchall()
        return {name: sorted(map(repr, db.execute(f"SELECT * FROM {name}").fetchall())) for (name,) in tables}

    return storage.read(rows)


def let_through(storage, attempts):
    """Give what is not refused, or refused after it has changed something; what is leaves all as it was."""
    before = dump(storage)

    def refused(sql):
        try:
            storage.write(lambda db: db.execute(sql))
        except REFUSALS:
            return dump(storage) == before
        return False

    return [name for name, sql in attempts.items() if not refused(sql)]


def test_the_database_refuses_while_a_survey_is_open(two):
    assert let_through(two.storage, WHILE_OPEN) == []


def test_a_report_that_comes_past_the_code_is_refused_once_the_survey_is_closed(two):
    two.storage.write(surveys.close_survey, 1)
    late = f"INSERT INTO arrivals_1 VALUES ('\\x{'cd' * 16}', '\\x0000')"
    assert let_through(two.storage, {"a late report": late}) == []


def test_closing_is_final(two):
    two.storage.write(surveys.close_survey, 1)
    two.storage.finish()
    assert let_through(two.storage, ONCE_CLOSED) == []


def test_removing_the_whole_survey_is_the_one_way_and_leaves_nothing(two):
    two.storage.write(surveys.delete_survey, 1)
    left = dump(two.storage)
    assert "arrivals_1" not in left
    assert not any(left[table] for table in ("publications", "tallies", "days"))
    assert two.storage.write(surveys.create_draft, {"slug": "exams"}).id == 3  # no number is used twice


def test_a_closed_survey_shows_in_its_table_neither_when_nor_in_which_order_reports_came(two):
    receipts = [bytes([255 - n]) * 16 for n in range(60)]  # they come with the highest first
    fingerprint = two.survey.publication.fingerprint
    for start in range(0, 60, 7):
        batch = [
            Submission(1, fingerprint, receipt.hex(), {"copied": n % 2, "data": 0})
            for n, receipt in enumerate(receipts[start : start + 7])
        ]
        two.storage.write(record, batch, "2026-05-04")
    before = two.rows()
    two.storage.write(surveys.close_survey, 1)
    assert two.rows() == before
    two.storage.finish()
    assert two.rows() == before
    written = two.storage.read(
        lambda db: db.execute("SELECT xmin::text, receipt FROM reports_1 ORDER BY ctid").fetchall()
    )
    assert len({transaction for transaction, _ in written}) == 1
    assert [receipt for _, receipt in written] == sorted([*receipts, b"\xab" * 16])
    assert "arrivals_1" not in dump(two.storage)


def test_a_survey_that_an_admin_closes_is_written_anew_in_the_background(staff_app, browse, door_of):
    door = door_of(staff_app)
    assert door.send(body := door.body()) == (200, "stored")
    assert browse("admin").post("/admin/surveys/exams/close").status_code == 302
    staff_app.extensions["candor"].finisher.settle()
    assert f"reports_{door.survey.id}" in dump(door.storage)
    assert f"arrivals_{door.survey.id}" not in dump(door.storage)
    assert door.rows() == {body["receipt"]: [1, 0]}


def test_writing_anew_goes_on_where_it_was_cut_off_and_answers_receipts_meanwhile(two):
    two.storage.write(surveys.close_survey, 1)
    again = two.body(receipt="ab" * 16)
    for step in ("SELECT write_anew(1)", "SELECT write_anew(1)", "SELECT forget_arrivals(1)"):
        assert two.send(again) == (200, "stored")
        assert two.send(again | {"copied": "0"}) == (409, "different")
        two.storage.write(lambda db, step=step: db.execute(step))
    assert two.send(again) == (200, "stored")
    assert two.send(again | {"copied": "0"}) == (409, "different")
    assert two.send(two.body()) == (410, "closed")
    two.storage.finish()
    assert two.rows() == {"ab" * 16: [1, 0]}


def test_a_server_that_finds_another_at_the_end_of_the_same_work_has_nothing_to_do(two):
    two.storage.write(surveys.close_survey, 1)
    two.storage.write(write_anew, 1)
    failed = []

    def second():
        try:
            two.storage.write(write_anew, 1)
        except Exception as error:  # noqa: BLE001  # looked at below
            failed.append(error)

    waiting = """
        SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
    """
    with psycopg.connect(two.services.config.database.text) as first:
        assert first.execute("SELECT candor.forget_arrivals(1)").fetchone() == (True,)
        thread = threading.Thread(target=second)
        thread.start()
        with psycopg.connect(two.services.config.database.text, autocommit=True) as watcher:
            while not watcher.execute(waiting).fetchone()[0] and thread.is_alive():
                time.sleep(0.01)
    thread.join()
    assert failed == []


def test_arrivals_that_somebody_reads_stay_until_they_have_been_read(two):
    two.storage.write(surveys.close_survey, 1)
    with psycopg.connect(two.services.config.database.text) as reader:
        reader.execute("SELECT * FROM candor.arrivals_1")
        two.storage.write(lambda db: db.execute("SELECT write_anew(1)"))
        forget = "SELECT forget_arrivals(1)"
        assert two.storage.write(lambda db: db.execute(forget).fetchone()) == (False,)
        assert two.send(two.body(receipt="ab" * 16)) == (200, "stored")
    assert two.storage.write(lambda db: db.execute(forget).fetchone()) == (True,)
