"""``candor user``: staff accounts from the command line."""

from contextlib import closing

import pyotp
import pytest
from click.testing import CliRunner

from server.cli.user import user
from server.store import surveys
from server.store.sqlite.connection import connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, audit, rights, second_factor
from server.store.staff.audit import LineFilter

PASSWORD = "a long enough password"


@pytest.fixture
def run(tmp_path, monkeypatch):
    path = tmp_path / "candor.db"
    monkeypatch.setenv("CANDOR_DATABASE", str(path))
    SQLiteStorage(path).create()
    runner = CliRunner()

    def run(*arguments, stdin=None):
        return runner.invoke(user, arguments, input=stdin)

    run.path = path
    return run


def stored(run, name):
    db = connect(run.path)
    found = accounts.by_name(db, name)
    db.close()
    return found


def test_an_account_is_added_with_a_password_from_standard_input(run):
    result = run("add", "ada", "--role", "admin", "--password-stdin", stdin=PASSWORD + "\n")
    assert (result.exit_code, result.output) == (0, "ada can now sign in as admin\n")
    assert accounts.password_matches(stored(run, "ada"), PASSWORD)


def test_an_account_is_added_with_a_password_typed_twice_and_not_shown(run):
    result = run("add", "ben", stdin=f"{PASSWORD}\n{PASSWORD}\n")
    assert result.exit_code == 0
    assert PASSWORD not in result.output
    assert stored(run, "ben").role == "researcher"


def test_a_short_password_is_refused_in_one_sentence(run):
    result = run("add", "ada", "--password-stdin", stdin="short\n")
    assert result.exit_code == 1
    assert result.output == "Error: password must have 12 to 1000 characters, got 5\n"
    assert stored(run, "ada") is None


@pytest.mark.parametrize("typed", ["", PASSWORD])
def test_where_nobody_types_a_password_it_is_told_how_to_send_one(run, typed):
    result = run("add", "ada", stdin=typed)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "Error: nobody can be asked for a password here: send it on standard input, with --password-stdin"
    )
    assert stored(run, "ada") is None


def test_accounts_are_listed_with_their_roles(run):
    for name, role in (("ben", "researcher"), ("ada", "admin")):
        run("add", name, "--role", role, "--password-stdin", stdin=PASSWORD)
    assert run("list").output == "admin       ada\nresearcher  ben\n"


def test_a_password_is_changed(run):
    run("add", "ada", "--password-stdin", stdin=PASSWORD)
    assert run("password", "ADA", "--password-stdin", stdin="another long password").exit_code == 0
    assert accounts.password_matches(stored(run, "ada"), "another long password")


def test_an_account_is_removed_but_not_the_last_admin(run):
    run("add", "ada", "--role", "admin", "--password-stdin", stdin=PASSWORD)
    run("add", "ben", "--password-stdin", stdin=PASSWORD)
    assert run("remove", "ben").exit_code == 0
    assert stored(run, "ben") is None
    refused = run("remove", "ada")
    assert refused.exit_code == 1
    assert "the last admin cannot be removed" in refused.output


@pytest.mark.parametrize("command", ["remove", "password"])
def test_a_name_without_an_account_is_named_in_the_error(run, command):
    result = run(command, "nobody")
    assert result.exit_code == 1
    assert "got 'nobody'" in result.output


def test_an_account_gets_the_surveys_that_are_named(run):
    with closing(SQLiteStorage(run.path)) as storage:
        for slug in ("one", "two"):
            storage.write(surveys.create_draft, {"candor": 1, "slug": slug, "languages": ["en"]})
    given = ("--survey", "one", "--password-stdin")
    assert run("add", "eve", "--role", "editor", *given, stdin=PASSWORD).exit_code == 0
    assert run("add", "ben", "--all-surveys", "--password-stdin", stdin=PASSWORD).exit_code == 0
    with closing(SQLiteStorage(run.path)) as storage:
        held = {account.name: standing for account, standing in storage.read(rights.everybody)}
        said = [(line.who, line.what, line.about) for line in storage.read(audit.lines, LineFilter())]
    assert (held["eve"].role, [*held["eve"].slugs], held["eve"].all_surveys) == ("editor", ["one"], False)
    assert (held["ben"].role, [*held["ben"].slugs], held["ben"].all_surveys) == ("researcher", [], True)
    assert said == [("command line", "account_added", name) for name in ("ben", "eve")]


def test_a_second_factor_is_removed_for_somebody_who_has_lost_it(run):
    run("add", "cleo", "--password-stdin", stdin=PASSWORD)
    with closing(SQLiteStorage(run.path)) as storage:
        secret = storage.write(second_factor.begin, 1)
        code = pyotp.TOTP(secret).at(1_000_000)
        codes = storage.write(second_factor.confirm, 1, code, 1_000_000, "")
        assert codes
        assert storage.read(second_factor.is_on, 1)
        assert run("reset-factor", "CLEO").output == "cleo can now sign in with the password alone\n"
        assert not storage.read(second_factor.is_on, 1)
        assert storage.read(second_factor.recovery_codes_left, 1) == 0
    assert "must be the name of an account" in run("reset-factor", "nobody").output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--survey", "none"), "must be the name of a survey, got 'none'"),
        (("--role", "editor", "--all-surveys"), "--all-surveys is for researchers, got --role editor"),
    ],
)
def test_rights_that_cannot_be_given_are_refused(run, options, words):
    refused = run("add", "ben", *options, "--password-stdin", stdin=PASSWORD)
    assert refused.exit_code == 2
    assert words in refused.output
    assert stored(run, "ben") is None
