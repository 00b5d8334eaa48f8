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
from server.store import readings, showing, submissions, surveys
from server.store.sqlite.counts import read_counts
from server.store.sqlite.file import connect
from server.store.sqlite.plain import quoted
from server.store.sqlite.state import migrate
from server.store.sqlite.storage import SQLiteStorage
from survey.record import layout_of

FILES = sorted((Path(__file__).parent / "databases").glob("*.sql"))


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


def rows_now(path, shape):
    """The same of a database of today, which keeps some of them in another way than the first versions."""
    if "tallies" not in shape:
        with closing(sqlite3.connect(path)) as connection:
            return rows(connection, shape)
    moved = {table: described for table, described in shape.items() if re.match("reports_|tallies", table)}
    with closing(connect(path)) as db:
        found = rows(db.conn, {table: shape[table] for table in shape.keys() - moved.keys()})
        found |= {table: [] for table in moved}
        for survey in surveys.all_surveys(db):
            if survey.publication is None:
                continue
            layout, counts = layout_of(survey.publication), read_counts(db, survey.id)
            assert (counts.key is None) == (survey.state == "closed")
            records = db.reports.records(survey.id, survey.publication)
            found[f"reports_{survey.id}"] = [
                (one, *layout.unpack(record).values()) for one, record in records
            ]
            codes = [(survey.id, name, code) for name, codes in layout.codes for code in range(codes)]
            both = zip(counts.counted.tolist(), counts.published.tolist(), strict=True)
            found["tallies"] += [(*code, *each) for code, each in zip(codes, both, strict=True)]
    return {table: sorted(each, key=repr) for table, each in found.items()}


def expected(file):
    """The database of then as it should be now: its tables, and their rows.

    What waited to be published (`pending`) is gone: it differed from other counts by few people.
    """
    with closing(sqlite3.connect(":memory:")) as then:
        then.executescript(file.read_text(encoding="utf-8"))
        shape = tables(then)
        if "tallies" in shape:
            shape["tallies"] = [column for column in shape["tallies"] if column[0] != "pending"]
        return shape, rows(then, shape)


def test_every_row_is_as_it_was(file, path, upgraded):
    shape, held = expected(file)
    assert sum(map(len, held.values())) >= (40 if "tallies" in shape else 30)  # a bucket holds many reports
    assert rows_now(path, shape) == held
    with closing(sqlite3.connect(path)) as connection:
        now = tables(connection)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    kept = shape.keys() - {"tallies", "reports_1"}  # an open survey's are in buckets
    assert all(set(shape[table]) <= set(now[table]) for table in kept)


def schema(db):
    """Everything but the tables of each survey: name -> SQL."""
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%sqlite_%' AND sql NOTNULL")
    return {name: sql for name, sql in found.fetchall() if not re.match("reports_|buckets_", name)}


def test_tables_and_triggers_are_those_of_a_new_database(path, upgraded, tmp_path):
    SQLiteStorage(tmp_path / "new.db").create()
    with closing(sqlite3.connect(tmp_path / "new.db")) as new, closing(sqlite3.connect(path)) as old:
        assert schema(old) == schema(new)


def of_reports(db, survey_id):
    """The table of a survey's reports and its triggers, without the survey's number: name -> SQL."""
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE name GLOB ?", [f"[rb]*[st]s_{survey_id}*"])
    number = rf"(?<=[st]s_){survey_id}(?=\b|_)|(?<=id = ){survey_id}\b"
    return {re.sub(number, "N", name): re.sub(number, "N", sql) for name, sql in found.fetchall()}


def test_tables_of_reports_are_those_of_a_survey_that_opens_today(upgraded):
    storage = upgraded.extensions["candor"].storage
    published = [survey for survey in storage.read(surveys.all_surveys) if survey.publication]
    assert len(published) == 2
    for survey in published:
        again = survey.publication.definition.as_dict() | {"slug": f"{survey.slug}-again"}
        new = storage.write(surveys.open_survey, storage.write(surveys.create_draft, again).id)
        if survey.state == "closed":
            storage.write(surveys.close_survey, new.id)
            storage.finish()
        assert len(storage.read(of_reports, survey.id)) == 4
        assert storage.read(of_reports, survey.id) == storage.read(of_reports, new.id)


def test_the_counts_of_a_closed_survey_are_a_recount_of_its_reports(upgraded):
    storage = upgraded.extensions["candor"].storage
    closed = storage.read(surveys.by_slug, "finished")
    shown, reports = (
        storage.read(showing.results, closed),
        readings.noisy_reports(storage, closed),
    )
    for place, counts in enumerate(shown.counts.values()):
        assert counts == [(reports[:, place] == code).sum() for code in range(len(counts))]


def test_every_page_of_its_surveys_is_shown(upgraded):
    client = upgraded.test_client()
    for survey in upgraded.extensions["candor"].storage.read(surveys.all_surveys):
        expected = {"open": 200, "closed": 410, "draft": 404}[survey.state]
        assert client.get(f"/s/{survey.slug}").status_code == expected


def test_no_migration_drops_or_renames_a_table_that_others_refer_to(path):
    # What refers to a table that is dropped and made anew would be deleted with it.
    said = []
    with closing(connect(path)) as db:
        before = set(db.table_names())
        named = 'SELECT foreign_key."table" FROM sqlite_master, pragma_foreign_key_list(name) AS foreign_key'
        referred = {table for (table,) in db.execute(named)}
        db.conn.set_trace_callback(said.append)
        migrate(db)
    dropped = set(re.findall(r"DROP\s+TABLE\s+(\w+)", "\n".join(said), re.IGNORECASE))
    assert referred == {"surveys", "accounts"} | ({"tokens"} & before)
    assert dropped == ({"tallies", "reports_1"} if "tallies" in before else set())
    assert not re.search("RENAME", "\n".join(said), re.IGNORECASE)


def test_an_open_survey_takes_what_a_page_loaded_before_sends(upgraded):
    # Such a page knows the definition and the fields of then: it sends codes like those that are stored.
    storage = upgraded.extensions["candor"].storage
    still_open = [survey for survey in storage.read(surveys.all_surveys) if survey.state == "open"]
    assert still_open
    for survey in still_open:
        publication = survey.publication
        codes = storage.read(
            lambda db, one=survey.id, published=publication: db.reports.table(one, published)
        )[0]
        fields = {"fingerprint": survey.publication.fingerprint, "receipt": "f" * 32}
        for (name, column), code in zip(publication.columns.items(), codes, strict=True):
            fields[name] = str(code).zfill(len(str(column.codes - 1)))
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = upgraded.test_client().post(f"/s/{survey.slug}", data=fields, headers=headers)
        assert 'data-outcome="stored"' in answer.text
        kept = storage.read(submissions.stored, survey.id, survey.publication, fields["receipt"])
        assert list(kept.values()) == codes.tolist()
