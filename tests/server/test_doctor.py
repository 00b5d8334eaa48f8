"""`candor doctor`: every fault that it knows is made here, and it names each with what to do."""

import json
import shutil
import sqlite3
import sys
import time
from contextlib import closing

import pytest
from click.testing import CliRunner

from server import create_app
from server.cli import main
from server.cli.checks import configuration, machine, proxy
from server.cli.checks import database as base
from server.cli.shared.http_get import Answer, public_url
from server.config import Config
from server.database import PostgreSQLURL
from server.operations.health import ASKS, signer
from server.store import submissions
from server.store.engine import Condition
from server.store.upkeep import versions
from server.store.upkeep.versions import FIRST, Step

NOW = 1_780_000_000.0
HOST = "survey.example"
URL = public_url(f"https://{HOST}")


def doctor(*arguments):
    ended = CliRunner().invoke(main, ["doctor", *map(str, arguments)])
    return ended.exit_code, ended.stdout


def of(checks, name):
    """The checks of a name: state, and finding with remedy."""
    return [(check.state, f"{check.finding}: {check.remedy}") for check in checks if check.name == name]


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in configuration.KNOWN:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def well(staff_app, storage):
    storage.path.chmod(0o600)
    return Config(database=storage.path)


# What the command prints.


def test_a_healthy_installation_has_no_fault(well):
    code, printed = doctor("--database", well.database)
    assert (code, "fault  " in printed) == (0, False)
    for name in ("versions", "configuration", "database", "migrations", "integrity", "clock"):
        assert f"ok       {name} " in printed
    assert "faults: 0, warnings: " in printed


def test_json_holds_the_same(well, tmp_path):
    (tmp_path / "other.db").touch()
    for database, expected in ((well.database, 0), (tmp_path / "other.db", 1)):
        code, printed = doctor("--database", database, "--json")
        told = json.loads(printed)
        assert (code, told["faults"]) == (expected, expected)
        assert {check["state"] for check in told["checks"]} <= {"ok", "warning", "fault"}
        assert all(check["remedy"] for check in told["checks"] if check["state"] != "ok")


def test_nothing_is_changed(well):
    before = well.database.read_bytes()
    doctor("--database", well.database)
    assert well.database.read_bytes() == before


# Configuration.


def test_a_setting_that_cannot_be_used_is_a_fault_and_the_rest_is_still_looked_at(environment):
    environment.setenv("CANDOR_PROXY_HOPS", "many")
    code, printed = doctor()
    assert code == 1
    assert (
        "fault    configuration  CANDOR_PROXY_HOPS must be a whole number from 0 to 10, got 'many'" in printed
    )
    assert "open files" in printed


def test_a_misspelt_variable_is_found():
    (check,) = configuration.misspelt({"CANDOR_RATELIMIT": "7", "CANDOR_BIND": "", "PATH": ""})
    assert (check.state, "perhaps CANDOR_RATE_LIMIT was meant" in check.remedy) == ("warning", True)


# Database.


@pytest.mark.engines
def test_the_engine_is_named_and_found_well(engine, database, app):
    checks = list(base.database(Config(database=database), time.time))
    (state, said), *_ = of(checks, "database")
    assert state == "ok"
    assert said.startswith({"sqlite": "SQLite 3.", "postgresql": "PostgreSQL 1"}[engine])
    assert {check.state for check in checks if check.name in ("migrations", "integrity", "clock")} == {"ok"}


def test_a_driver_that_is_not_installed_is_a_fault(environment):
    environment.setitem(sys.modules, "server.store.postgresql.storage", None)
    database = PostgreSQLURL("postgresql://ada@host/surveys")
    ((state, said),) = of(base.database(Config(database=database), time.time), "database")
    assert state == "fault"
    assert "cannot be used: psycopg is missing: install candor-survey[postgresql]" in said


def test_a_server_that_does_not_sync_is_a_fault():
    found = Condition("PostgreSQL 16", [], [], "fsync off", ["fsync is off: ..."], NOW)
    assert [check.state for check in base.durability(found)] == ["fault"]


@pytest.mark.parametrize(("number", "which"), [(FIRST - 1, "an earlier"), (FIRST + 1, "a later")])
def test_a_database_of_another_version_is_a_fault_and_stays_as_it_is(well, number, which):
    with closing(sqlite3.connect(well.database)) as db, db:
        db.execute("UPDATE versions SET number = ?", [number])
    before = well.database.read_bytes()
    ((state, said),) = of(base.database(well, lambda: NOW), "database")
    assert (state, f"{which} version of Candor" in said) == ("fault", True)
    assert well.database.read_bytes() == before


