"""The schema is what this version makes: what is more, less or different is named, and refused or told."""

import hashlib
import os
import random
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import click
import cluster
import psycopg
import pytest
from click.testing import CliRunner
from installation import build

from server.cli import main
from server.cli.checks import database as base
from server.cli.serve import prepare
from server.config import Config
from server.store import surveys
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.postgresql import attestation, order_leaks
from server.store.postgresql.connection import connect
from server.store.postgresql.storage import write_anew
from server.store.sqlite import attestation as sqlite_attestation
from server.store.sqlite import storage as sqlite_storage
from server.store.sqlite.storage import SQLiteStorage
from server.store.storage import storage_at
from server.store.upkeep import backup_file
from server.store.upkeep.attestation import WAY_ON, refuse, unaccepted
from server.store.upkeep.deviation import Deviation

CHANGES = int(os.environ.get("CANDOR_CHANGES", "12"))
"""Each takes as long as a start that compares everything; a hundred belong to tests/benchmarks."""

SPY = "spy AFTER UPDATE ON counts BEGIN INSERT INTO log VALUES (strftime('%Y-%m-%dT%H:%M:%f', 'now')); END"
PLANTED = ["CREATE TABLE log (moment TEXT)", f"CREATE TRIGGER {SPY}"]


def candor(*arguments):
    ended = CliRunner().invoke(main, [str(getattr(each, "text", each)) for each in arguments])
    return ended.exit_code, ended.stdout, ended.stderr


