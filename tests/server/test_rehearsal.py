"""`candor database migrate --check`: what an upgrade would do, tried on a copy; the file stays as it is."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import rehearsal
from server.store.sqlite.storage import SQLiteStorage

DATABASES = Path(__file__).parent / "databases"


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((DATABASES / "yes_no_only.sql").read_text(encoding="utf-8"))
    return path


def check(path):
    ended = CliRunner().invoke(main, ["database", "migrate", "--check", str(path)])
    return ended.exit_code, ended.stdout, ended.stderr


def test_it_tells_what_the_upgrade_does_and_leaves_the_file_as_it_is(old):
    before = old.read_bytes()
    code, told, _ = check(old)
    assert code == 0
    assert "no_order_of_arrival" in told
    assert "tables that come: " in told
    assert "counts" in told
    assert "tallies" in told.split("that go: ")[1].splitlines()[0]
    assert "they answer 503 until they are replaced" in told
    assert re.search(r"it took \d+\.\d\d s", told)
    assert old.read_bytes() == before
    assert not [each for each in old.parent.iterdir() if not each.name.startswith("old.db")]


def test_what_it_tells_is_what_happens(old):
    told = rehearsal.rehearse(old)
    storage = SQLiteStorage(old)
    assert storage.condition().steps == told.steps
    tables = rehearsal.tables_of(old)
    storage.migrate()
    now = rehearsal.tables_of(old)
    assert (sorted(now - tables), sorted(tables - now)) == (told.made, told.gone)
    assert check(old)[1] == f"{old} is up to date: nothing would change\n"


def test_seconds_are_those_of_the_clock(old):
    assert rehearsal.rehearse(old, iter([3.0, 10.5]).__next__).seconds == 7.5


def test_additive_steps_let_other_servers_go_on(tmp_path):
    storage = SQLiteStorage(tmp_path / "new.db")
    storage.create()
    with closing(sqlite3.connect(storage.path)) as db, db:
        db.execute("DROP TABLE attempts")
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'failed_attempts'")
    told = rehearsal.rehearse(storage.path)
    assert (told.steps, told.made, told.rolling) == (["failed_attempts"], ["attempts"], True)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (
            "UPDATE tallies SET count = count + 1 "
            "WHERE survey_id IN (SELECT id FROM surveys WHERE state = 'open')",
            "what it holds does not agree with itself",
        ),
        ("DROP TRIGGER tallies_are_final_once_closed", "a step cannot be done: "),
    ],
)
def test_an_upgrade_that_would_fail_is_told_in_one_sentence(old, damage, why):
    with closing(sqlite3.connect(old)) as db, db:
        db.execute(damage)
    code, _, told = check(old)
    assert code == 1
    assert told.startswith(f"Error: the upgrade of {old} would fail: {why}")
    assert told.count("\n") == 1


def test_what_is_not_ours_is_refused(tmp_path):
    (tmp_path / "other.db").touch()
    assert "it is not a database that candor serve made" in check(tmp_path / "other.db")[2]