def test_a_database_that_a_server_will_bring_up_to_date_is_a_warning(well, monkeypatch):
    monkeypatch.setattr(versions, "STEPS", (*versions.STEPS, Step("languages")))
    ((state, said),) = of(base.database(well, lambda: NOW), "migrations")
    assert (state, "(languages to come)" in said) == ("warning", True)


def test_a_damaged_file_is_a_fault(well):
    content = bytearray(well.database.read_bytes())
    with closing(sqlite3.connect(well.database)) as db:
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sessions_by_account'")
    content[4096 * (page - 1) : 4096 * page] = bytes([7]) * 4096
    well.database.write_bytes(content)
    checks = list(base.database(well, time.time))
    assert any(check.state == "fault" for check in checks if check.name in ("integrity", "database"))


def test_a_clock_that_went_back_is_a_fault(door):
    door.send(door.body())
    (day,) = door.storage.read(submissions.days, door.survey.id)
    assert "2026-05-04" in str(day)
    before = Config(database=door.storage.path)
    assert ("fault", "it is 2026-05-01 here, and something was sent on 2026-05-04: set the clock") in of(
        base.database(before, lambda: 1_777_600_000.0), "clock"
    )


@pytest.mark.parametrize(("seconds", "state"), [(0, "ok"), (-5, "ok"), (20, "warning"), (-3600, "fault")])
def test_clocks_that_differ(seconds, state):
    assert base.clock_check("the other", seconds).state == state


def test_a_server_without_an_admin_is_a_warning(app, database):
    assert [state for state, _ in of(base.database(Config(database=database), lambda: NOW), "accounts")] == [
        "warning"
    ]


def test_a_password_that_nobody_needs_any_more_is_a_warning(well):
    config = Config(database=well.database, admin_name="ada", admin_password="a long enough password")
    assert [state for state, _ in of(base.database(config, lambda: NOW), "accounts")] == ["warning"]


# The machine.


@pytest.mark.parametrize(("mode", "state"), [(0o600, "ok"), (0o640, "warning"), (0o604, "warning")])
def test_a_file_that_others_may_open_is_a_warning(well, mode, state):
    well.database.chmod(mode)
    assert [found for found, _ in of(machine.files(well.database), "permissions")] == [state]


def test_a_folder_in_which_everybody_may_replace_files_is_a_fault(well):
    well.database.parent.chmod(0o777)
    assert ("fault",) in [found[:1] for found in of(machine.files(well.database), "permissions")]
    well.database.parent.chmod(0o1777)
    assert ("fault",) not in [found[:1] for found in of(machine.files(well.database), "permissions")]


def test_what_a_killed_backup_left_is_named(well):
    (well.database.parent / ".candor-unfinished-x").mkdir()
    ((state, said),) = of(machine.files(well.database), "leftovers")
    assert (state, ".candor-unfinished-x" in said) == ("warning", True)


@pytest.mark.parametrize(("free", "state"), [(10 * 2**30, "ok"), (2**29, "warning"), (2**20, "fault")])
def test_a_disk_that_fills(well, monkeypatch, free, state):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(0, 0, free))
    assert [found for found, _ in of(machine.disk(well.database, []), "space")] == [state]


@pytest.mark.parametrize(("kind", "expected"), [("ext4", []), ("nfs4", ["warning"]), ("tmpfs", ["warning"])])
def test_a_disk_that_may_not_keep_what_it_is_given(well, kind, expected):
    lines = ["/dev/vda / ext4 rw 0 0", f"box:/x {well.database.parent.resolve()} {kind} rw 0 0"]
    assert [state for state, _ in of(machine.disk(well.database, lines), "disk")] == expected


def test_few_open_files_are_a_warning(monkeypatch):
    monkeypatch.setattr(machine.resource, "getrlimit", lambda _: (1024, 4096))
    assert machine.limits().state == "warning"


# The proxies in front.


def behind(client, chain, name):
    """A public address: each proxy of the chain is a function of the headers that reach it."""

    def get(url, path, headers=None):
        held = {"Host": name, **(headers or {})}
        for one in chain:
            held = one(held)
        answer = client.get(path, headers=held)
        return Answer(
            answer.status_code, {key.lower(): value for key, value in answer.headers.items()}, answer.data
        )

    return get


def adding(held):
    """A proxy that adds the address it is called from, as nginx does with `proxy_add_x_forwarded_for`."""
    added = {"For": "198.51.100.1", "Proto": "https", "Host": HOST}
    names = {f"X-Forwarded-{name}": value for name, value in added.items()}
    both = {name: ", ".join(filter(None, [held.get(name), value])) for name, value in names.items()}
    return {**held, **both, "Host": "127.0.0.1:8000"}


