"""Three roles: the owner makes the tables, the application serves, the reader sees what is closed."""

import os
import re
from contextlib import closing

import cluster
import psycopg
import pytest
from click.testing import CliRunner
from draft_editor import replaced
from psycopg.errors import InsufficientPrivilege

from server import create_app
from server.cli.database import database
from server.cli.verify import verify
from server.config import Config
from server.database import PostgreSQLURL
from server.store import pictures, surveys
from server.store.engine import Unavailable
from server.store.lifecycle import confirmations, deletion, legal_hold, life, proposals, second_admin_rule
from server.store.lifecycle.legal_hold import LegalHold
from server.store.lifecycle.life import Schedule
from server.store.pictures import StoredPicture
from server.store.staff import accounts, audit, leaving, rights, sessions, tokens
from server.store.storage import storage_at
from server.store.upkeep import backup, settings, versions
from server.store.upkeep.versions import Step

OWNER, APPLICATION, READER = (f"{role}_{os.getpid()}" for role in ("keeper", "application", "reader"))


def as_role(url, role):
    return PostgreSQLURL(re.sub(r"//\w+@", f"//{role}@", url.text))


def run(*arguments):
    ended = CliRunner().invoke(database, arguments)
    assert ended.exit_code == 0, ended.output
    return ended.output


@pytest.fixture(scope="session")
def url(postgresql_database):
    """A database whose owner is no superuser, with the roles made; the address is the application's."""
    url = cluster.new_database()
    with cluster.opened() as server:
        server.execute(f"CREATE ROLE {OWNER} LOGIN")
        server.execute(f"ALTER DATABASE {url.text.split('/')[3].split('?')[0]} OWNER TO {OWNER}")
    owner = as_role(url, OWNER)
    assert "is up to date" in run("migrate", "--database", owner.text)
    with psycopg.connect(url.text) as superuser:
        for _ in range(2):  # it may be run again
            superuser.execute(run("roles", "--application", APPLICATION, "--reader", READER))
    return as_role(url, APPLICATION)


@pytest.fixture
def door(url, clock, door_of):
    """An application that signs in as the application's role, with an open survey."""
    app = create_app(Config(database=url), clock)
    door = door_of(app)
    yield door
    door.services.committer.settle()
    door.storage.write(surveys.delete_survey, door.survey.id)
    door.storage.close()


def test_the_application_removes_reports_on_their_day_and_cannot_otherwise(door, url, clock):
    assert door.send(door.body()) == (200, "stored")
    moment = int(clock().timestamp())
    plan = Schedule(closes_at=moment + 1, remove_at=moment + 2)
    door.storage.write(life.schedule, door.survey.id, plan, moment)
    attempt(url, APPLICATION, "UPDATE life SET removed = 1")
    clock.forward(2)
    for _ in range(2):
        door.services.scheduler.turn()
        door.storage.finish()
    assert door.storage.read(life.of, door.survey.id).removed
    assert door.results().respondents == 1


def test_the_application_stores_pictures_and_removes_those_that_nobody_uses(door):
    draft = door.storage.write(surveys.create_draft, {"slug": "pictures"})
    one = StoredPicture("png", 3, 2, b"one")
    door.storage.write(pictures.add, draft.id, one)
    assert door.storage.read(pictures.used_by, draft.id, one.sha256) == one
    door.storage.write(pictures.keep_only, draft.id, set())
    assert door.storage.read(pictures.stored, one.sha256) is None
    door.storage.write(pictures.add, draft.id, one)
    door.storage.write(surveys.delete_survey, draft.id)
    assert door.storage.read(pictures.stored, one.sha256) is None


def attempt(url, role, sql):
    with psycopg.connect(as_role(url, role).text, autocommit=True) as connection:
        connection.execute("SET search_path = candor")
        with pytest.raises(InsufficientPrivilege):
            connection.execute(sql)


def read(url, role, sql):
    with psycopg.connect(as_role(url, role).text) as connection:
        return connection.execute(sql).fetchall()


