"""A PostgreSQL database: what every connection sets, what passes, and what is refused in one sentence."""

import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import cluster
import psycopg
import pytest
from click import ClickException
from click.testing import CliRunner
from on_postgresql import PostgreSQL
from psycopg.conninfo import conninfo_to_dict

from server.cli import main
from server.cli.serve import prepare
from server.cli.user import user
from server.config import Config
from server.database import PostgreSQLURL
from server.store import surveys
from server.store.engine import Unavailable
from server.store.lifecycle.paced_storage import PacedStorage
from server.store.postgresql import connection, migrations
from server.store.postgresql import storage as storage_module
from server.store.postgresql.storage import (
    BUSY_SECONDS,
    GRACE,
    READ,
    PostgreSQLStorage,
    begin_on,
    forget_arrivals,
    write_anew,
)
from server.store.sqlite.storage import SQLiteStorage
from server.store.storage import storage_at
from server.store.upkeep import settings, versions
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
def survey(storage, survey_file):
    """An open survey."""
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, survey_file()).id)


@pytest.fixture
def empty(postgresql_database):
    """A database in which nothing was ever made."""
    return cluster.new_database()


def setting(db, name):
    return db.execute("SELECT current_setting(?)", [name]).fetchone()[0]


def execute(url, sql):
    with psycopg.connect(url.text, autocommit=True) as connection:
        connection.execute(sql)


def at_commit(url, work):
    """Let a database do something at each commit that has stored a setting."""
    execute(
        url,
        f"""
        CREATE FUNCTION work() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {work}; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON candor.settings DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION work()
        """,
    )


def two_connections(storage):
    """Leave two connections that are not in use."""
    storage.read(lambda db: storage.read(surveys.all_surveys))
    return storage.idle.copy()


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


LONG = {
    "reading all reports": (600, 60, lambda db, survey: db.reports.records(survey.id, survey.publication)),
    "writing a survey anew": (86400, 60, lambda db, survey: write_anew(db, survey.id)),
    "what asks for time": (7200, 60, lambda db, survey: db.patiently(7200)),
    "what also waits for another": (7200, 7200, lambda db, survey: db.patiently(7200, between=True)),
    "what asks for less than there is": (90, 60, lambda db, survey: db.patiently(20)),
}


@pytest.mark.parametrize(("seconds", "idle", "work"), LONG.values(), ids=LONG)
def test_what_takes_long_is_given_time_by_the_server_and_by_us(storage, survey, seconds, idle, work):
    in_seconds = "SELECT extract(epoch FROM current_setting(?)::interval)::integer"

    def limits(db):
        work(db, survey)
        assert seconds - 60 < db.until - time.monotonic() < seconds + 60
        names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        return [db.execute(in_seconds, [name]).fetchone()[0] for name in names]

    assert storage.write_until(time.monotonic() + 90, limits) == [seconds, seconds, idle]


def test_tables_are_brought_up_to_date_within_an_hour(storage, monkeypatch):
    seen = []
    monkeypatch.setattr(
        migrations, "migrate", lambda db, create: seen.append((create, setting(db, "statement_timeout")))
    )
    storage.create()
    storage.migrate()
    assert seen == [(True, "1h"), (False, "1h")]


class Recorded:
    """A connection that keeps what it is told, and answers that the tables are of this version."""

    def execute(self, sql, **_):
        self.told = sql
        return self

    def nextset(self):
        return None

    def fetchone(self):
        return (versions.required(),)


def test_whoever_begins_late_gets_a_millisecond_of_the_server_and_is_waited_for_a_second_as_always():
    db, now = Recorded(), time.monotonic()
    begin_on(db, now - 60, READ)
    assert "statement_timeout = 1;" in db.told
    assert now + GRACE <= db.until < now + 30
    begin_on(db, now + 60, READ)
    assert db.until >= now + 60 + GRACE


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


def test_when_one_connection_was_lost_the_others_are_given_up_with_it(storage):
    held = two_connections(storage)
    with psycopg.connect(storage.url.text, autocommit=True) as other:
        for each in held:
            other.execute("SELECT pg_terminate_backend(%s, 60000)", [each.info.backend_pid])
    assert storage.read(surveys.all_surveys) == []
    assert len(storage.idle) == 1
    assert all(each.closed for each in held)


