"""A PostgreSQL database: what every connection sets, what passes, and what is refused in one sentence."""

import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cluster
import psycopg
import pytest
from click import ClickException
from click.testing import CliRunner
from on_postgresql import PostgreSQL

from server.cli import main
from server.cli.serve import prepare
from server.cli.user import user
from server.config import Config
from server.database import PostgreSQLURL
from server.store import surveys
from server.store.engine import Unavailable
from server.store.postgresql import connection, migrations
from server.store.postgresql.storage import BUSY_SECONDS
from server.store.sqlite.storage import SQLiteStorage
from server.store.storage import storage_at
from server.store.upkeep import settings
from server.store.upkeep.versions import FIRST


@pytest.fixture
def server():
    """Give the storage of a server on a database, a patient one; all are closed in the end."""
    opened = []

    def server(url):
        opened.append(storage_at(url))
        object.__setattr__(opened[-1], "busy_seconds", 30.0)  # a busy machine is no fault
        return opened[-1]

    yield server
    for storage in opened:
        storage.close()


@pytest.fixture
def storage(postgresql, server):
    return server(postgresql)


@pytest.fixture
def empty(postgresql_database):
    """A database in which nothing was ever made."""
    return cluster.new_database()


def setting(db, name):
    return db.execute("SELECT current_setting(?)", [name]).fetchone()[0]


def execute(url, sql):
    with psycopg.connect(url.text, autocommit=True) as connection:
        connection.execute(sql)


def test_every_connection_commits_durably_bounds_its_waits_and_bears_our_name(storage):
    object.__setattr__(storage, "busy_seconds", BUSY_SECONDS)
    names = ("synchronous_commit", "idle_in_transaction_session_timeout", "application_name", "search_path")
    for transaction in (storage.read, storage.write):
        assert [transaction(setting, name) for name in names] == ["on", "1min", "candor", "candor, pg_temp"]
        for timeout in ("statement_timeout", "lock_timeout"):
            ((milliseconds,),) = transaction(
                lambda db, timeout=timeout: db.execute(
                    "SELECT setting::integer FROM pg_settings WHERE name = ?", [timeout]
                ).fetchall()
            )
            assert 0 < milliseconds <= 1000 * BUSY_SECONDS


def test_without_its_driver_a_url_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "server.store.postgresql.storage", None)
    assert refused("postgresql://ada@host/db").endswith(
        "cannot be used: psycopg is missing: install candor-survey[postgresql]"
    )


def test_a_reading_sees_one_state_of_the_database(storage, server):
    def twice(db):
        before = surveys.all_surveys(db)
        server(storage.url).write(surveys.create_draft, {"slug": "meanwhile"})
        return before, surveys.all_surveys(db)

    assert storage.read(twice) == ([], [])


def test_what_staff_change_is_done_one_after_the_other_on_all_servers(storage, server):
    """Each looks first and writes then: without the lock both would find the name free."""
    barrier, servers = threading.Barrier(2), [storage, server(storage.url)]

    def create(one):
        barrier.wait()
        try:
            return one.write(surveys.create_draft, {"slug": "exams"}).slug
        except surveys.SlugTaken:
            return "taken"

    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            made = list(pool.map(create, servers))
            assert sorted(made) == ["exams", "taken"]
            storage.write(surveys.delete_survey, storage.read(surveys.by_slug, "exams").id)


def test_a_lock_that_is_held_too_long_is_a_database_that_is_away_now(storage):
    object.__setattr__(storage, "busy_seconds", 0.2)
    with psycopg.connect(storage.url.text) as other:
        other.execute("LOCK TABLE candor.settings")
        with pytest.raises(Unavailable, match="timeout"):
            storage.write(settings.secret_key)
    object.__setattr__(storage, "busy_seconds", 30.0)
    assert storage.write(settings.secret_key)


def test_after_a_transaction_that_was_stopped_for_long_the_database_is_away(storage, monkeypatch):
    monkeypatch.setattr(connection, "IDLE_SECONDS", 1)

    def stopped(db):
        time.sleep(1.5)
        db.execute("SELECT 1")

    with pytest.raises(Unavailable, match="idle"):
        storage.read(stopped)


def test_a_server_that_says_nothing_is_waited_for_no_longer_than_the_deadline(storage):
    object.__setattr__(storage, "busy_seconds", 0.1)

    def sleep(db):
        db.execute("SET LOCAL statement_timeout = 0")  # as if the server could not end it by itself
        db.execute("SELECT pg_sleep(60)")

    start = time.monotonic()
    with pytest.raises(Unavailable):
        storage.read(sleep)
    assert time.monotonic() - start < 45