def test_the_application_does_all_that_it_has_to(door, clock):
    assert door.send(body := door.body()) == (200, "stored")
    assert door.send(body) == (200, "stored")
    assert door.get().status_code == 200
    storage = door.storage
    ada = storage.write(accounts.create, "ada", "a long enough password", "admin")
    token = storage.write(sessions.start, ada.id, 0)
    assert storage.read(sessions.account_of, token, 1) == ada
    storage.write(accounts.set_password, ada.id, "another long password")
    assert storage.write(settings.secret_key) == storage.write(settings.secret_key)
    draft = storage.write(surveys.create_draft, {"slug": "draft"})
    secret = storage.write(tokens.create, ada.id, "nightly", False, {draft.id}, None)
    storage.write(rights.set_rights, ada.id, "admin", False, [draft.id])
    storage.write(audit.note, "ada", "rights_changed", about="ada")
    storage.write(tokens.note_use, storage.read(tokens.holder, secret, "2026-05-04")[1].id, "2026-05-04")
    storage.write(lambda db: db.execute("UPDATE accounts SET role = 'researcher'") and None)
    assert storage.read(tokens.holder, secret, "2026-05-04") is None
    moment = int(clock().timestamp()) + 3600
    plan = Schedule(opens_at=moment, opens_as="ab" * 32, closes_at=moment + 1, quota=9, remove_at=moment + 2)
    storage.write(life.schedule, draft.id, plan, moment)
    storage.write(life.archive, draft.id, archived=True)
    storage.write(life.pause, door.survey.id)
    assert door.send(door.body()) == (503, "paused")
    storage.write(life.resume, door.survey.id)
    replaced(storage, "draft", {"slug": "renamed"})
    storage.write(surveys.delete_survey, draft.id)
    storage.write(surveys.close_survey, door.survey.id)
    storage.finish()
    assert door.rows() == {body["receipt"]: [1, 0]}
    assert door.send(body) == (200, "stored")
    storage.create()  # as every server does when it starts


def test_the_application_holds_a_survey_and_deletes_another_as_two_admins_have_agreed(door):
    storage, draft = door.storage, door.storage.write(surveys.create_draft, {"slug": "agreed"})
    amy, dan, eve = (
        storage.write(accounts.create, name, "a long enough password", role)
        for name, role in (("amy", "admin"), ("dan", "admin"), ("eve", "editor"))
    )
    storage.write(legal_hold.put, door.survey.id, LegalHold("amy", 1, "a court asks for it"))
    storage.write(legal_hold.lift, door.survey.id)
    storage.write(second_admin_rule.require, amy.id, 1)
    storage.write(proposals.propose, draft.id, "delete", "", eve.id, 1)
    assert storage.write(confirmations.take_on, draft.id, "delete", "", amy.id, 2)
    storage.write(deletion.confirm, draft.id, "", dan, 3)
    assert storage.read(surveys.by_slug, "agreed") is None
    storage.write(second_admin_rule.propose_stop, amy.id, 4)
    storage.write(second_admin_rule.stop, dan.id, 5)
    storage.write(leaving.remove, dan.id, {}, "amy")


WHILE_OPEN = {
    "other bytes": "UPDATE publications SET json = '{}'",
    "another publication": "INSERT INTO publications VALUES (9, '{}', '')",
    "withdrawn": "DELETE FROM publications",
    "opened past the function": "UPDATE surveys SET state = 'open', draft = NULL",
    "removed past the function": "DELETE FROM surveys",
    "emptied": "TRUNCATE surveys CASCADE",
    "another tally": "INSERT INTO tallies VALUES (9, '{}', '{}', '', '')",
    "other columns": "UPDATE tallies SET columns = '{}'",
    "a removed tally": "DELETE FROM tallies",
    "a removed part of a tally": "DELETE FROM tally_parts",
    "a part of another tally": "UPDATE tally_parts SET survey_id = 9",
    "a changed report": "UPDATE {arrivals} SET record = ''",
    "a removed report": "DELETE FROM {arrivals}",
    "a dropped table": "DROP TABLE {arrivals}",
    "a guard that is taken off": "DROP TRIGGER stay ON {arrivals}",
    "guards that are switched off": "ALTER TABLE publications DISABLE TRIGGER ALL",
    "guards that are passed over": "SET session_replication_role = replica",
    "another function": "CREATE OR REPLACE FUNCTION candor.close_survey(number bigint) RETURNS void "
    "LANGUAGE sql AS ''",
    "a table": "CREATE TABLE candor.mine (id integer)",
    "an older line of the audit log": "INSERT INTO audit (moment, who, what) VALUES ('', '', '')",
    "a changed line of the audit log": "UPDATE audit SET who = ''",
    "a removed line of the audit log": "DELETE FROM audit",
    "a version": "INSERT INTO versions VALUES (99, 1)",
}


def test_the_application_cannot_change_what_was_published_or_stored(door, url):
    with psycopg.connect(as_role(url, APPLICATION).text, autocommit=True) as connection:
        connection.execute("SET search_path = candor")

        def refused(sql):
            try:
                connection.execute(sql.replace("{arrivals}", f"arrivals_{door.survey.id}"))
            except InsufficientPrivilege:
                return True
            return False

        assert [name for name, sql in WHILE_OPEN.items() if not refused(sql)] == []


