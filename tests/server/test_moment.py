"""A copy of an SQLite file: it shows one moment, and nobody waits for what is done with it."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store.engine import Unavailable
from server.store.sqlite import storage as sqlite_storage
from server.store.sqlite.connection import connect, errors_translated
from server.store.sqlite.copy_pages import page_copy
from server.store.storage import storage_at
from server.store.upkeep import backup


def candor(*arguments):
    ended = CliRunner().invoke(main, list(map(str, arguments)))
    return ended.exit_code, ended.stderr


class Writer:
    """Another process that writes to a file and waits for nobody."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, timeout=0, isolation_level=None)
        self.written = 0

    def write(self):
        self.db.execute("INSERT INTO settings (name, value) VALUES (?, '')", [f"written {self.written}"])
        self.written += 1


@pytest.fixture
def writer(app, storage):
    writer = Writer(storage.path)
    yield writer
    writer.db.close()


@pytest.fixture
def at_work(writer, monkeypatch):
    """Let the writer write while something is done with a copy; SQLite stops there if it cannot."""

    def write():
        if writer.written < 5:
            writer.write()

    @contextmanager
    def watched(db, folder):
        with page_copy(db, folder) as copy:
            copy.conn.set_progress_handler(write, 10)  # after every ten steps
            yield copy

    monkeypatch.setattr(backup, "page_copy", watched)
    monkeypatch.setattr(sqlite_storage, "page_copy", watched)
    return writer


def settings(database):
    with closing(storage_at(database)) as opened:
        return [
            name
            for (name,) in opened.read(lambda db: db.execute("SELECT name FROM settings").fetchall())
            if name.startswith("written")
        ]


def test_others_write_while_a_backup_is_written_which_shows_the_moment_before(at_work, storage, tmp_path):
    at_work.write()
    assert candor("backup", tmp_path / "backup.zip", "--database", storage.path) == (0, "")
    assert at_work.written == 5
    assert candor("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db") == (0, "")
    assert settings(tmp_path / "new.db") == ["written 0"]


def test_others_write_while_a_file_is_looked_over_for_damage(at_work, storage):
    assert storage.condition().damage == []
    assert at_work.written == 5


def test_nothing_is_locked_once_it_is_copied(writer, storage):
    with closing(connect(storage.path)) as db, page_copy(db, storage.path.parent) as copy:
        writer.write()
        assert not copy.conn.execute("SELECT 1 FROM settings WHERE name LIKE 'written%'").fetchall()


@pytest.mark.parametrize("size", [512, 4096, 65536])
def test_every_page_is_copied_whatever_its_size(tmp_path, size):
    with closing(sqlite3.connect(tmp_path / "some.db")) as made:
        made.execute(f"PRAGMA page_size={size}")
        made.execute("CREATE TABLE some (value BLOB)")
        made.execute("INSERT INTO some VALUES (randomblob(100000))")
        made.commit()
    with closing(connect(tmp_path / "some.db")) as db, page_copy(db, tmp_path) as copy:
        held, written = copy.conn.serialize(), (tmp_path / "some.db").read_bytes()
    changes = slice(24, 28), slice(92, 96)  # how often a file was written to: sqlite.org/fileformat2.html
    for place in changes:
        held, written = (each[: place.start] + bytes(4) + each[place.stop :] for each in (held, written))
    assert held == written


def test_whoever_writes_for_too_long_is_waited_for_no_longer(writer, storage):
    with closing(connect(storage.path, 0.0)) as db:
        writer.db.execute("BEGIN EXCLUSIVE")
        with (
            pytest.raises(Unavailable, match="locked"),
            errors_translated(),
            page_copy(db, storage.path.parent),
        ):
            pass


def test_the_copy_has_no_name_and_is_gone_at_the_end(writer, storage, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    with closing(connect(storage.path)) as db, page_copy(db, folder) as copy:
        assert copy.conn.execute("SELECT count(*) FROM surveys").fetchone() == (0,)
        assert list(folder.iterdir()) == []
        (held,) = (each for each in Path("/proc/self/fd").iterdir() if str(folder) in os.path.realpath(each))
        assert stat.S_IMODE(held.stat().st_mode) == 0o600
        copy.conn.execute("BEGIN IMMEDIATE")
        copy.conn.execute("DELETE FROM settings")
        assert list(folder.iterdir()) == [], "what is removed from it stands in no journal"
        copy.conn.execute("COMMIT")
    assert list(folder.iterdir()) == []


def test_where_nothing_can_be_written_the_folder_is_named(storage, tmp_path, app):
    with (
        closing(connect(storage.path)) as db,
        pytest.raises(Unavailable, match=r"it cannot be copied to .*none: No such file or directory"),
        page_copy(db, tmp_path / "none"),
    ):
        pass


def test_a_large_file_takes_a_process_little_memory(writer, storage, tmp_path):
    """In a process of its own: SQLite lets nobody lift the limit again."""
    writer.db.execute("CREATE TABLE large (part)")
    writer.db.execute(
        "INSERT INTO large WITH RECURSIVE part (number) AS "
        "(SELECT 1 UNION ALL SELECT number + 1 FROM part LIMIT 5000) SELECT randomblob(4000) FROM part"
    )
    limited = (
        "import sqlite3; sqlite3.connect(':memory:').execute('PRAGMA hard_heap_limit=15000000');"
        "from server.cli import main; main()"
    )
    for command in (["backup", tmp_path / "backup.zip"], ["doctor"]):
        run = [sys.executable, "-c", limited, *map(str, command), "--database", str(storage.path)]
        ended = subprocess.run(run, capture_output=True, text=True)
        assert "out of memory" not in ended.stdout + ended.stderr
    assert (tmp_path / "backup.zip").stat().st_size > 20_000_000