def execute(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


# Nothing is named that belongs there.


@pytest.mark.engines
def test_a_survey_is_as_it_should_be_in_every_state(storage, survey_file):
    def named():
        return list(map(str, storage.deviations()))

    assert named() == []
    survey = storage.write(surveys.create_draft, survey_file())
    survey = storage.write(surveys.open_survey, survey.id)
    assert named() == []
    storage.write(surveys.close_survey, survey.id)
    assert named() == []
    storage.finish()
    assert named() == []
    storage.write(life.schedule, survey.id, Schedule(remove_at=1), 0)
    storage.write(lambda db: db.reports.remove(survey.id))
    assert named() == []
    storage.finish()
    assert named() == []
    for close in (False, True):
        other = storage.write(surveys.create_draft, survey_file(f"other-{int(close)}"))
        storage.write(surveys.open_survey, other.id)
        if close:
            storage.write(surveys.close_survey, other.id)
        storage.write(surveys.delete_survey, other.id)
        assert named() == []


@pytest.mark.engines
def test_every_kind_of_question_has_the_tables_that_it_should(database):
    with closing(storage_at(database)) as storage:
        storage.write(build, False)
        assert storage.deviations() == []
        storage.finish()
        assert storage.deviations() == []


def test_a_survey_that_is_being_written_anew_has_both_its_tables(postgresql, survey_file):
    with closing(storage_at(postgresql)) as storage:
        survey = storage.write(surveys.create_draft, survey_file())
        storage.write(surveys.open_survey, survey.id)
        storage.write(surveys.close_survey, survey.id)
        storage.write(write_anew, survey.id)
        assert storage.deviations() == []


def test_codes_of_one_byte_and_of_two_are_checked_as_they_should(on_postgresql):
    on_postgresql.execute("BEGIN")
    ((number,),) = on_postgresql.execute(
        "INSERT INTO surveys (slug, state, draft) VALUES ('wide', 'draft', '{}') RETURNING id"
    )
    codes, fingerprint = [257, 256, 2, 300], hashlib.sha256(b"{}").hexdigest()
    survey = [number, b"{}", fingerprint, ["a", "b", "c", "d"], codes, sum(codes)]
    on_postgresql.execute("SELECT open_survey(?, ?, ?, ?, ?, ?)", survey)
    assert attestation.compared(on_postgresql) == []
    on_postgresql.execute("ROLLBACK")


def test_a_sound_schema_of_postgresql_is_known_by_its_hash(on_postgresql, monkeypatch):
    """After a change of the tables, its new hash goes into `SOUND`."""
    hashes, hash_of = [], attestation.hash_of
    monkeypatch.setattr(attestation, "hash_of", lambda parts: hashes.append(hash_of(parts)) or hashes[-1])
    assert attestation.deviations(on_postgresql) == []
    version = on_postgresql.info.server_version // 10_000
    assert [attestation.SOUND.get(version, hashes[0])] == hashes


def test_the_order_of_parts_changes_no_hash():
    parts = {("table", "days"): "a", ("table", "life"): "b"}
    assert attestation.hash_of(parts) == attestation.hash_of(dict(reversed(parts.items())))


def test_what_is_made_to_be_compared_is_what_a_sound_database_holds(on_postgresql, monkeypatch):
    monkeypatch.setattr(attestation, "SOUND", {})
    assert attestation.deviations(on_postgresql) == []


REFUSED = Deviation("trigger", "days.spy", "more")
MORE = Deviation("index", "days.more", "more")


@pytest.mark.parametrize(
    "looks", [[[]], [[MORE]], [[REFUSED, MORE], [MORE]], [[REFUSED, MORE], [REFUSED]]], ids=len
)
def test_a_database_with_something_to_refuse_is_looked_at_once_more(monkeypatch, looks):
    """A survey may have been closed meanwhile; what is there the second time stays."""
    answers, told = iter(looks), []
    monkeypatch.setattr(attestation, "compared", lambda _: next(answers))
    assert attestation.deviations(SimpleNamespace(execute=told.append)) == looks[-1]
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
    assert told == [begin, "ROLLBACK"] * len(looks)


APPLICATION = {"SELECT on days", "SELECT on life", "UPDATE on life", "EXECUTE on state_of(bigint)"}
READER = {"SELECT on candor_closed.surveys"}
OF_APPLICATION = {f"{right} on later tables of schema candor" for right in ("SELECT", "INSERT")}
OF_APPLICATION |= APPLICATION | {"USAGE on schema candor"}
OF_READER = READER | {"SELECT on later tables of schema candor_closed", "USAGE on schema candor_closed"}
OF_SURVEYS = {"SELECT on arrivals_1_0", "INSERT on arrivals_1", "SELECT on candor_closed.reports_2"}
MANY = {f"DELETE on {name}" for name in ("accounts", "days", "life", "sessions", "tallies", "tokens")}


@pytest.mark.parametrize(
    ("held", "less", "more"),
    [
        (OF_APPLICATION, [], []),
        (OF_READER, [], []),
        (OF_APPLICATION | OF_READER, [], []),
        (OF_APPLICATION | OF_SURVEYS, [], []),
        (OF_APPLICATION - APPLICATION, sorted(APPLICATION), []),
        (OF_APPLICATION | READER, [], sorted(READER)),
        (OF_READER - READER | APPLICATION, sorted(READER), sorted(APPLICATION)),
        (OF_READER | MANY, [], sorted(MANY)),
        (OF_SURVEYS, [], sorted(OF_SURVEYS)),
    ],
)
def test_a_role_has_the_rights_that_go_with_the_schemas_that_it_may_use_and_no_others(held, less, more):
    due = {attestation.APPLICATION: APPLICATION | READER, attestation.READER: APPLICATION | READER}
    assert attestation.compare_grants(due, {"ada": held}) == [
        *(Deviation("grant", f"{right} to ada", "more") for right in more),
        *(Deviation("grant", f"{right} to ada", "less") for right in less),
    ]


def test_rows_that_go_after_closing_leave_a_schema_that_is_known_at_every_step(storage, survey_file):
    """Whatever step the finisher is at when a server is killed, the next one starts."""
    looked, write = [], storage.write
    survey = storage.write(surveys.create_draft, survey_file())
    storage.write(surveys.open_survey, survey.id)
    storage.write(surveys.close_survey, survey.id)

    def write_and_look(*arguments, **more):
        result = write(*arguments, **more)
        looked.append(storage.deviations())
        return result

    object.__setattr__(storage, "write", write_and_look)
    storage.finish()
    storage.write(life.schedule, survey.id, Schedule(remove_at=1), 0)
    storage.write(lambda db: db.reports.remove(survey.id))
    storage.finish()
    assert len(looked) > 6
    assert not any(looked)


# Of all changes that can be made, some that chance draws are named.


def changes_of_a_file(path):
    """Statements that change the schema of a file -> the part that has to be named."""
    with closing(sqlite3.connect(path)) as db:
        parts = db.execute("SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    tables = [name for kind, name, _ in parts if kind == "table" and not name.startswith("sqlite_")]
    made = {f"DROP {kind} {name}": f"{kind} {table}.{name}" for kind, name, table in parts if kind != "table"}
    for table in tables:
        made |= {
            f"ALTER TABLE {table} ADD COLUMN more TEXT": f"table {table}",
            f"CREATE INDEX more ON {table} (1)": f"index {table}.more",
            f"CREATE VIEW {table}_too AS SELECT * FROM {table}": f"view {table}_too",
            f"CREATE TABLE {table}_too AS SELECT * FROM {table}": f"table {table}_too",
        }
        for moment in ("BEFORE INSERT", "AFTER UPDATE", "AFTER DELETE"):
            made[f"CREATE TRIGGER spy {moment} ON {table} BEGIN SELECT 1; END"] = f"trigger {table}.spy"
    return made


def test_changes_of_a_file_are_all_named(installations, tmp_path):
    changes = changes_of_a_file(installations["plain"])
    for statement in random.Random(23).sample(sorted(changes), CHANGES):
        path = Path(shutil.copy(installations["plain"], tmp_path / "changed.db"))
        execute(path, statement)
        with closing(SQLiteStorage(path)) as storage:
            listed = storage.deviations()
        assert [deviation.part for deviation in listed] == [changes[statement]], statement
        assert listed[0].refused == (
            not statement.startswith(("CREATE INDEX", "CREATE VIEW", "CREATE TABLE"))
        )


def test_what_keeps_the_reports_of_a_closed_survey_is_missed(installations, tmp_path):
    path = Path(shutil.copy(installations["plain"], tmp_path / "changed.db"))
    execute(path, "DROP TRIGGER reports_2_stay_once_closed")
    with closing(SQLiteStorage(path)) as storage:
        listed = [(deviation.part, deviation.refused) for deviation in storage.deviations()]
    assert listed == [("trigger reports_2.reports_2_stay_once_closed", True)]


def test_a_survey_with_linked_questions_has_the_table_that_it_should(storage, survey_file):
    asked = [{"id": name, "wording": {"en": "Is it so?"}} for name in ("smoked", "drank", "drove")]
    alone = {"id": "tired", "wording": {"en": "Is it?"}, "mechanism": "coin"}
    sections = [
        {"id": "together", "linked": True, "epsilon": 2.0, "questions": asked},
        {"id": "apart", "questions": [alone]},
    ]
    table = {key: value for key, value in survey_file().items() if key != "questions"}
    survey = storage.write(surveys.create_draft, table | {"candor": 3, "sections": sections})
    storage.write(surveys.open_survey, survey.id)
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    assert storage.deviations() == []


def test_a_schema_is_read_as_it_is_at_one_moment(storage, monkeypatch):
    def seen(db):
        before = sqlite_attestation.schema(db)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            execute(storage.path, "PRAGMA busy_timeout=0", "CREATE TABLE more (one)")
        return sqlite_attestation.schema(db) == before

    monkeypatch.setattr(sqlite_storage, "deviations", seen)
    assert storage.deviations()


def test_text_that_was_changed_behind_the_back_of_sqlite_is_named(installations, tmp_path):
    path = Path(shutil.copy(installations["plain"], tmp_path / "changed.db"))
    execute(
        path,
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'sent INTEGER', 'sent TEXT') WHERE name = 'days'",
        "UPDATE sqlite_master SET sql = replace(sql, 'BETWEEN 0 AND 1', 'BETWEEN 0 AND 9') "
        "WHERE type = 'table' AND name LIKE 'reports_%'",
    )
    with closing(SQLiteStorage(path)) as storage:
        assert [deviation.part for deviation in storage.deviations()] == ["table days", "table reports_2"]


def test_a_trigger_with_a_name_of_a_table_of_sqlites_is_refused(planted):
    execute(
        planted,
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_master SET name = 'sqlite_stat1', sql = replace(replace(sql, 'spy', 'sqlite_stat1'), "
        "'INTO log', 'INTO sqlite_stat4') WHERE name = 'spy'",
        "UPDATE sqlite_master SET name = 'sqlite_stat4', tbl_name = 'sqlite_stat4', "
        "sql = 'CREATE TABLE sqlite_stat4 (moment TEXT)' WHERE name = 'log'",
    )
    execute(planted, "UPDATE counts SET counted = counted WHERE key IS NOT NULL")
    with closing(sqlite3.connect(planted)) as db:
        assert len(db.execute("SELECT * FROM sqlite_stat4").fetchall()) == 1
    with closing(SQLiteStorage(planted)) as storage:
        assert [(deviation.part, deviation.refused) for deviation in storage.deviations()] == [
            ("table sqlite_stat4", False),
            ("trigger counts.sqlite_stat1", True),
        ]


def test_what_sqlite_notes_for_its_planner_is_no_deviation(installations, tmp_path):
    path = Path(shutil.copy(installations["plain"], tmp_path / "changed.db"))
    execute(path, "ANALYZE")
    with closing(SQLiteStorage(path)) as storage:
        assert storage.deviations() == []


@pytest.fixture
def on_postgresql(postgresql):
    """A connection to an installation with surveys in every state, as its owner."""
    with closing(storage_at(postgresql)) as storage:
        storage.write(build, False)
        storage.finish()
        with closing(connect(postgresql, storage.deadline() + 600)) as db:
            yield db


def changes_of_a_database(db):
    """Statements that change the schema of a database -> the part that has to be named."""
    listed = db.execute(attestation.text("catalog"), prepare=False).fetchall()
    parts = {(kind, name) for made, kind, name, _ in listed if not made}
    columns = dict(name.split(".") for kind, name in sorted(parts) if kind == "column")
    made = {}
    for kind, name in sorted(parts):
        table, _, inner = name.rpartition(".")
        part = f"{kind} {name}"
        if kind == "table":
            made |= {
                f"{SPYING} ON {name} EXECUTE FUNCTION refuse()": f"trigger {name}.spy",
                f"CREATE RULE spy AS ON INSERT TO {name} DO ALSO NOTIFY spy": f"rule {name}.spy",
                f"CREATE POLICY spy ON {name} USING (true)": f"policy {name}.spy",
                f"CREATE INDEX more ON {name} ((1))": "expression index more",
                f"CREATE INDEX more ON {name} ({columns[name]})": "index more",
                f"GRANT SELECT ON {name} TO PUBLIC": f"grant SELECT on {name} to PUBLIC",
                f"GRANT UPDATE ON {name} TO pg_monitor WITH GRANT OPTION": (
                    f"grant UPDATE on {name} with grant option to pg_monitor"
                ),
                f"CREATE VIEW more AS SELECT * FROM {name}": "view more",
                f"CREATE TABLE public.more (id bigint REFERENCES {name})": f"{OUTSIDE}more_id_fkey",
            }
            if not re.search(r"_\d$", name):
                made |= {
                    f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY": part,
                    f"ALTER TABLE {name} OWNER TO pg_monitor": part,
                    f"ALTER TABLE {name} ADD COLUMN moment timestamptz DEFAULT clock_timestamp()": (
                        f"column {name}.moment"
                    ),
                    f"CREATE TABLE public.more () INHERITS ({name})": f"{OUTSIDE}inherits_{name}",
                }
        elif kind == "trigger":
            made |= {
                f"DROP TRIGGER {inner} ON {table}": part,
                f"ALTER TABLE {table} DISABLE TRIGGER {inner}": part,
                f"ALTER TRIGGER {inner} ON {table} RENAME TO other": part,
            }
        elif kind == "index":
            made[f"DROP INDEX {name}"] = part
        elif kind == "constraint" and not re.search(r"_\d", table):
            made[f"ALTER TABLE {table} DROP CONSTRAINT {inner} CASCADE"] = part
        elif kind == "function":
            made |= {
                f"ALTER FUNCTION {name} SET search_path = public": part,
                f"ALTER FUNCTION {name} COST 7": part,
                f"ALTER FUNCTION {name} OWNER TO pg_monitor": part,
                f"GRANT EXECUTE ON FUNCTION {name} TO PUBLIC": f"grant EXECUTE on {name} to PUBLIC",
            }
    return made | {
        "CREATE FUNCTION length(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1'": "function length(bigint)",
        "CREATE EXTENSION citext SCHEMA public": "extension citext",
        "GRANT USAGE ON SCHEMA candor TO pg_monitor": "grant USAGE on schema candor to pg_monitor",
        "CREATE SEQUENCE more": "sequence more",
        "GRANT owner TO pg_monitor": "grant membership in owner to pg_monitor",
        "CREATE DOMAIN more AS text": "type more",
        "CREATE OR REPLACE VIEW candor_closed.surveys AS SELECT id, slug, convert_from(json, 'UTF8')::json"
        " AS definition, fingerprint FROM surveys JOIN publications ON survey_id = id": (
            "view candor_closed.surveys"
        ),
        "ALTER VIEW candor_closed.reports_2 SET (security_barrier = off)": "view candor_closed.reports_2",
        **HIDDEN,
    }


SPYING = "CREATE TRIGGER spy AFTER INSERT"
ELSEWHERE = (
    "SET LOCAL check_function_bodies = off; DO $$ BEGIN "
    "EXECUTE replace(pg_get_functiondef('state_of'::regproc), 'surveys', '{}'); END $$"
)
HIDDEN = {
    ELSEWHERE.format("candor_closed.surveys"): "function state_of(number bigint)",
    ELSEWHERE.format("pg_temp.surveys"): "function state_of(number bigint)",
    "SET LOCAL session_replication_role = replica": "setting session_replication_role",
    "CREATE STATISTICS public.more ON lower(slug), state FROM surveys": "expression statistics surveys.more",
    "ALTER TABLE tallies REPLICA IDENTITY FULL": "table tallies",
    "GRANT pg_read_all_data TO pg_monitor": "grant membership in pg_read_all_data to pg_monitor",
    f"{SPYING} ON tallies EXECUTE FUNCTION refuse(); UPDATE pg_trigger SET tgisinternal = true "
    "WHERE tgname = 'spy'": "trigger tallies.spy",
    "CREATE FUNCTION public.spy() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';"
    "CREATE EVENT TRIGGER spy ON ddl_command_end EXECUTE FUNCTION public.spy()": "event trigger spy",
}
"""Changes that name nothing of ours anew: another table under the same name, no trigger at all, or one that
is called PostgreSQL's own, or will be put on each new table."""


NO_SUCH_CHANGE = (psycopg.ProgrammingError, psycopg.NotSupportedError, psycopg.errors.InternalError)
"""A partition cannot be changed in every way in which another table can."""

OUTSIDE = "constraint public.more."
BESIDE = ("index", "grant", "extension", "view", "sequence", "type")


def test_changes_of_a_database_are_all_named(on_postgresql):
    changes = changes_of_a_database(on_postgresql)
    rare = ("extension citext", "grant membership in owner to pg_monitor", "view candor_closed.surveys")
    always = [*HIDDEN, *(statement for statement, part in changes.items() if part in rare)]
    others = random.Random(23).sample(sorted(changes), len(changes))
    named = 0
    for statement in [*always, *others]:
        if named == len(always) + CHANGES:
            break
        on_postgresql.execute("BEGIN")
        try:
            on_postgresql.execute(statement)
        except NO_SUCH_CHANGE:
            assert statement not in HIDDEN
        else:
            listed = {deviation.part: deviation for deviation in attestation.compared(on_postgresql)}
            assert changes[statement] in listed, statement
            added = statement.startswith(("CREATE ", "GRANT ")) and "REPLACE" not in statement
            refused = listed[changes[statement]].refused
            assert refused == (not (added and changes[statement].split()[0] in BESIDE)), statement
            named += 1
        finally:
            on_postgresql.execute("ROLLBACK")
    assert named == len(always) + CHANGES
    assert attestation.deviations(on_postgresql) == []


def test_functions_that_stand_in_for_those_that_name_them_are_named(on_postgresql):
    """Called by their bare names, they would say that each of them is another, which belongs there."""
    on_postgresql.execute("BEGIN")
    on_postgresql.execute(
        """
        CREATE FUNCTION candor.format(text, text, name, text) RETURNS text LANGUAGE sql AS
            $$ SELECT CASE WHEN $3 IN ('format', 'concat_ws') THEN 'state_of(number bigint)'
                ELSE $2 || $3 || '(' || $4 || ')' END $$;
        CREATE FUNCTION candor.concat_ws(text, text, text) RETURNS text LANGUAGE sql AS
            $$ SELECT CASE WHEN $2 ~ 'candor.(format|concat_ws)'
                THEN pg_get_functiondef('candor.state_of'::regproc)
                ELSE array_to_string(ARRAY[$2, $3], $1) END $$;
        REVOKE EXECUTE ON FUNCTION candor.format, candor.concat_ws FROM PUBLIC
        """
    )
    named = {deviation.part for deviation in attestation.compared(on_postgresql)}
    on_postgresql.execute("ROLLBACK")
    assert named == {"function concat_ws(text, text, text)", "function format(text, text, name, text)"}


BESIDE = (
    "index",
    "grant",
    "extension",
    "table",
    "view",
    "materialized view",
    "sequence",
    "type",
    "statistics",
)
ACTS = ("trigger", "column", "function", "policy", "rule", "event trigger", "constraint")


def test_what_stands_beside_the_tables_is_told_and_whatever_acts_or_lacks_is_refused():
    deviations = [
        Deviation(kind, "a.b", how) for kind in BESIDE + ACTS for how in ("more", "less", "different")
    ]
    taken = [str(each) for each in deviations if not each.refused]
    assert taken == [
        *(f"{kind} a.b is not of this version of Candor" for kind in ("index", "grant")),
        "grant a.b is missing",
        "grant a.b is not as this version of Candor makes it",
        *(f"{kind} a.b is not of this version of Candor" for kind in BESIDE[2:]),
    ]
    assert [str(each) for each in unaccepted(deviations, {"index a.b", "trigger a.b"})] == taken[1:]
    refuse(each for each in deviations if not each.refused)


# Start, restore, verify and doctor.


@pytest.fixture
def planted(installations, tmp_path):
    """An installation with a table and a trigger that writes into it when a report comes."""
    path = Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))
    execute(path, *PLANTED)
    return path