def test_whoever_waits_for_a_lock_too_long_loses_no_connection_but_its_own(storage):
    kept, lost = two_connections(storage)
    object.__setattr__(storage, "busy_seconds", 0.5)
    with psycopg.connect(storage.url.text) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [migrations.LOCK + 1])
        with pytest.raises(Unavailable, match="timeout"):
            storage.write(surveys.all_surveys)
    assert storage.idle == [kept]
    assert (kept.closed, lost.closed) == (False, True)


def test_a_connection_to_tables_of_another_version_is_closed(storage, monkeypatch):
    refused = []

    def refuse(db):
        refused.append(db)
        raise Unavailable("of another version")

    storage.read(surveys.all_surveys)
    monkeypatch.setattr(versions, "required", lambda: 0)
    monkeypatch.setattr(migrations, "check", refuse)
    for _ in range(2):  # one that was open, and a new one
        with pytest.raises(Unavailable, match="of another version"):
            storage.read(surveys.all_surveys)
    assert [each.closed for each in refused] == [True, True]
    assert storage.idle == []


def test_the_schema_is_compared_on_a_connection_that_serves_on_unless_that_fails(storage, monkeypatch):
    storage.read(surveys.all_surveys)
    (held,) = storage.idle
    held.until = 0.0  # the transaction before is long over
    assert storage.deviations() == []
    assert storage.idle == [held]
    monkeypatch.setattr(storage_module, "deviations", lambda db: db.execute("SELECT 1 / 0"))
    with pytest.raises(psycopg.errors.DivisionByZero):
        storage.deviations()
    assert storage.idle == []
    assert held.closed


def test_storages_on_one_database_are_the_same_whatever_connections_they_have(storage, server):
    other = server(storage.url)
    storage.read(surveys.all_surveys)
    storage.given_up.add(1)
    assert storage == other
    assert repr(storage) == repr(other)


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
    storage.read(surveys.all_surveys)
    (held,) = storage.idle
    at_commit(empty, "RAISE WARNING 'canceling wait for synchronous replication'")
    with pytest.raises(Unavailable, match="canceling wait for synchronous replication"):
        storage.write(settings.secret_key)
    assert storage.idle == []
    assert held.closed


def test_a_warning_before_the_commit_is_none_about_it(storage):
    storage.write(lambda db: db.execute("DO $$ BEGIN RAISE WARNING 'careful'; END $$"))
    assert len(storage.idle) == 1


def test_a_transaction_that_passes_over_an_error_is_not_acknowledged(storage):
    def pass_over(db):
        surveys.create_draft(db, {"slug": "exams"})
        with suppress(psycopg.Error):
            db.execute("SELECT 1 / 0")

    with pytest.raises(Unavailable, match="the commit did not succeed: ROLLBACK"):
        storage.write(pass_over)
    assert storage.read(surveys.all_surveys) == []


def test_a_refused_transaction_leaves_nothing_to_the_next_on_its_connection(storage):
    def refuse(db):
        surveys.create_draft(db, {"slug": "exams"})
        raise LookupError

    with pytest.raises(LookupError):
        storage.write(refuse)
    (held,) = storage.idle
    storage.write(lambda db: db.execute("SELECT 1"))
    assert storage.idle == [held]
    assert storage.read(surveys.all_surveys) == []