def test_a_count_that_the_application_changes_is_found_and_once_closed_none_can_be(door, url):
    assert door.send(door.body()) == (200, "stored")
    survey, role = door.survey.id, as_role(url, APPLICATION).text
    higher = "overlay(counts PLACING '\\x09' FROM 1)"
    more = f"UPDATE candor.tallies SET counts = {higher} WHERE survey_id = {survey}"
    with psycopg.connect(role) as connection:
        counted = connection.execute(
            "SELECT counts FROM candor.tallies WHERE survey_id = %s", [survey]
        ).fetchone()
        connection.execute(more)
    said = CliRunner().invoke(verify, ["--database", role])
    assert (said.exit_code, said.stderr) == (
        1,
        "exams: the counts of copied differ from a recount of 1 reports\n",
    )
    with psycopg.connect(role) as connection:
        connection.execute("UPDATE candor.tallies SET counts = %s WHERE survey_id = %s", [*counted, survey])
    door.storage.write(surveys.close_survey, survey)
    with psycopg.connect(role) as connection, pytest.raises(psycopg.IntegrityError, match="are final"):
        connection.execute(more)


def test_the_reader_sees_closed_surveys_without_receipts_in_the_order_of_their_values(door, url):
    for copied in (1, 0, 1, 0, 0):
        assert door.send(door.body(copied=str(copied))) == (200, "stored")
    table = f"candor_closed.reports_{door.survey.id}"
    listed = "SELECT id, slug, definition ->> 'slug', fingerprint FROM candor_closed.surveys"
    assert read(url, READER, listed) == []
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    survey = door.survey
    assert read(url, READER, listed) == [(survey.id, "exams", "exams", survey.publication.fingerprint)]
    assert read(url, READER, f"SELECT * FROM {table}") == [(0, 0)] * 3 + [(1, 0)] * 2
    for sql in (
        f"SELECT receipt FROM reports_{survey.id}",
        "SELECT * FROM accounts",
        "SELECT * FROM candor.surveys",
        "SELECT candor.close_survey(1)",
        f"DELETE FROM {table}",
        "CREATE TABLE candor_closed.mine (id integer)",
    ):
        with pytest.raises((InsufficientPrivilege, psycopg.errors.UndefinedTable)):
            read(url, READER, sql)


def test_the_reader_sees_nothing_of_an_open_survey(door, url):
    assert door.send(door.body()) == (200, "stored")
    attempt(url, READER, "SELECT * FROM candor.tallies")
    attempt(url, READER, f"SELECT * FROM candor.arrivals_{door.survey.id}")
    views = "SELECT viewname FROM pg_views WHERE schemaname = 'candor_closed'"
    assert read(url, READER, views) == [("surveys",)]


def test_a_server_that_is_not_the_owner_leaves_a_migration_to_the_owner(url, monkeypatch):
    monkeypatch.setattr(versions, "STEPS", (*versions.STEPS, Step("tomorrow")))
    storage = storage_at(url)
    with pytest.raises(Unavailable, match="its owner brings it up to date with candor database migrate"):
        storage.create()


def test_an_owner_serves_as_well(url, clock, door_of):
    door = door_of(create_app(Config(database=as_role(url, OWNER)), clock))
    assert door.send(door.body()) == (200, "stored")
    door.storage.write(surveys.delete_survey, door.survey.id)
    door.storage.close()


@pytest.mark.parametrize("name", ["Candor", "a-b", "x; DROP", ""])
def test_a_role_whose_name_would_need_quotes_is_refused(name):
    ended = CliRunner().invoke(database, ["roles", "--reader", name])
    assert ended.exit_code == 2
    assert "must be 1 to 63 lower-case letters" in ended.output


def test_the_application_can_back_everything_up_and_be_looked_over(door, url, tmp_path):
    """It need not be the owner: the numbers that it may not ask for are those that are in use."""
    assert door.send(door.body()) == (200, "stored")
    made = backup.back_up(url, tmp_path / "backup.zip")
    assert made.description.reports == 1
    backup.restore(tmp_path / "backup.zip", tmp_path / "new.db")
    with closing(storage_at(tmp_path / "new.db")) as storage:
        assert storage.read(surveys.get, door.survey.id).publication == door.survey.publication
        assert storage.write(surveys.create_draft, {"slug": "next"}).id == door.survey.id + 1
    assert door.storage.condition().steps == []
    assert door.storage.deviations() == []