def test_no_server_starts_with_a_trigger_that_is_not_ours(planted):
    with pytest.raises(click.ClickException) as refused:
        prepare(Config(database=planted))
    why = f"trigger counts.spy is not of this version of Candor: {WAY_ON}"
    assert str(refused.value) == f"the database {planted} cannot be used: {why}"
    execute(planted, "DROP TRIGGER spy")
    prepare(Config(database=planted))


def test_nor_does_one_on_postgresql_where_verify_and_doctor_name_it_too(postgresql):
    postgresql = cluster.new_database()  # the shared one would keep the trigger
    with closing(storage_at(postgresql)) as storage:
        storage.create()
    with psycopg.connect(postgresql.text, autocommit=True) as db:
        db.execute(f"{SPYING} ON candor.tallies EXECUTE FUNCTION candor.refuse()")
        db.execute("CREATE INDEX days_by_day ON candor.days (day)")
        db.execute("GRANT SELECT ON candor.days TO PUBLIC")
    with pytest.raises(click.ClickException, match=r"trigger tallies\.spy is not of this version of Candor"):
        prepare(Config(database=postgresql))
    code, _, faults = candor("verify", "--database", postgresql)
    assert code == 1
    assert f"schema: trigger tallies.spy is not of this version of Candor: {WAY_ON}\n" in faults
    told = re.findall(r"Warning: (.*) is not of this version of Candor; accept it by its name", faults)
    assert len(told) == 2, faults
    admin = {"admin_name": "ada", "admin_password": "a long enough password"}
    config = Config(database=postgresql, accept=frozenset(told), **admin)
    schema = [each for each in base.database(config, lambda: 1_780_000_000.0) if each.name == "schema"]
    assert sorted(each.state for each in schema) == ["fault", "ok", "ok"]
    with psycopg.connect(postgresql.text, autocommit=True) as db:
        db.execute("DROP TRIGGER spy ON candor.tallies")
    prepare(config)