def test_whoever_has_waited_long_enough_waits_for_no_new_connection(storage, monkeypatch):
    storage.close()
    monkeypatch.setattr("server.store.postgresql.storage.connect", lambda *_: pytest.fail("it connects"))
    with pytest.raises(Unavailable, match="in time"):
        storage.write_until(time.monotonic() - 0.01, surveys.all_surveys)


def test_connections_that_the_server_ended_are_replaced(storage):
    storage.read(surveys.all_surveys)
    (held,) = storage.idle
    with psycopg.connect(storage.url.text, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [held.info.backend_pid])  # waits for its end
    assert storage.read(surveys.all_surveys) == []
    assert storage.idle != [held]


def test_what_is_refused_is_undone_and_its_connection_serves_on(storage):
    def refuse(db):
        surveys.create_draft(db, {"slug": "exams"})
        surveys.create_draft(db, {"slug": "exams"})

    storage.read(surveys.all_surveys)
    held = storage.idle.copy()
    with pytest.raises(surveys.SlugTaken):
        storage.write(refuse)
    assert storage.idle == held
    assert storage.read(surveys.all_surveys) == []


def test_a_connection_that_is_lost_within_a_transaction_stores_nothing_and_is_not_used_again(storage):
    def lose(db):
        surveys.create_draft(db, {"slug": "lost"})
        db.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(Unavailable):
        storage.write(lose)
    assert storage.idle == []
    assert storage.read(surveys.all_surveys) == []


def test_a_commit_with_a_warning_about_replication_is_not_acknowledged(empty, server):
    """Where waiting for a standby is cut short, PostgreSQL commits, warns, and reports success."""
    storage = server(empty)
    storage.create()
    execute(
        empty,
        """
        CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE WARNING 'canceling wait for synchronous replication'; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON candor.settings DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION warn()
        """,
    )
    with pytest.raises(Unavailable, match="canceling wait for synchronous replication"):
        storage.write(settings.secret_key)
    assert storage.idle == []


def test_two_servers_that_start_at_once_make_the_tables_once(empty, server):
    with ThreadPoolExecutor(4) as pool:
        for started in [pool.submit(server(empty).create) for _ in range(4)]:
            started.result()
    assert server(empty).read(migrations.recorded) == {FIRST: True}


def refused(url):
    """Run a command on a database and return the sentence with which it fails."""
    result = CliRunner().invoke(user, ["list", "--database", url])
    assert result.exit_code == 1
    (sentence,) = result.output.splitlines()
    return sentence


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://", "or postgresql://user@host/database, got another URL"),
        ("postgresql://ada:secret@host", "got another URL"),
        ("postgresql://ada:secret@host/db?sslmod=require", "read: it has an option that is not libpq's"),
        ("mysql://ada:secret@host/db", "or postgresql://user@host/database, got another URL"),
        (
            "postgresql://ada:secret%zz@host/db",
            "its URL cannot be read: invalid percent-encoded token",
        ),
        (
            "postgresql://ada:secret@host/d%00b",
            "its URL cannot be read: forbidden value %00 in percent-encoded value",
        ),
        (
            "postgresql://ada:secret@[::1/db",
            'looking for matching "]" in IPv6 host address in URI',
        ),
        (
            "postgresql://ada:secret@host/d\udce9",
            "its URL cannot be read: it is not UTF-8",
        ),
        (
            "postgresql://ada:secret@127.0.0.1:1/db?connect_timeout=abc",
            "its URL cannot be used: bad value for connect_timeout: 'abc'",
        ),
        ("postgresql://ada:secret@127.0.0.1:1/db", "connection refused"),
        ("postgresql://ada:secret@/db?host=/no/such/folder", "No such file or directory"),
        ("postgresql://ada:secret@127.0.0.1:1,127.0.0.1:2/db", "connection refused"),
    ],
)
def test_a_url_that_is_wrong_or_leads_nowhere_is_named_without_its_password(url, sentence):
    said = refused(url)
    assert sentence.lower() in said.lower()
    assert "secret" not in said


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_keep_every_text_is_refused_and_nothing_is_made(encoding, empty, tmp_path):
    execute(empty, f"CREATE DATABASE {encoding}_db ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    url = cluster.url(f"{encoding}_db".lower()).text
    told = f"its encoding must be UTF8, got {encoding}: make one with that encoding"
    SQLiteStorage(tmp_path / "here.db").create()
    for command in (
        ("database", "migrate", "--database", url),
        ("doctor", "--database", url),
        ("move", str(tmp_path / "here.db"), url),
    ):
        ended = CliRunner().invoke(main, command)
        assert (ended.exit_code, told in ended.output) == (1, True)
        assert not isinstance(ended.exception, psycopg.Error)
    with pytest.raises(ClickException, match=told):  # what candor serve begins with
        prepare(Config(database=PostgreSQLURL(url)))
    with psycopg.connect(url) as db:
        found = db.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'candor'").fetchone()
    assert found == (0,)


def test_another_database_is_refused_and_nothing_is_done_to_it(empty, server):
    assert refused(empty.text).endswith("cannot be used: it is not a database that candor serve made")
    execute(empty, "CREATE TABLE blog (id integer)")
    with pytest.raises(Unavailable, match=r"it holds another application's table public\.blog"):
        server(empty).create()
    execute(empty, "DROP TABLE blog; CREATE SCHEMA candor; CREATE TABLE candor.songs (id integer)")
    with pytest.raises(Unavailable, match=r"it holds another application's table candor\.songs"):
        server(empty).create()
    with psycopg.connect(empty.text) as connection:
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'candor'"
        ).fetchone() == (1,)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ("CREATE SCHEMA candor", "it has a schema candor that candor serve did not make: drop it first"),
        ("CREATE SCHEMA candor_closed", "it has a schema candor_closed that candor serve did not make"),
        (
            "CREATE SCHEMA candor; CREATE TABLE candor.versions (version integer)",
            "it holds another application's table candor.versions",
        ),
        (
            "CREATE SCHEMA candor; CREATE TABLE candor.versions (name text, stops text)",
            "it holds another application's table candor.versions",
        ),
    ],
)
def test_what_has_our_names_and_is_not_ours_is_refused(empty, server, made, sentence):
    execute(empty, made)
    with pytest.raises(Unavailable, match=sentence):
        server(empty).create()
    assert refused(empty.text)


