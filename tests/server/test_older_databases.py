"""Databases that older versions left behind: opened today, they hold what they held, and are as new ones are.

Each file in databases/ is what `Connection.iterdump` gave of one; databases/build.py makes them.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server import create_app
from server.config import Config
from server.store import submissions, surveys
from server.store.sqlite.reports import quoted
from server.store.sqlite.storage import SQLiteStorage, connect, migrate
from survey.definition import from_dict
from survey.publication import publish

FILES = sorted((Path(__file__).parent / "databases").glob("*.sql"))
MENDED = {
    "every_kind": "UPDATE tallies SET pending = count "
    "WHERE survey_id IN (SELECT id FROM surveys WHERE state = 'closed')",
}
"""What opening an older database mends in its rows: file -> SQL; every other row stays as it was."""


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def file(request):
    return request.param


@pytest.fixture
def path(tmp_path, file):
    """The database as it was left."""
    path = tmp_path / "candor.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(file.read_text(encoding="utf-8"))
    return path


@pytest.fixture
def upgraded(path, clock):
    """The application of today, on the database of then."""
    return create_app(Config(database=path), clock)


def columns(connection, table):
    """The columns of a table: name, type, NOT NULL, default and place in the key."""
    return [tuple(row[1:]) for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]


def tables(connection):
    """Every table with its columns, without SQLite's own and the list of the migrations, which grows."""
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%sqlite_%'"
    return {table: columns(connection, table) for (table,) in connection.execute(names)}


def rows(connection, shape):
    """Every row of these tables: in these columns, in the order of their keys."""
    found = {}
    for table, described in shape.items():
        names = ", ".join(quoted(name) for name, *_ in described)
        found[table] = sorted(connection.execute(f"SELECT {names} FROM {quoted(table)}"), key=repr)
    return found


def expected(file):
    """The database of then as it should be now: its tables, and their rows with what is mended in them."""
    with closing(sqlite3.connect(":memory:")) as then:
        then.executescript(file.read_text(encoding="utf-8"))
        shape = tables(then)
        for (trigger,) in then.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            then.execute(f"DROP TRIGGER {quoted(trigger)}")
        then.executescript(MENDED.get(file.stem, ""))
        return shape, rows(then, shape)


def test_every_row_is_as_it_was_but_for_what_is_mended(file, path, upgraded):
    shape, held = expected(file)
    assert sum(map(len, held.values())) >= 40
    with closing(sqlite3.connect(path)) as connection:
        now = tables(connection)
        assert rows(connection, shape) == held
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert all(set(described) <= set(now[table]) for table, described in shape.items())


def schema(db):
    """Everything but tables of reports, which each survey shapes for itself: name -> SQL."""
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%sqlite_%' AND sql NOTNULL")
    return {name: sql for name, sql in found.fetchall() if not name.startswith("reports_")}


def test_tables_and_triggers_are_those_of_a_new_database(path, upgraded, tmp_path):
    SQLiteStorage(tmp_path / "new.db").create()
    with closing(sqlite3.connect(tmp_path / "new.db")) as new, closing(sqlite3.connect(path)) as old:
        assert schema(old) == schema(new)


def of_reports(db, survey_id):
    """The table of a survey's reports and its triggers, without the survey's number: name -> SQL."""
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE name GLOB ?", [f"reports_{survey_id}*"])
    number = rf"reports_{survey_id}\b|reports_{survey_id}(?=_)|(?<=id = ){survey_id}\b"
    return {re.sub(number, "N", name): re.sub(number, "N", sql) for name, sql in found.fetchall()}


def test_tables_of_reports_are_those_of_a_survey_that_opens_today(upgraded):
    def check(db):
        published = [survey for survey in surveys.all_surveys(db) if survey.publication]
        assert len(published) == 2
        for survey in published:
            again = survey.publication.definition.as_dict() | {"slug": f"{survey.slug}-again"}
            new = surveys.open_survey(db, surveys.create_draft(db, again).id)
            assert of_reports(db, survey.id) == of_reports(db, new.id)

    upgraded.extensions["candor"].storage.write(check)


def test_publications_would_be_published_today_with_the_same_bytes(upgraded):
    for survey in upgraded.extensions["candor"].storage.read(surveys.all_surveys):
        if survey.publication is not None:
            again = publish(from_dict(survey.publication.definition.as_dict(), "exported"))
            assert again.json == survey.publication.json
            assert again.fingerprint == survey.publication.fingerprint


def test_the_counts_of_a_closed_survey_are_a_recount_of_its_reports(upgraded):
    storage = upgraded.extensions["candor"].storage
    closed = storage.read(surveys.by_slug, "finished")
    shown, reports = (
        storage.read(submissions.results, closed),
        storage.read(submissions.noisy_reports, closed),
    )
    for place, counts in enumerate(shown.counts.values()):
        assert counts == [(reports[:, place] == code).sum() for code in range(len(counts))]


def test_every_page_of_its_surveys_is_shown(upgraded):
    client = upgraded.test_client()
    for survey in upgraded.extensions["candor"].storage.read(surveys.all_surveys):
        expected = {"open": 200, "closed": 410, "draft": 404}[survey.state]
        assert client.get(f"/s/{survey.slug}").status_code == expected


def test_no_migration_drops_or_renames_a_table(path):
    # What refers to a table that is dropped and made anew would be deleted with it.
    said = []
    with closing(connect(path)) as db:
        db.conn.set_trace_callback(said.append)
        migrate(db)
    assert said
    assert not [
        statement for statement in said if re.search(r"DROP\s+TABLE|RENAME", statement, re.IGNORECASE)
    ]


def test_an_open_survey_takes_what_a_page_loaded_before_sends(upgraded):
    # Such a page knows the definition and the fields of then: it sends codes like those that are stored.
    storage = upgraded.extensions["candor"].storage
    still_open = [survey for survey in storage.read(surveys.all_surveys) if survey.state == "open"]
    assert still_open
    for survey in still_open:
        columns = survey.publication.columns
        select = f"SELECT {', '.join(map(quoted, columns))} FROM reports_{survey.id}"
        codes = storage.read(lambda db, select=select: db.execute(select).fetchone())
        fields = {"fingerprint": survey.publication.fingerprint, "receipt": "f" * 32}
        for (name, column), code in zip(columns.items(), codes, strict=True):
            fields[name] = str(code).zfill(len(str(column.codes - 1)))
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = upgraded.test_client().post(f"/s/{survey.slug}", data=fields, headers=headers)
        assert 'data-outcome="stored"' in answer.text
        kept = storage.read(submissions.stored, survey.id, survey.publication, fields["receipt"])
        assert tuple(kept.values()) == codes