def test_what_stands_beside_the_tables_is_told_until_it_is_accepted(planted, capsys):
    execute(planted, "DROP TRIGGER spy", "CREATE INDEX days_by_day ON days (day)")
    prepare(Config(database=planted))
    told = [f"Warning: {part} is not of this version of Candor; accept it by its name with CANDOR_ACCEPT."
            for part in ("index days.days_by_day", "table log")]  # fmt: skip
    assert capsys.readouterr().err.splitlines() == told
    prepare(Config(database=planted, accept=frozenset({"index days.days_by_day", "table log"})))
    assert capsys.readouterr().err == ""


def test_a_backup_with_a_trigger_is_restored_as_rows_only(planted, tmp_path):
    code, _, warned = candor("backup", tmp_path / "backup.zip", "--database", planted)
    assert code == 0
    assert "Warning: trigger counts.spy is not of this version of Candor." in warned
    arguments = ("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db")
    code, _, told = candor(*arguments)
    assert (code, "trigger counts.spy is not of this version of Candor: remove what is more" in told) == (
        1,
        True,
    )
    assert not (tmp_path / "new.db").exists()
    assert candor(*arguments, "--anew")[::2] == (0, "")
    with closing(SQLiteStorage(tmp_path / "new.db")) as storage:
        assert storage.deviations() == []
    assert candor("verify", "--database", tmp_path / "new.db")[0] == 0
    with closing(SQLiteStorage(planted)) as old, closing(SQLiteStorage(tmp_path / "new.db")) as new:
        count = "SELECT count(*) FROM reports_2"
        assert [each.read(lambda db: db.execute(count).fetchone()) for each in (old, new)] == [(11,)] * 2


