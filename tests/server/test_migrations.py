"""The tables: made once, however often they are asked for."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlite_utils import hookimpl
from sqlite_utils.plugins import pm

from server.store import surveys
from server.store.engine import Unavailable
from server.store.sqlite import attestation, connection, copy_pages
from server.store.sqlite.condition import condition
from server.store.sqlite.connection import connect, make_private
from server.store.sqlite.migrations import check, is_unused, migrate, recorded
from server.store.sqlite.script import statements
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts
from server.store.upkeep import settings, versions
from server.store.upkeep.versions import FIRST

OURS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"


def schema(db):
    return db.execute(OURS).fetchall()


@pytest.fixture
def empty(tmp_path):
    """A connection to an empty file."""
    make_private(tmp_path / "a.db")
    with closing(connect(tmp_path / "a.db")) as db:
        yield db


def test_migrating_twice_changes_nothing(empty):
    migrate(empty, create=True)
    before = schema(empty)
    migrate(empty)
    assert schema(empty) == before
    assert empty.required == FIRST


@pytest.mark.parametrize("use", [migrate, check])
def test_only_a_first_start_makes_tables(empty, use):
    with pytest.raises(Unavailable, match="it is not a database that candor serve made"):
        use(empty)
    assert schema(empty) == []


def test_a_migration_that_fails_leaves_no_transaction(empty, monkeypatch):
    monkeypatch.setattr(versions, "take", lambda *_: empty.execute("SELECT * FROM absent"))
    with pytest.raises(sqlite3.OperationalError, match="no such table: absent"):
        migrate(empty, create=True)
    assert not empty.conn.in_transaction
    assert schema(empty) == []


def test_a_script_does_not_end_before_its_last_semicolon():
    with pytest.raises(ValueError, match=r"the script ends within a statement: 'CREATE TABLE x{47}'$"):
        list(statements("CREATE TABLE a (b);\nCREATE TABLE " + "x" * 60))


def test_a_database_is_unused_until_it_has_an_account_or_a_survey(empty, tmp_path):
    assert is_unused(empty)
    migrate(empty, create=True)
    assert is_unused(empty)
    with closing(SQLiteStorage(tmp_path / "a.db")) as storage:
        draft = storage.write(surveys.create_draft, {"slug": "some"})
        assert not is_unused(empty)
        storage.write(surveys.delete_survey, draft.id)
        assert is_unused(empty)
        storage.write(accounts.create, "ada", "a long enough password", "admin")
    assert not is_unused(empty)


def test_a_database_of_another_program_is_not_an_unused_one(empty):
    empty.execute("CREATE TABLE notes (text)")
    assert not is_unused(empty)


def test_a_file_whose_content_has_moved_names_where_to(door):
    """Files that earlier versions have marked so are still there: the number stays -1."""
    door.storage.write(lambda db: db.execute("INSERT INTO settings VALUES ('moved', 'elsewhere')"))
    door.storage.write(lambda db: db.execute("PRAGMA user_version=-1"))
    moved = "^it was moved to elsewhere: use that, or go back with candor move --undo$"
    with pytest.raises(Unavailable, match=moved):
        door.storage.check()


def test_a_number_that_was_used_is_not_used_again(empty):
    empty.execute("CREATE TABLE some (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT)")
    assert empty.last_number("some") == 0
    empty.insert_numbered("some", ("id", "word"), (5, "five"))
    assert empty.last_number("some") == 5
    empty.number_after("some", 9)
    assert empty.last_number("some") == 9
    empty.execute("INSERT INTO some (word) VALUES ('ten')")
    assert empty.execute("SELECT * FROM some").fetchall() == [(5, "five"), (10, "ten")]


def test_rows_that_refer_to_none_are_told_by_their_tables(empty):
    empty.execute("PRAGMA foreign_keys=OFF")
    migrate(empty, create=True)
    for name in ("e", "d", "c", "b", "a"):
        empty.execute(f"CREATE TABLE {name} (id INTEGER REFERENCES surveys)")
        empty.execute(f"INSERT INTO {name} VALUES (7), (8)")
    assert condition(empty).damage == [
        f"rows of {name} refer to what is not there" for name in ("a", "b", "c", "d", "e")
    ]


class Plugin:
    """What a package may do that is installed beside Candor: act on each connection of sqlite-utils."""

    __name__ = "plugin"

    @hookimpl
    def prepare_connection(self, conn):
        conn.execute("CREATE TABLE planted (moment TEXT)")


def test_no_plugin_of_an_installed_package_acts_on_a_connection(empty, tmp_path):
    pm.register(Plugin())
    try:
        with (
            closing(connect(tmp_path / "a.db")) as again,
            copy_pages.page_copy(again, tmp_path) as copy,
            attestation.reference() as made,
        ):
            names = {name for db in (again, copy, made) for name in db.table_names()}
    finally:
        pm.unregister(name="plugin")
    assert "versions" in names
    assert "planted" not in names


def test_a_connection_makes_no_file(tmp_path):
    with pytest.raises(sqlite3.OperationalError, match="unable to open database file"):
        connect(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_locked_gives_no_connection_and_is_waited_for_once(empty, tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(
        connection, "refuse_log", lambda db: waits.extend(db.execute("PRAGMA busy_timeout").fetchone())
    )
    empty.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        connect(tmp_path / "a.db", 0.1)
    assert waits == [0]


def test_a_connection_is_used_again_and_one_for_batches_remembers_the_pages_of_many_reports(door):
    door.storage.close()
    for _ in range(2):
        door.storage.read(surveys.all_surveys)
        door.storage.write_until(door.storage.deadline(), surveys.all_surveys)
    ((db, _),), ((for_batches, _),) = door.storage.idle, door.storage.idle_for_batches
    kept = [-each.execute("PRAGMA cache_size").fetchone()[0] for each in (db, for_batches)]
    assert kept == [2000, 32 * 1024]  # KiB


def test_migrating_keeps_every_table_and_trigger_of_a_survey_in_use(door):
    door.send(door.body())
    with closing(connect(door.storage.path)) as db:
        before, rows = schema(db), door.rows()
        migrate(db)
        assert schema(db) == before
    assert door.rows() == rows


def test_the_triggers_that_keep_publications_are_all_there(door):
    with closing(connect(door.storage.path)) as db:
        found = {name for kind, name, _ in schema(db) if kind == "trigger"}
    assert {
        "surveys_start_as_drafts",
        "surveys_keep_their_number",
        "surveys_are_frozen_once_published",
        "surveys_only_move_forward",
        "publications_are_made_once",
        "publications_never_change",
        "publications_stay_while_the_survey_does",
        "counts_are_made_once",
        "counts_keep_their_survey",
        "counts_are_final_once_closed",
        "counts_stay_while_the_survey_does",
        "buckets_1_come_once",
        "buckets_1_change_while_open",
        "buckets_1_stay_until_copied",
    } <= found


def test_every_connection_is_durable_and_leaves_no_log_of_arrivals(empty):
    pragmas = {
        name: empty.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys", "temp_store")
    }
    full, memory = 2, 2
    assert pragmas == {
        "journal_mode": "truncate",
        "synchronous": full,
        "secure_delete": 1,
        "foreign_keys": 1,
        "temp_store": memory,
    }


def test_a_connection_asks_for_what_keeps_data_whatever_sqlite_was_built_with(empty, tmp_path, monkeypatch):
    asked, set_journal = [], connection.set_journal
    traced = lambda db: db.set_trace_callback(asked.append) or set_journal(db)  # noqa: E731
    monkeypatch.setattr(connection, "set_journal", traced)
    connect(tmp_path / "a.db").close()
    wanted = ("journal_mode=TRUNCATE", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON")
    assert {f"PRAGMA {each}" for each in wanted} <= set(asked)


def test_a_transaction_that_fails_is_undone_as_a_whole(door):
    def half(db):
        surveys.create_draft(db, {"slug": "half"})
        raise RuntimeError

    with pytest.raises(RuntimeError):
        door.storage.write(half)
    assert door.storage.read(surveys.by_slug, "half") is None


def test_a_defect_of_ours_is_not_taken_for_a_busy_database(door):
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        door.storage.read(lambda db: db.execute("SELECT * FROM absent"))


def test_a_database_that_cannot_be_opened_is_told_so(tmp_path):
    with pytest.raises(Unavailable):
        SQLiteStorage(tmp_path / "missing" / "a.db").create()


def test_the_key_that_signs_sessions_is_drawn_once(door):
    first = door.storage.write(settings.secret_key)
    assert door.storage.write(settings.secret_key) == first
    assert len(first) == 64


def test_a_demo_keeps_the_number_of_its_first_start(door):
    assert door.storage.read(settings.demo_respondents) is None
    for respondents in (12, 13):
        door.storage.write(settings.mark_as_demo, respondents)
    assert door.storage.read(settings.demo_respondents) == 12


def test_two_servers_that_start_at_once_make_the_tables_once(tmp_path):
    path = tmp_path / "candor.db"
    make_private(path)
    with closing(connect(path)) as db, ThreadPoolExecutor(2) as pool:
        db.conn.execute("BEGIN IMMEDIATE")
        servers = [pool.submit(SQLiteStorage(path, busy_seconds=60.0).create) for _ in range(2)]
        time.sleep(0.3)  # both have seen by now that there are no tables
        db.conn.execute("COMMIT")
        for server in servers:
            server.result()
        assert recorded(db) == {FIRST: True}
