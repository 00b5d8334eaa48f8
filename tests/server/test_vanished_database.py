"""A database that is removed, emptied or replaced: nobody makes another, and everybody says what is wrong."""

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from html import unescape
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from outages import limited

from server import create_app
from server.cli import main, serve
from server.config import Config
from server.language.catalogue import say
from server.options import from_environment
from server.store import surveys
from server.store.engine import Unavailable
from server.store.sqlite import connection
from server.store.sqlite.connection import connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.upkeep.versions import FIRST
from survey.read_definition import from_dict


def removed(path):
    path.unlink()


def replaced_by_an_empty_file(path):
    path.unlink()
    path.touch()


def emptied(path):
    os.truncate(path, 0)


def replaced_by_a_text(path):
    path.write_text("no database at all\n" * 99)


def cut_off(path):
    os.truncate(path, 5000)


def replaced_by_another_database(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (text)")


def changed_by_a_later_version(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"INSERT INTO versions VALUES ({FIRST + 1}, 1)")
        db.execute(f"PRAGMA user_version={FIRST + 1}")


FAULTS = {
    removed: "there is no such file; candor serve makes it when it starts",
    replaced_by_an_empty_file: "it is not a database that candor serve made",
    emptied: "it is not a database that candor serve made",
    replaced_by_a_text: "file is not a database",
    cut_off: "database disk image is malformed",
    replaced_by_another_database: "it is not a database that candor serve made",
    changed_by_a_later_version: (
        f"a later version of Candor has changed it: its tables have version {FIRST + 1}, "
        f"and this one knows no version after {FIRST}; use that later one"
    ),
}


@pytest.fixture
def kept(door, tmp_path):
    """A copy of the file with one report in it, whose connection is still open."""
    assert door.send(door.body(receipt="ab" * 16)) == (200, "stored")
    assert door.storage.idle_for_batches
    return Path(shutil.copy(door.storage.path, tmp_path / "kept.db"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_answers_in_words_until_its_database_is_back(door, kept, fault):
    fault(door.storage.path)
    left = door.storage.path.read_bytes() if door.storage.path.exists() else None
    for _ in range(2):
        assert door.send(door.body()) == (503, "busy")
        page = door.get()
        assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert (door.storage.path.read_bytes() if door.storage.path.exists() else None) == left
    kept.replace(door.storage.path)
    assert door.send(door.body(receipt="cd" * 16)) == (200, "stored")
    assert set(door.rows()) == {"ab" * 16, "cd" * 16}


@pytest.mark.parametrize("fault", [removed, emptied, replaced_by_a_text])
def test_staff_are_told_to_come_back_later(browse, storage, fault):
    admin = browse("admin")
    fault(storage.path)
    page = admin.get("/admin")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert say("en", "error.503.text") in unescape(page.text)


@pytest.mark.parametrize("fault", [removed, replaced_by_an_empty_file])
def test_nothing_is_acknowledged_that_went_into_a_file_which_was_removed_meanwhile(door, kept, fault):
    def meanwhile(db):
        fault(door.storage.path)
        return surveys.create_draft(db, {"slug": "lost"})

    with pytest.raises(Unavailable):
        door.storage.write(meanwhile)
    with pytest.raises(Unavailable):
        door.storage.write(lambda db: None)


@pytest.mark.parametrize(
    ("fault", "told"),
    [(removed, "there is no such file"), (replaced_by_an_empty_file, "the file was replaced by another")],
)
def test_a_transaction_that_was_committed_into_a_removed_file_is_not_acknowledged(door, fault, told):
    def last(db):
        surveys.create_draft(db, {"slug": "lost"})
        fault(door.storage.path)

    with pytest.raises(Unavailable, match=told):
        door.storage.write(last)


def closed(db):
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        db.execute("SELECT 1")
    return True


def test_connections_to_a_file_that_was_replaced_are_closed_and_all_are_at_the_end(door, kept):
    def use():
        door.storage.read(surveys.all_surveys)
        door.storage.write_until(door.storage.deadline(), surveys.all_surveys)
        return [db for db, _ in (*door.storage.idle, *door.storage.idle_for_batches)]

    before = use()
    kept.replace(door.storage.path)
    after = use()
    assert all(map(closed, before))
    door.storage.close()
    assert all(map(closed, after))


def test_a_connection_that_cannot_be_used_is_closed(door, monkeypatch):
    opened, set_journal = [], connection.set_journal
    monkeypatch.setattr(connection, "set_journal", lambda db: opened.append(db) or set_journal(db))
    door.storage.close()
    object.__setattr__(door.storage, "busy_seconds", 0.1)
    changed_by_a_later_version(door.storage.path)
    with pytest.raises(Unavailable, match="a later version"):
        door.storage.read(surveys.all_surveys)
    with closing(sqlite3.connect(door.storage.path)) as program:
        program.execute("PRAGMA journal_mode=WAL")
        program.execute("SELECT * FROM versions").fetchall()
        with pytest.raises(Unavailable, match="write-ahead log"):
            door.storage.migrate()
    assert len(opened) == 2
    assert all(map(closed, opened))


def test_a_worker_that_starts_anew_puts_no_empty_database_where_one_has_vanished(tmp_path):
    config = Config(database=tmp_path / "gone.db", secret_key="k" * 32)
    client = create_app(config, create=False).test_client()
    assert client.get("/s/exams").status_code == 503
    assert not config.database.exists()


@pytest.fixture(params=["disk/a.db", "link.db"])
def place(request, tmp_path):
    """Where no database is yet: a path to `disk/a.db`, or a link that names it."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "disk" / "a.db")
    return tmp_path / request.param


def test_only_its_owner_can_open_a_database_and_its_journal(place, tmp_path):
    before = os.umask(0o022)
    try:
        SQLiteStorage(place).create()
    finally:
        os.umask(before)
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "disk").iterdir()} == {
        "a.db": 0o600,
        "a.db-journal": 0o600,
    }


def test_a_file_that_is_there_keeps_its_mode(tmp_path):
    path = tmp_path / "a.db"
    path.touch(mode=0o660)
    path.chmod(0o660)
    SQLiteStorage(path).create()
    assert stat.S_IMODE(path.stat().st_mode) == 0o660


def test_a_path_may_hold_any_characters(tmp_path):
    for name in ("a b.db", "50%.db", "%41.db", "what?mode=memory.db", "#1&mode=ro.db", "설문.db", "'\".db"):
        storage = SQLiteStorage(tmp_path / name)
        storage.create()
        storage.write(surveys.create_draft, {"slug": "here"})
        storage.close()
        with closing(connect(tmp_path / name)) as db:
            assert surveys.by_slug(db, "here")
    assert len(list(tmp_path.glob("*.db"))) == 7


COMMANDS = [
    ["user", "list"],
    ["user", "add", "ada", "--password-stdin"],
    ["user", "password", "ada", "--password-stdin"],
    ["user", "remove", "ada"],
    ["survey", "export", "exams"],
    ["survey", "import", "exams.toml"],
    ["database", "migrate"],
]


@pytest.fixture
def here(tmp_path, monkeypatch, survey_file):
    """A folder with a database and a survey file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CANDOR_DATABASE", raising=False)
    (tmp_path / "exams.toml").write_text(from_dict(survey_file(), "here").as_toml(), encoding="utf-8")
    SQLiteStorage(tmp_path / "candor.db").create()
    return tmp_path / "candor.db"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_command_says_in_one_sentence_what_is_wrong_and_makes_no_database(here, fault, command):
    fault(here)
    left = here.read_bytes() if here.exists() else None
    ended = CliRunner().invoke(main, command, input="a long enough password")
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr == f"Error: the database candor.db cannot be used: {FAULTS[fault]}\n"
    assert (here.read_bytes() if here.exists() else None) == left


@pytest.mark.parametrize("command", [one for one in COMMANDS if one[1] in ("add", "import")], ids=" ".join)
def test_a_command_on_a_read_only_disk_says_so(here, command, monkeypatch):
    def protected(*arguments, **options):
        db = connect(*arguments, **options)
        db.execute("PRAGMA query_only=ON")  # a superuser, who may run this, writes to read-only files too
        return db

    monkeypatch.setattr("server.store.sqlite.storage.connect", protected)
    ended = CliRunner().invoke(main, command, input="a long enough password")
    assert ended.exit_code == 1
    assert ended.stderr == (
        "Error: the database candor.db cannot be used: attempt to write a readonly database\n"
    )


def test_a_server_that_starts_where_nothing_can_be_stored_says_so(tmp_path, capsys):
    """As on a full disk, or in a folder in which there can be no journal."""
    config = Config(
        database=tmp_path / "candor.db", admin_name="ada", admin_password="a long enough password"
    )
    serve.prepare(config)
    assert capsys.readouterr().err == ""
    with limited(os.getpid(), 0):
        serve.prepare(config)
    (warning,) = capsys.readouterr().err.splitlines()
    assert warning.startswith(f"Warning: {config.database} can be read, and nothing can be stored in it: ")


@pytest.mark.parametrize("was_there", [False, True])
def test_a_first_start_that_fails_leaves_an_empty_file_only_where_one_was(place, was_there):
    config = Config(database=place, admin_name="ada", admin_password="a long enough password")
    if was_there:
        place.touch()
    with limited(os.getpid(), 0), pytest.raises(click.ClickException, match=r"\.db cannot be used"):
        serve.prepare(config)
    assert place.exists() == was_there


def test_a_first_start_that_fails_leaves_another_what_it_is_making(tmp_path, monkeypatch):
    """Of two that start at once: nothing is in the file yet when the first gives up."""
    path = tmp_path / "candor.db"
    others = []

    def outrun(_db, *, create):
        db = connect(path)
        db.conn.execute("BEGIN IMMEDIATE")
        db.conn.execute("CREATE TABLE theirs (one)")
        others.append(db)
        raise Unavailable("database is locked")

    monkeypatch.setattr("server.store.sqlite.storage.migrate", outrun)
    with pytest.raises(Unavailable, match="database is locked"):
        SQLiteStorage(path).create()
    with closing(others[0]) as db:
        assert path.stat().st_size == 0
        db.conn.execute("COMMIT")
    with closing(connect(path)) as db:
        assert db.table_names() == ["theirs"]


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_a_first_start_leaves_the_journal_of_an_earlier_file_as_it_is(place, tmp_path, ending):
    """Whoever has moved the file alone after a kill still needs it; SQLite would empty it."""
    journal = tmp_path / "disk" / f"a.db{ending}"
    journal.write_bytes(b"pages of the earlier file")
    with pytest.raises(Unavailable, match=rf"a\.db{ending} beside it is of an earlier file"):
        SQLiteStorage(place).create()
    assert journal.read_bytes() == b"pages of the earlier file"
    assert not place.exists()


def test_a_place_that_cannot_be_looked_at_is_named(tmp_path):
    storage = SQLiteStorage(tmp_path / ("x" * 300))
    with pytest.raises(Unavailable, match="unable to open database file"):
        storage.create()
    with pytest.raises(Unavailable, match="File name too long"):
        storage.check()


@pytest.mark.parametrize("use", ["migrate", "check", "condition", "deviations"])
def test_whoever_uses_a_file_that_is_not_there_is_told_what_makes_it(tmp_path, use):
    with pytest.raises(Unavailable, match="there is no such file; candor serve makes it when it starts"):
        getattr(SQLiteStorage(tmp_path / "candor.db"), use)()
    assert not (tmp_path / "candor.db").exists()


def test_a_file_of_which_somebody_has_dropped_every_table_is_none_of_candors(door):
    """Its own number is still that of this version."""
    assert door.storage.read(surveys.all_surveys)
    with closing(sqlite3.connect(door.storage.path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema=ON")
        db.execute("DELETE FROM sqlite_master")
        db.execute("PRAGMA schema_version=1000000")
    refused = "it is not a database that candor serve made"
    with pytest.raises(Unavailable, match=refused):
        door.storage.read(surveys.all_surveys)  # on a connection that was open before
    with pytest.raises(Unavailable, match=refused):
        SQLiteStorage(door.storage.path).read(lambda db: None)


@pytest.mark.parametrize("fault", FAULTS)
def test_serve_makes_a_database_only_where_there_is_none(here, fault, monkeypatch):
    monkeypatch.setenv("CANDOR_ADMIN_NAME", "ada")
    monkeypatch.setenv("CANDOR_ADMIN_PASSWORD", "a long enough password")
    fault(here)
    if fault in (removed, replaced_by_an_empty_file, emptied):
        assert len(serve.prepare(from_environment()).secret_key) == 64
        assert CliRunner().invoke(main, ["user", "list"]).output == "admin       ada\n"
    else:
        left = here.read_bytes()
        with pytest.raises(click.ClickException) as refused:
            serve.prepare(from_environment())
        assert refused.value.message == f"the database candor.db cannot be used: {FAULTS[fault]}"
        assert here.read_bytes() == left