def test_an_index_in_a_backup_comes_along_and_is_told(installations, tmp_path):
    path = Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))
    execute(path, "CREATE INDEX days_by_day ON days (day)")
    candor("backup", tmp_path / "backup.zip", "--database", path)
    arguments = ("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db")
    code, _, told = candor(*arguments)
    assert (code, told.startswith("Warning: index days.days_by_day is not of this version")) == (0, True)
    (tmp_path / "new.db").unlink()
    assert candor(*arguments, "--accept", "index days.days_by_day")[::2] == (0, "")


def test_a_trigger_that_is_put_into_a_backup_itself_is_named(installations, tmp_path):
    path = Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))
    candor("backup", tmp_path / "backup.zip", "--database", path)
    description = backup_file.extract(tmp_path / "backup.zip", tmp_path / "inside.db")
    execute(tmp_path / "inside.db", *PLANTED)
    changed = backup_file.Description(
        **{**vars(description), "bytes": (tmp_path / "inside.db").stat().st_size, "sha256": digest(tmp_path)}
    )
    backup_file.write(tmp_path / "changed.zip", tmp_path / "inside.db", changed)
    assert zipfile.is_zipfile(tmp_path / "changed.zip")
    code, _, told = candor("restore", tmp_path / "changed.zip", "--database", tmp_path / "new.db")
    assert (code, "trigger counts.spy" in told) == (1, True)


