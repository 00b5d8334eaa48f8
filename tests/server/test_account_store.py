"""Accounts: what is stored of a password and of a session, and what ends them."""

import time

import pytest

from server.store.postgresql import connection as postgresql
from server.store.sqlite import connection as sqlite
from server.store.staff import accounts, sessions
from server.store.staff.accounts import ARGON2, AccountError, AccountGone  # before tests hash weakly

PASSWORD = "a long enough password"


pytestmark = pytest.mark.engines


@pytest.fixture
def db(engine, database):
    db = (
        sqlite.connect(database) if engine == "sqlite" else postgresql.connect(database, time.monotonic() + 5)
    )
    yield db
    db.close()


def everything(db):
    """Every value that the tables of accounts and sessions hold."""
    return repr([db.execute(f"SELECT * FROM {table}").fetchall() for table in ("accounts", "sessions")])


@pytest.fixture
def admin(db):
    return accounts.create(db, "Ada", PASSWORD, "admin")


def test_a_guess_at_a_password_costs_what_owasp_asks_at_least():
    """Argon2id with 19 MiB and two passes: the Password Storage Cheat Sheet."""
    assert (ARGON2.memory_cost >= 19 * 1024, ARGON2.time_cost >= 2) == (True, True)


def test_a_password_is_stored_as_argon2id_and_nothing_else(db, admin):
    assert admin.password_hash.startswith("$argon2id$")
    assert PASSWORD not in everything(db)


def test_the_right_password_opens_the_account_and_no_other_does(admin):
    assert accounts.password_matches(admin, PASSWORD)
    assert not accounts.password_matches(admin, PASSWORD + " ")
    assert not accounts.password_matches(None, PASSWORD)


@pytest.mark.parametrize("length", [0, 11, 1001])
def test_a_password_outside_12_to_1000_characters_is_refused_with_its_length_only(db, length):
    with pytest.raises(
        AccountError, match=rf"^password must have 12 to 1000 characters, got {length}$"
    ) as raised:
        accounts.create(db, "Ada", "x" * length, "admin")
    assert raised.value.code == "password"
    assert accounts.count(db) == 0


def test_the_longest_password_counts_to_its_last_character(db):
    longest = accounts.create(db, "Ada", "x" * 1000, "admin")
    assert accounts.password_matches(longest, "x" * 1000)
    assert not accounts.password_matches(longest, "x" * 999)
    assert not accounts.password_matches(longest, "x" * 1001)


def test_of_two_servers_that_start_at_once_one_makes_the_first_admin(db):
    assert accounts.create_first(db, "Ada", PASSWORD)
    assert not accounts.create_first(db, "Ada", PASSWORD)
    assert [(each.name, each.role) for each in accounts.all_accounts(db)] == [("Ada", "admin")]


def test_a_password_of_exactly_12_characters_is_accepted(db):
    assert accounts.create(db, "Ada", "x" * 12, "admin").name == "Ada"


def test_names_are_unique_whatever_the_case_of_their_letters(db, admin):
    assert accounts.by_name(db, "aDA") == admin
    with pytest.raises(AccountError, match="got 'ADA'") as raised:
        accounts.create(db, "ADA", PASSWORD, "researcher")
    assert raised.value.code == "name_taken"


@pytest.mark.parametrize("name", ["Ben", "", "a\0b", "' OR name <> '"])
def test_a_name_that_nobody_has_opens_nothing(db, admin, name):
    assert accounts.by_name(db, name) is None


def test_no_account_has_a_number_that_no_database_counts_to(db, admin):
    assert accounts.by_id(db, 2**63) is None
    with pytest.raises(AccountGone):
        accounts.numbered(db, 2**63)


@pytest.mark.parametrize("name", ["", "two words", "x" * 65, "<b>", "a\n"])
def test_a_name_that_would_be_hard_to_type_or_show_is_refused(db, name):
    with pytest.raises(AccountError, match="name must be 1 to 64"):
        accounts.create(db, name, PASSWORD, "admin")


