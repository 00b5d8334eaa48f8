"""A program that gives the file a write-ahead log: nothing is stored or read until it has closed the file."""

import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import surveys
from server.store.engine import Unavailable
from server.store.sqlite.storage import SQLiteStorage

REFUSED = "another program has given it a write-ahead log"


@pytest.fixture
def used(door):
    """The door of a survey with a report, whose connections are still open."""
    object.__setattr__(door.storage, "busy_seconds", 0.1)
    assert door.send(door.body()) == (200, "stored")
    assert door.storage.idle_for_batches
    return door


@pytest.fixture
def program(used):
    """A program that has set the file's journal to a write-ahead log, and keeps the file open."""
    with closing(sqlite3.connect(used.storage.path)) as other:
        assert other.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
        assert other.execute("SELECT count(*) FROM surveys").fetchone() == (1,)
        yield other


@pytest.mark.parametrize("way", ["read", "write", "write_here"])
def test_connections_that_are_open_and_new_ones_refuse_it(used, program, way):
    for storage in (used.storage, used.storage, SQLiteStorage(used.storage.path, busy_seconds=0.1)):
        with pytest.raises(Unavailable, match=REFUSED):
            getattr(storage, way)(surveys.all_surveys)


@pytest.mark.parametrize("command", [("doctor",), ("verify",), ("database", "migrate")])
def test_a_command_says_so(used, program, command):
    ended = CliRunner().invoke(main, [*command, "--database", str(used.storage.path)])
    assert ended.exit_code == 1
    assert REFUSED in ended.output


def test_respondents_come_back_once_the_program_has_closed_the_file_and_the_log_is_gone(used, program):
    assert used.send(used.body()) == (503, "busy")
    assert used.send(used.body()) == (503, "busy")
    program.close()
    assert used.send(used.body()) == (200, "stored")
    with closing(sqlite3.connect(used.storage.path)) as found:
        assert found.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # what a file without a log has
    assert len(used.rows()) == 2
    assert not used.storage.path.with_name(used.storage.path.name + "-wal").exists()