def digest(folder):
    return hashlib.sha256((folder / "inside.db").read_bytes()).hexdigest()


def test_verify_and_doctor_name_what_is_more_and_what_is_missing(planted):
    execute(planted, "DROP TRIGGER audit_stays")
    code, said, faults = candor("verify", "--database", planted)
    assert (code, "the schema" in said) == (1, False)
    assert faults == (
        f"schema: trigger audit.audit_stays is missing: {WAY_ON}\n"
        f"schema: trigger counts.spy is not of this version of Candor: {WAY_ON}\n"
        "Warning: table log is not of this version of Candor; accept it by its name with --accept\n"
    )
    checks = base.database(Config(database=planted, accept=frozenset({"table log"})), lambda: 1_780_000_000.0)
    assert [(check.state, check.finding) for check in checks if check.name == "schema"] == [
        ("ok", "table log is not of this version of Candor, and was accepted"),
        ("fault", "trigger audit.audit_stays is missing, so no server starts"),
        ("fault", "trigger counts.spy is not of this version of Candor, so no server starts"),
    ]


def test_what_is_refused_cannot_be_accepted(planted):
    with closing(SQLiteStorage(planted)) as storage:
        deviations = storage.deviations()
    assert [each.part for each in deviations if each.refused] == ["trigger counts.spy"]
    assert unaccepted(deviations, {"table log"}) == []