def setting(held):
    """A proxy that believes nobody in front of it."""
    return adding({name: value for name, value in held.items() if not name.startswith("X-Forwarded")})


def passing(held):
    """A proxy that passes everything on as it comes."""
    return {**held, "Host": HOST}


def without(name):
    return lambda held: {key: value for key, value in adding(held).items() if key != name}


@pytest.fixture
def looked(well, monkeypatch):
    """Look at a server behind proxies: the state and the text of each check of a name."""

    def looked(chain, hops, name="proxy", key=None):
        app = create_app(Config(database=well.database, proxy_hops=hops))
        monkeypatch.setattr(proxy, "get", behind(app.test_client(), chain, HOST))
        return of(proxy.proxy(URL, key or base.secret_key(well), time.time), name)

    return looked


@pytest.mark.parametrize(
    ("chain", "hops", "states", "says"),
    [
        ([adding], 1, ["ok"], "proxies: 1, as CANDOR_PROXY_HOPS says"),
        ([setting], 1, ["ok"], "proxies: 1"),
        ([adding, adding], 2, ["ok"], "proxies: 2"),
        ([adding], 0, ["fault", "fault"], "proxies that set X-Forwarded-For: 1, and CANDOR_PROXY_HOPS is 0"),
        ([adding, adding], 1, ["fault"], "CANDOR_PROXY_HOPS=2"),
        ([passing], 0, ["ok", "fault"], "believes that it is at http://survey.example"),
        ([passing], 1, ["fault", "fault"], "anybody can choose the address"),
        ([adding], 2, ["fault", "fault"], "anybody can choose the address"),
        ([without("X-Forwarded-Proto")], 1, ["ok", "fault"], "let each proxy add to X-Forwarded-Proto"),
        ([without("X-Forwarded-Host")], 1, ["ok", "fault"], "believes that it is at https://127.0.0.1:8000"),
        ([lambda held: {**adding(held), "X-Forwarded-Prefix": "/a"}], 1, ["ok", "fault"], "its path is /a"),
    ],
)
def test_hops_and_addresses_are_compared_with_what_a_request_shows(looked, chain, hops, states, says):
    found = looked(chain, hops)
    assert [state for state, _ in found] == states
    assert says in " ".join(text for _, text in found)


def test_a_server_with_another_key_tells_nothing(looked):
    ((state, said),) = looked([adding], 1, key="another key")
    assert (state, "does not know this installation's key" in said) == ("warning", True)


def test_nobody_else_learns_what_the_server_sees(door):
    key = base.secret_key(Config(database=door.storage.path))
    for signed in ("", "seen", signer("another").sign("seen").decode(), f"{key}"):
        assert door.client.get("/healthz", headers={ASKS: signed}).text == "alive\n"
    stale = signer(key)
    stale.get_timestamp = lambda: int(time.time()) - 3600
    assert door.client.get("/healthz", headers={ASKS: stale.sign("seen").decode()}).text == "alive\n"
    assert door.client.get("/healthz", headers={ASKS: signer(key).sign("seen").decode()}).is_json


@pytest.mark.parametrize(
    ("changed", "state", "says"),
    [
        ({}, "ok", "arrives as it was sent"),
        ({"content-security-policy": "default-src *"}, "fault", "changes Content-Security-Policy"),
        ({"set-cookie": "SERVERID=7"}, "fault", "sets a cookie"),
    ],
)
def test_what_proxies_do_to_an_answer(door, changed, state, says):
    answer = door.client.get("/readyz")
    held = {name.lower(): value for name, value in answer.headers.items()} | changed
    ((found, said),) = of(proxy.headers(Answer(200, held, b""), NOW), "headers")
    assert (found, says in said) == (state, True)


def test_the_command_asks_a_server(well, storage, served, port):
    with served(create_app(Config(database=well.database))) as address:
        code, printed = doctor("--database", well.database, "--url", address)
    assert code == 1
    assert "fault    TLS            without TLS" in printed
    assert "ok       server         it answers at its public address" in printed
    assert "ok       proxy          proxies: 0, as CANDOR_PROXY_HOPS says" in printed
    nobody = f"http://127.0.0.1:{port}"
    code, printed = doctor("--database", well.database, "--url", nobody)
    assert (code, f"{nobody} does not answer" in printed) == (1, True)


@pytest.mark.parametrize(
    "text", ["survey.example", "ftp://survey.example", "https://", "https://a:b@c/", "https://a:x/"]
)
def test_an_address_that_is_none_is_refused(text):
    ended = CliRunner().invoke(main, ["doctor", "--url", text])
    assert ended.exit_code == 2
    assert f"must be the address of a server, such as https://survey.example, got {text!r}" in ended.stderr