def test_while_a_commit_lasts_too_long_nothing_more_is_written_and_who_reads_is_served(empty, server):
    storage = server(empty)
    storage.create()
    at_commit(empty, "PERFORM pg_advisory_xact_lock(1)")

    def store(db):
        settings.secret_key(db)
        db.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0", prepare=False)
        db.until = time.monotonic() + 0.2  # as for a standby, the server waits longer than we do

    at_work = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY (%s) AND state = 'active'"
    with psycopg.connect(empty.text, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(1)")
        with pytest.raises(Unavailable):
            storage.write(store)
        waiting = storage.given_up.copy()
        with pytest.raises(Unavailable, match="still waits to confirm what was written before"):
            storage.write(surveys.all_surveys)
        assert storage.read(surveys.all_surveys) == []
        assert storage.given_up == waiting
        other.execute("SELECT pg_advisory_unlock(1)")
        while other.execute(at_work, [list(waiting)]).fetchone() != (0,):
            time.sleep(0.01)
    assert storage.write(surveys.all_surveys) == []
    assert (len(waiting), storage.given_up) == (1, set())


def test_after_a_commit_that_fails_others_go_on(empty, server):
    storage = server(empty)
    storage.create()
    at_commit(empty, "RAISE EXCEPTION 'refused'")
    with pytest.raises(psycopg.errors.RaiseException):
        storage.write(settings.secret_key)
    assert storage.given_up == set()


def test_a_survey_is_not_written_anew_at_the_cost_of_those_who_read_it(storage, survey, monkeypatch):
    """Its arrivals are asked for again after a while, and are gone once nobody reads them."""
    storage.write(surveys.close_survey, survey.id)
    rests, asked = [], []
    clock = SimpleNamespace(sleep=rests.append, monotonic=time.monotonic)
    monkeypatch.setattr(storage_module, "time", clock)
    with psycopg.connect(storage.url.text) as reader:
        reader.execute(f"SELECT * FROM candor.arrivals_{survey.id}")

        def forget(db, survey_id):
            if asked:
                reader.rollback()
            asked.append(forget_arrivals(db, survey_id))
            return asked[-1]

        monkeypatch.setattr(storage_module, "forget_arrivals", forget)
        storage.finish()
    assert asked == [False, True]
    assert rests == [storage_module.RETRY_SECONDS]
    assert storage.read(lambda db: db.reports.finished(survey.id))


def test_in_the_background_the_storage_rests_between_transactions(storage, monkeypatch):
    used = []
    monkeypatch.setattr(storage_module.invitations, "forget_unusable", used.append)
    storage.finish()
    storage.finish(gently=True)
    assert [type(each) for each in used] == [PostgreSQLStorage, PacedStorage]


def test_pages_that_the_server_found_damaged_are_told(storage, monkeypatch):
    assert storage.condition().damage == []
    counted = storage_module.CONDITION.replace("checksum_failures, 0", "2")
    monkeypatch.setattr(storage_module, "CONDITION", counted)
    assert storage.condition().damage == ["2 of its pages had a wrong checksum"]


def test_a_number_that_was_used_stays_used_however_it_came(storage):
    row = [50, "eve", "admin", "$argon2id$"]

    def last(db):
        db.insert_numbered("accounts", ["id", "name", "role", "password_hash"], row)
        return db.last_number("accounts")

    assert storage.write(last) == 50


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


def test_a_server_that_is_older_than_postgresql_14_is_refused(storage, monkeypatch):
    monkeypatch.setattr(psycopg.ConnectionInfo, "server_version", 140000)
    assert storage.read(surveys.all_surveys) == []
    storage.close()
    monkeypatch.setattr(psycopg.ConnectionInfo, "server_version", 130000)
    with pytest.raises(Unavailable, match=r"it must be PostgreSQL 14 or later, got 13$"):
        storage.read(surveys.all_surveys)


@pytest.mark.parametrize(
    ("hosts", "left", "for_each"), [("one", 59.5, "60"), ("one,two", 59.5, "30"), ("one", 0.5, "2")]
)
def test_hosts_share_the_time_to_connect_and_each_has_two_seconds(monkeypatch, hosts, left, for_each):
    asked = []
    monkeypatch.setattr(connection, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(connection.PostgreSQL, "connect", lambda text, **_: asked.append(text) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        connection.connect(PostgreSQLURL(f"postgresql://{hosts}/candor"), 1000.0 + left)
    assert [conninfo_to_dict(text)["connect_timeout"] for text in asked] == [for_each]


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


def test_a_database_whose_schema_is_moved_within_a_transaction_is_named_as_such(empty, server):
    storage = server(empty)
    storage.create()

    def move(db):
        execute(empty, "ALTER SCHEMA candor RENAME TO aside")
        return surveys.all_surveys(db)

    with pytest.raises(Unavailable, match="not a database that candor serve made"):
        storage.write(move)


def test_a_table_that_is_missing_in_our_database_is_a_defect_and_stays_loud(storage):
    with pytest.raises(psycopg.errors.UndefinedTable):
        storage.write(lambda db: db.execute("SELECT * FROM no_such_table"))


def test_a_server_that_can_lose_what_it_committed_is_warned_about(storage, capsys):
    assert storage.warnings() == []
    with tempfile.TemporaryDirectory() as folder, PostgreSQL(Path(folder), "fsync=off") as unsafe:
        url = PostgreSQLURL(unsafe.address)
        prepare(Config(database=url, admin_name="ada", admin_password="a long enough password"))
    warning = "Warning: fsync is off: what was acknowledged can be lost when the power fails.\n"
    assert capsys.readouterr().err == warning