# What leaks order in PostgreSQL.


def test_doctor_names_what_shows_the_order_in_which_reports_came(postgresql):
    name = postgresql.text.split("/")[3].split("?")[0]

    def named():
        with closing(storage_at(postgresql)) as storage:
            return [leak for leak in storage.condition().leaks if not leak.startswith("replication slot")]

    assert named() == []
    settings = {"log_statement": "mod", "log_min_duration_statement": "0", "log_duration": "on",
                "session_preload_libraries": "auto_explain"}  # fmt: skip
    with cluster.opened() as server:
        for setting, value in settings.items():
            server.execute(f"ALTER DATABASE {name} SET {setting} = '{value}'")
        try:
            with psycopg.connect(postgresql.text, autocommit=True) as db:
                db.execute("CREATE PUBLICATION copies FOR TABLE candor.tallies")
                try:
                    assert [leak.split(":")[0].split(" passes")[0] for leak in named()] == [
                        "log_statement is mod",
                        "log_duration is on",
                        "log_min_duration_statement is 0",
                        "auto_explain is loaded",
                        "publication copies",
                    ]
                    checks = base.order(storage_at(postgresql).condition())
                    assert {check.state for check in checks} == {"warning"}
                finally:
                    db.execute("DROP PUBLICATION copies")
        finally:
            for setting in settings:
                server.execute(f"ALTER DATABASE {name} RESET {setting}")


