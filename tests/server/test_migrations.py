"""The tables: made once, however often they are asked for."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from server.store import surveys
from server.store.engine import Unavailable
from server.store.sqlite.connection import connect
from server.store.sqlite.migrations import migrate, recorded
from server.store.sqlite.storage import SQLiteStorage
from server.store.upkeep import settings
from server.store.upkeep.versions import FIRST

OURS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"


def schema(db):
    return db.execute(OURS).fetchall()


def test_migrating_twice_changes_nothing(tmp_path):
    with closing(connect(tmp_path / "a.db", create=True)) as db:
        migrate(db, create=True)
        before = schema(db)
        migrate(db)
        assert schema(db) == before


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


def test_every_connection_is_durable_and_leaves_no_log_of_arrivals(tmp_path):
    with closing(connect(tmp_path / "a.db", create=True)) as db:
        pragmas = {
            name: db.execute(f"PRAGMA {name}").fetchone()[0]
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
    with closing(connect(path, create=True)) as db, ThreadPoolExecutor(2) as pool:
        db.conn.execute("BEGIN IMMEDIATE")
        servers = [pool.submit(SQLiteStorage(path, busy_seconds=60.0).create) for _ in range(2)]
        time.sleep(0.3)  # both have seen by now that there are no tables
        db.conn.execute("COMMIT")
        for server in servers:
            server.result()
        assert recorded(db) == {FIRST: True}