def test_a_user_without_rights_is_refused_before_anything_is_made(empty, server):
    with cluster.opened() as owner:
        owner.execute("DROP ROLE IF EXISTS stranger")
        owner.execute("CREATE ROLE stranger LOGIN")
    stranger = PostgreSQLURL(empty.text.replace("owner@", "stranger@"))
    with pytest.raises(Unavailable, match="permission denied for database"):
        server(stranger).create()
    assert refused(cluster.url("no_such_database").text).endswith(
        'database "no_such_database" does not exist'
    )
    assert refused(cluster.url("postgres", "nobody_i_know").text).endswith(
        'role "nobody_i_know" does not exist'
    )


def test_a_server_that_is_too_old_is_refused(storage, monkeypatch):
    monkeypatch.setattr(connection, "OLDEST", 990000)
    with pytest.raises(Unavailable, match=r"it must be PostgreSQL 99 or later, got \d\d$"):
        storage.read(surveys.all_surveys)


def test_a_server_that_takes_no_writes_is_passed_over(empty, server):
    server(empty).create()
    name = empty.text.split("/")[3].split("?")[0]
    with cluster.opened() as owner:
        owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(Unavailable, match="session is read-only"):
        server(empty).read(surveys.all_surveys)


def test_of_several_hosts_the_first_that_answers_is_taken(storage, server):
    folder = storage.url.text.split("host=")[1]
    several = PostgreSQLURL(storage.url.text.replace(folder, f"/no/such/folder,{folder}"))
    assert server(several).read(surveys.all_surveys) == []


def test_a_database_that_was_emptied_while_it_served_is_named_as_such(empty, server):
    storage = server(empty)
    storage.create()
    storage.read(surveys.all_surveys)
    execute(empty, "DROP SCHEMA candor CASCADE")
    for use in (storage.read, storage.write):
        with pytest.raises(Unavailable, match="not a database that candor serve made"):
            use(surveys.all_surveys)


def test_a_server_that_can_lose_what_it_committed_is_warned_about(storage, capsys):
    assert storage.warnings() == []
    with tempfile.TemporaryDirectory() as folder, PostgreSQL(Path(folder), "fsync=off") as unsafe:
        url = PostgreSQLURL(unsafe.address)
        prepare(Config(database=url, admin_name="ada", admin_password="a long enough password"))
    warning = "Warning: fsync is off: what was acknowledged can be lost when the power fails.\n"
    assert capsys.readouterr().err == warning