class Rows:
    """A database that answers with these rows."""

    def __init__(self, settings, copies):
        self.answers = [settings, copies]

    def execute(self, *_):
        return self

    def fetchall(self):
        return self.answers.pop(0)


LIBRARIES = ("shared_preload_libraries", "session_preload_libraries", "local_preload_libraries")
SILENT = dict.fromkeys(LIBRARIES, "") | {
    "track_commit_timestamp": "off",
    "log_statement": "ddl",
    "log_duration": "off",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
}


@pytest.mark.parametrize("setting", LIBRARIES)
@pytest.mark.parametrize("library", ["pgaudit", "auto_explain"])
def test_a_library_that_logs_is_named_wherever_it_is_loaded(setting, library):
    settings = SILENT | {setting: f"citext,{library}"}
    assert list(order_leaks.leaks(Rows(list(settings.items()), []))) == [
        f"{library} is loaded: it can write down when something was stored"
    ]


def test_commit_moments_slots_and_what_a_role_cannot_see_are_named():
    settings = SILENT | {"track_commit_timestamp": "on"}
    for hidden in ("log_duration", "local_preload_libraries"):
        del settings[hidden]
    assert list(order_leaks.leaks(Rows(list(settings.items()), [("replication slot", "standby")]))) == [
        "track_commit_timestamp is on: the server writes down when something was stored",
        "log_duration, local_preload_libraries cannot be seen by this role: "
        "look as a member of pg_read_all_settings whether they log statements",
        "replication slot standby passes on what was stored, in the order in which it came",
    ]
