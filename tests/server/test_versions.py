"""A database of another version of Candor: brought up to date, shared with a later version, or refused."""

import hashlib
import json
import sqlite3
import tomllib
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import click
import cluster
import pytest
import sqlite_utils

from server import create_app
from server.cli.checks.database import database as look_over
from server.cli.serve import prepare
from server.config import Config
from server.store import surveys
from server.store.engine import Unavailable
from server.store.storage import storage_at
from server.store.upkeep import backup, backup_file, versions
from server.store.upkeep.versions import FIRST, Step
from survey.publication import canonical_json, publish
from survey.read_definition import from_dict

ADDS = "CREATE TABLE languages (code TEXT PRIMARY KEY);"
RENAMES = "ALTER TABLE days RENAME COLUMN sent TO received;"
FAILS = f"{ADDS}\nCREATE TABLE surveys (id INTEGER);"


@pytest.fixture
def database(engine, request, tmp_path):
    """A database of the test's own: what is done to its tables stays."""
    if engine == "postgresql":
        request.getfixturevalue("postgresql_database")  # skips where there is none
        place = cluster.new_database()
    else:
        place = tmp_path / "candor.db"
    with closing(storage_at(place)) as storage:
        storage.create()
    return place


@pytest.fixture
def tomorrow(monkeypatch):
    """Let a block run as a made-up next version, which takes one more step."""
    script = versions.script

    @contextmanager
    def tomorrow(sql, *, stops):
        with monkeypatch.context() as patch:
            patch.setattr(versions, "STEPS", (*versions.STEPS, Step("next", stops)))
            patch.setattr(
                versions, "script", lambda engine, name: sql if name == "next" else script(engine, name)
            )
            yield

    return tomorrow


def bring_up_to_date(database):
    """Start as a server does; return how many reports are there afterwards."""
    with closing(storage_at(database)) as storage:
        with pytest.raises(Unavailable, match="candor serve brings it up to date when it starts"):
            storage.check()
        assert storage.condition().steps == ["next"]
        storage.create()
        storage.check()
        return storage.read(lambda db: sum(db.execute("SELECT sent FROM days").fetchone()))


@pytest.mark.engines
def test_a_database_moves_to_the_next_version_while_servers_of_this_one_go_on(
    door, database, tomorrow, clock
):
    assert door.send(door.body()) == (200, "stored")
    with tomorrow(ADDS, stops=False):
        assert bring_up_to_date(database) == 1
    assert door.send(door.body()) == (200, "stored")
    assert door.client.get("/readyz").status_code == 200
    create_app(Config(database=database), clock).extensions["candor"].storage.close()
    assert door.storage.read(lambda db: db.execute("SELECT count(*) FROM languages").fetchone()[0]) == 0
    assert len(door.rows()) == 2


def test_a_backup_is_brought_up_to_date_when_it_is_made_and_when_it_is_restored(door, tomorrow, tmp_path):
    held = lambda file: "languages" in sqlite_utils.Database(file).table_names()  # noqa: E731
    source, here, later = door.services.config.database, tmp_path / "here.zip", tmp_path / "later.zip"
    backup.back_up(source, here)
    with tomorrow(ADDS, stops=True):
        backup.back_up(source, later)
        backup_file.extract(later, tmp_path / "inside.db")
        backup.restore(here, tmp_path / "restored.db")
    assert [held(file) for file in (source, tmp_path / "inside.db", tmp_path / "restored.db")] == [
        False,
        True,
        True,
    ]


@pytest.mark.engines
def test_servers_of_this_version_stop_once_the_next_has_changed_what_they_use(
    door, database, tomorrow, clock
):
    with tomorrow(RENAMES, stops=True), closing(storage_at(database)) as storage:
        storage.create()
    assert door.send(door.body()) == (503, "busy")
    assert door.client.get("/readyz").status_code == 503
    later = rf"a later version of Candor has changed it: its tables have version {FIRST + 1}"
    with pytest.raises(Unavailable, match=later):
        create_app(Config(database=database), clock)


@pytest.mark.engines
def test_a_step_that_fails_is_undone_as_a_whole(database, tomorrow):
    with closing(storage_at(database)) as storage:
        with tomorrow(FAILS, stops=True), pytest.raises(Exception, match="surveys"):
            storage.migrate()
        storage.check()
        with pytest.raises(Exception, match="languages"):
            storage.read(lambda db: db.execute("SELECT * FROM languages"))


OLDER = {
    "by its number": {"both": ["UPDATE versions SET number = 13"]},
    "by what held its version before": {
        "sqlite": ["DROP TABLE versions", "PRAGMA user_version=13"],
        "postgresql": [
            "DROP TABLE versions",
            "CREATE TABLE migrations (name text, stops boolean)",
            "INSERT INTO migrations SELECT 'step', number < 14 FROM generate_series(1, 20) AS number",
        ],
    },
}


@pytest.mark.engines
@pytest.mark.parametrize("how", OLDER.values(), ids=OLDER)
def test_a_database_of_an_earlier_version_is_refused_with_a_way_on(engine, database, how):
    with closing(storage_at(database)) as storage:
        statements = how.get(engine) or how["both"]
        storage.write(lambda db: [db.execute(statement) for statement in statements])
    for use in ("create", "migrate", "check", "condition"):
        with closing(storage_at(database)) as storage, pytest.raises(Unavailable) as refused:
            getattr(storage, use)()
        assert str(refused.value) == (
            "an earlier version of Candor made it, and this one cannot bring it up to date: its tables have "
            f"version 13, and this one needs {FIRST}; serve it with the version that made it, and download "
            "survey files and results there"
        )


NEWER = {
    "a version of the survey file": lambda table: table | {"candor": 4},
    "a key": lambda table: table | {"colour": "red"},
    "another shape": lambda table: {"candor": table["candor"], "parts": []},
}


@pytest.mark.engines
@pytest.mark.parametrize("change", NEWER.values(), ids=NEWER)
def test_a_survey_that_a_later_version_published_is_told_at_the_start_and_answered_with_503(
    door, survey_file, change
):
    """Its tables are the same, and this version cannot read what stands in them."""
    publication = publish(from_dict(survey_file("later"), "here"))
    later = canonical_json(change(json.loads(publication.json)))
    publication = replace(publication, json=later, fingerprint=hashlib.sha256(later).hexdigest())
    draft = door.storage.write(surveys.create_draft, survey_file("later"))
    door.storage.write(lambda db: db.reports.create(draft.id, publication))
    with pytest.raises(
        click.ClickException, match=r"survey that this version of Candor cannot read \(.+\); "
    ):
        prepare(door.services.config)
    checks = look_over(door.services.config, lambda: door.services.clock().timestamp())
    assert [check.name for check in checks if "cannot read" in check.finding] == ["database"]
    assert door.send(door.body(), "later") == (503, "busy")
    assert door.get("later").status_code == 503
    assert door.send(door.body()) == (200, "stored")


def test_an_sqlite_that_is_too_old_is_told_at_the_start(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(click.ClickException, match=r"SQLite must be 3\.35 or later, got 3"):
        prepare(Config(database=tmp_path / "candor.db"))
    assert not (tmp_path / "candor.db").exists()
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 35, 0))
    with closing(storage_at(tmp_path / "candor.db")) as storage:
        storage.create()


def test_what_the_server_changes_from_within_has_an_upper_bound():
    """`server.cli.serving.worker` overrides what gunicorn does not document."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert {"gunicorn>=27,<28", "gevent>=25.5,<27"} <= set(project["dependencies"])