def test_a_role_is_one_of_three(db):
    with pytest.raises(AccountError, match="role must be one of admin, editor, researcher, got 'owner'"):
        accounts.create(db, "Ada", PASSWORD, "owner")


def test_a_session_opens_its_account_until_it_runs_out(db, admin):
    token = sessions.start(db, admin.id, now=1000)
    assert sessions.account_of(db, token, now=1000) == admin
    assert sessions.account_of(db, token, now=1000 + sessions.SECONDS - 1) == admin
    assert sessions.account_of(db, token, now=1000 + sessions.SECONDS) is None


def test_the_database_does_not_hold_the_token_of_a_session(db, admin):
    assert sessions.start(db, admin.id, now=0) not in everything(db)


def test_a_session_that_ended_opens_nothing_and_leaves_others_alone(db, admin):
    first, second = (sessions.start(db, admin.id, now=0) for _ in range(2))
    sessions.end(db, first)
    assert sessions.account_of(db, first, now=1) is None
    assert sessions.account_of(db, second, now=1) == admin


def test_all_other_sessions_of_an_account_end_and_those_of_nobody_else(db, admin):
    other = accounts.create(db, "Ben", PASSWORD, "researcher")
    kept, ended, theirs = (sessions.start(db, account.id, now=0) for account in (admin, admin, other))
    sessions.end_others(db, admin.id, kept)
    opened = [sessions.account_of(db, token, now=1) for token in (kept, ended, theirs)]
    assert opened == [admin, None, other]


def test_a_session_knows_when_it_began_until_it_ends(db, admin):
    token = sessions.start(db, admin.id, now=1000)
    assert sessions.begun_at(db, token) == 1000
    sessions.end(db, token)
    assert sessions.begun_at(db, token) == 0


def test_a_new_password_ends_every_session_of_the_account(db, admin):
    other = accounts.create(db, "Ben", PASSWORD, "researcher")
    mine, theirs = (sessions.start(db, account.id, now=0) for account in (admin, other))
    accounts.set_password(db, admin.id, "another long password")
    assert sessions.account_of(db, mine, now=1) is None
    assert sessions.account_of(db, theirs, now=1) == other
    assert accounts.password_matches(accounts.by_name(db, "Ada"), "another long password")


def test_an_account_that_has_gone_gets_no_password_and_no_session(db, admin):
    with pytest.raises(AccountGone):
        accounts.set_password(db, admin.id + 1, "another long password")
    with pytest.raises(AccountGone):
        sessions.start(db, admin.id + 1, now=0)


def test_sessions_that_ran_out_are_swept_away_when_the_next_one_starts(db, admin):
    sessions.start(db, admin.id, now=0)
    sessions.start(db, admin.id, now=sessions.SECONDS)
    assert db.execute("SELECT count(*) FROM sessions").fetchone() == (1,)


def test_removing_an_account_ends_its_sessions(db, admin):
    other = accounts.create(db, "Ben", PASSWORD, "researcher")
    token = sessions.start(db, other.id, now=0)
    accounts.delete(db, other.id)
    assert sessions.account_of(db, token, now=1) is None
    assert [account.name for account in accounts.all_accounts(db)] == ["Ada"]


def test_the_last_admin_cannot_be_removed(db, admin):
    accounts.create(db, "Ben", PASSWORD, "researcher")
    with pytest.raises(AccountError, match="last admin"):
        accounts.delete(db, admin.id)
    accounts.create(db, "Cleo", PASSWORD, "admin")
    accounts.delete(db, admin.id)
    assert accounts.by_name(db, "Ada") is None


def test_an_issued_password_is_long_and_never_the_same():
    issued = {accounts.new_password() for _ in range(100)}
    assert len(issued) == 100
    assert {len(password) for password in issued} == {20}
