"""Two versions of Candor on one database, while servers are replaced one at a time."""

import re
from contextlib import closing

import pytest
from sqlite_utils import Migrations

from server import create_app
from server.config import Config
from server.store import versions
from server.store.engine import Unavailable
from server.store.sqlite import state as sqlite
from server.store.sqlite.file import connect
from server.store.sqlite.migrations import migrations
from server.store.sqlite.storage import SQLiteStorage

SAME_PAGE = {"Sec-Fetch-Site": "same-origin"}


def languages_of_tomorrow(db):
    """A made-up migration that adds what only the next version uses."""
    db.execute("CREATE TABLE languages (code TEXT PRIMARY KEY)")


def days_of_tomorrow(db):
    """A made-up migration that renames what this version writes to."""
    db.execute("ALTER TABLE days RENAME COLUMN sent TO received")


@pytest.fixture
def next_version(monkeypatch):
    """Start a server of a made-up next version on a database: this version plus a migration."""

    def start(path, migration, additive):
        later = Migrations("candor")
        later._migrations = [*migrations._migrations, Migrations._Migration(migration.__name__, migration)]
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "migrations", later)
            if additive:
                patch.setattr(versions, "ADDITIVE", versions.ADDITIVE | {migration.__name__})
            sqlite.known.cache_clear()
            storage = SQLiteStorage(path)
            storage.migrate()
            storage.check()
            storage.close()
        sqlite.known.cache_clear()

    return start


def test_a_server_goes_on_when_the_next_version_has_added_something(door, next_version, clock):
    assert door.send(door.body()) == (200, "stored")
    next_version(door.storage.path, languages_of_tomorrow, additive=True)
    assert door.send(door.body()) == (200, "stored")
    again = create_app(Config(database=door.storage.path), clock).test_client()
    answer = again.post("/s/exams", data=door.body(), headers=SAME_PAGE)
    assert re.search(r'data-outcome="(\w+)"', answer.text)[1] == "stored"
    assert again.get("/readyz").status_code == 200
    assert len(door.rows()) == 3


def test_a_server_stops_when_the_next_version_has_changed_what_it_uses(door, next_version, clock):
    assert door.send(door.body()) == (200, "stored")
    next_version(door.storage.path, days_of_tomorrow, additive=False)
    assert door.send(door.body()) == (503, "busy")
    assert door.get().status_code == 503
    assert door.client.get("/readyz").status_code == 503
    assert door.client.get("/healthz").status_code == 200
    with pytest.raises(Unavailable, match=r"a later version of Candor has changed it \(days_of_tomorrow\)"):
        create_app(Config(database=door.storage.path), clock)
    with closing(connect(door.storage.path)) as db:
        assert db.reports.respondents(door.survey.id, door.survey.publication) == 1


def test_a_migration_stops_the_version_before_unless_it_says_otherwise(door, next_version):
    next_version(door.storage.path, languages_of_tomorrow, additive=False)
    assert door.send(door.body()) == (503, "busy")


def test_a_database_of_before_such_numbers_is_brought_up_to_date(door):
    held = door.storage.read(sqlite.held)
    assert held == sqlite.ours() > 0
    door.storage.write_here(lambda db: db.execute("PRAGMA user_version=0"))
    assert door.client.get("/readyz").status_code == 503
    door.storage.migrate()
    assert door.storage.read(sqlite.held) == held
    assert door.client.get("/readyz").status_code == 200


def test_what_is_said_to_be_additive_is_a_migration():
    assert sqlite.known() >= versions.ADDITIVE
