"""`candor move`: a whole installation from a file into PostgreSQL, whatever it holds; and back out of it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pyotp
import pytest
from click import ClickException
from click.testing import CliRunner
from draft_editor import replaced

from server import create_app
from server.cli import main, serve
from server.config import Config
from server.store import drafts, invitations, pictures, submissions, surveys
from server.store.engine import Unavailable
from server.store.lifecycle import legal_hold, life, proposals, second_admin_rule
from server.store.lifecycle.legal_hold import LegalHold
from server.store.lifecycle.life import Schedule
from server.store.pictures import StoredPicture
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.results import visible_results
from server.store.sqlite.bucket_shape import shape_of
from server.store.sqlite.buckets import records_in, row_of
from server.store.sqlite.packed_records import packing_of
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, audit, identities, rights, second_admin, second_factor, tokens
from server.store.submissions import Submission
from server.store.upkeep import move as store_move
from server.store.upkeep import move_mark, verification


@pytest.fixture
def source(request, tmp_path, installations):
    """A file with an open survey, a closed one and a draft, of every kind of question."""
    path = Path(shutil.copy(installations[getattr(request, "param", "plain")], tmp_path / "candor.db"))
    yield (storage := SQLiteStorage(path))
    storage.close()


@pytest.fixture
def target(postgresql):
    yield (storage := PostgreSQLStorage(postgresql))
    storage.close()


def move(*arguments):
    return CliRunner().invoke(main, ["move", *map(str, arguments)])


def content(storage):
    """What an installation holds: every receipt and report, all that is shown, who may sign in."""

    def read(db):
        held = {}
        for survey in surveys.all_surveys(db):
            held[survey.slug] = (survey, submissions.days(db, survey.id))
            if survey.publication is not None:
                records = dict(db.reports.records(survey.id, survey.publication))
                counts = db.reports.counts(survey.id, survey.publication).tolist()
                held[survey.slug] += (records, counts, visible_results.results(db, survey))
        key = db.execute("SELECT value FROM settings WHERE name = 'secret_key'").fetchall()
        return held, accounts.all_accounts(db), [tuple(row) for row in key]

    return storage.read(read)


RUNNING, FINISHED, HALF, ADA, BEN = 1, 2, 3, 1, 2  # the surveys of the installation, and its accounts

ROWS = {
    "attempts": ("a" * 64, 1, 7.0),
    "staff_links": (1, "b" * 64, ADA, BEN, None, 1, 9),
    "staff_link_surveys": (1, RUNNING),
    "tokens": (5, "c" * 64, ADA, "nightly", 1, 1, "2030-01-01", "2026-06-01"),
    "token_surveys": (5, RUNNING),
    "grants": (BEN, RUNNING, 1),
    "identities": (BEN, "https://login.hillside.example", "ben-9", "2026-05-04"),
    "second_factors": (BEN, "S" * 32, 1, 60_000_000),
    "recovery_codes": (BEN, "d" * 64),
    "life": (HALF, "Asia/Seoul", 11, "f" * 64, 1, 13, 100, 12, None, 0, 1, 14, 0),
    "legal_holds": (HALF, "ada", 1, "a court asks for it"),
    "proposals": (RUNNING, "delete", "subject", BEN, 10, "ada", "eve"),
    "origins": (HALF, RUNNING, FINISHED),
    "invited": (RUNNING, 62, 2, 1, b"listed"),
}
"""Table -> a row of it, no value of which is one that it has by itself."""


def fill_every_table(db):
    """Put something into each column of each table, and two rows or more into the large ones."""
    for table, row in ROWS.items():
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    invitations.insert(db, [(RUNNING, sheet, invitations.EMPTY + sheet, b"h" * 992) for sheet in range(2)])
    for trigger in ("leaf_sheets_are_made_once", "counted_lists_never_change"):
        db.execute(f"DROP TRIGGER {trigger}")
    for place in range(1, 2 * store_move.AT_ONCE):
        leaf = place.to_bytes(32)
        db.execute("INSERT INTO leaf_sheets VALUES (?, ?, ?, ?, ?)", [FINISHED, place, leaf, leaf, leaf])
    db.execute("UPDATE counted_lists SET bits = 3, noted = 1")
    for table in ("surveys", "accounts"):
        db.number_after(table, 10)
    db.execute("UPDATE account_rights SET editor = 1")
    db.execute("DELETE FROM account_rights WHERE account_id = ?", [ADA])  # the first number is no other's
    running = surveys.get(db, RUNNING).publication
    db.reports.publish(RUNNING, running, db.reports.counts(RUNNING, running))
    life.note(db, RUNNING, paused=1)
    life.note(db, FINISHED, remove_at=15, removed=1)
    pictures.add(db, HALF, StoredPicture("png", 3, 2, b"picture"))
    audit.note(db, "ada", "signed_in", "running", "about")
    for name in ("attempts", "moved", "head_sent", "backups"):
        db.execute("INSERT INTO settings VALUES (?, 'of this database only')", [name])


@pytest.fixture
def everything(source):
    """The file with something in each column of each table."""
    replaced(source, "half", {"slug": "half", "title": {"en": "Whole"}}, "ada")
    source.write(fill_every_table)
    return source


@pytest.fixture
def other(tmp_path):
    """Another file, which is empty."""
    with closing(SQLiteStorage(tmp_path / "other.db")) as storage:
        storage.create()
        yield storage


def carried(source, target):
    """Carry everything over, as a move does, and a restore."""
    return source.read(lambda held: target.write(lambda db: store_move.carry(db, held)))


def rows_of_tables(storage):
    """Every row of every table, but reports and counts, which are under another key in each file."""

    def read(db):
        own = ("buckets_", "reports_", "counts", "sqlite_")
        tables = [name for name in db.table_names() if not name.startswith(own)]
        return {name: set(db.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}

    return storage.read(read)


BEHIND = ("sessions", "attempts", "staff_links", "staff_link_surveys")


def test_each_column_of_each_table_goes_along_but_what_stays_behind_on_purpose(everything, other):
    before, behind = rows_of_tables(everything), {name: set() for name in BEHIND}
    assert {name for name, rows in before.items() if not rows} == set()
    assert {name for name, rows in before.items() if not all(map(any, zip(*rows, strict=True)))} <= {*BEHIND}
    totals = carried(everything, other)
    assert (totals.accounts, totals.surveys, totals.reports) == (2, 3, 12)
    settings = {(name, value) for name, value in before["settings"] if name == "secret_key"}
    assert rows_of_tables(other) == before | behind | {"settings": settings}
    assert [
        other.read(lambda db, table=table: db.last_number(table)) for table in ("surveys", "accounts")
    ] == [
        10,
        10,
    ]


@pytest.mark.parametrize("source", ["plain", "sections"], indirect=True)
def test_everything_is_there_afterwards_in_another_file(source, other):
    before = content(source)
    carried(source, other)
    other.finish()
    assert content(other) == before


@pytest.mark.parametrize(
    ("there", "held"),
    [
        (
            "INSERT INTO surveys (slug, state, draft) VALUES ('a', 'draft', '{}')",
            "surveys (1) or accounts (0)",
        ),
        (
            "INSERT INTO accounts (name, role, password_hash) VALUES ('eve', 'admin', '$argon2id$x')",
            "surveys (0) or accounts (1)",
        ),
    ],
)
def test_nothing_is_carried_to_where_something_is(source, other, there, held):
    other.write(lambda db: db.execute(there) and None)
    with pytest.raises(Unavailable) as refused:
        carried(source, other)
    assert str(refused.value) == f"it must be empty, and it has {held}"


def another_receipt(db):
    """Change a receipt: as many reports are there as before, with the same codes."""
    width = shape_of(packing_of(surveys.get(db, RUNNING).publication).size).width
    shape = shape_of(width - 16)
    ((held,),) = db.execute("SELECT records FROM buckets_1 WHERE bucket = 0").fetchall()
    records = bytearray(records_in(held, width))
    records[0] ^= 1
    db.execute("UPDATE buckets_1 SET records = ? WHERE bucket = 0", [row_of(shape, bytes(records))])


ON_THE_WAY = {
    "UPDATE settings SET value = 'other' WHERE name = 'secret_key'": (
        "the settings that arrived are not those that were sent"
    ),
    "DELETE FROM days": "the days that arrived are not those that were sent",
    "UPDATE leaf_sheets SET root = zeroblob(32) WHERE place = 150": (
        "the leaf_sheets that arrived are not those that were sent"
    ),
    "DELETE FROM leaf_sheets WHERE place = 199": "the leaf_sheets that arrived are not those that were sent",
    "UPDATE surveys SET draft = '{}' WHERE id = 3": "what arrived of half is not what was sent",
    "UPDATE counts SET counted = zeroblob(length(counted)) WHERE survey_id = 1": (
        "the counts of running are not those of its reports"
    ),
    "UPDATE counts SET published = zeroblob(length(counted)) WHERE survey_id = 1": (
        "what arrived of running is not what was sent"
    ),
    "UPDATE counts SET counted = zeroblob(length(counted)) WHERE survey_id = 2": (
        "what arrived of finished is not what was sent"
    ),
    another_receipt: "what arrived of running is not what was sent",
}
"""What happens on the way -> how it is refused."""


@pytest.mark.parametrize("happens", ON_THE_WAY)
def test_whatever_did_not_arrive_as_it_was_sent_is_named(everything, other, monkeypatch, happens):
    def damaged(target, source):
        for (trigger,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            target.execute(f"DROP TRIGGER {trigger}")
        happens(target) if callable(happens) else target.execute(happens)
        compare(target, source)

    compare = store_move.compare
    monkeypatch.setattr(store_move, "compare", damaged)
    with pytest.raises(Unavailable) as refused:
        carried(everything, other)
    assert str(refused.value) == ON_THE_WAY[happens]


@pytest.mark.parametrize("source", ["plain", "sections"], indirect=True)
def test_everything_is_there_afterwards_under_the_same_numbers(source, target):
    before = content(source)
    assert {survey.state for survey, *_ in before[0].values()} == {"open", "closed", "draft"}
    assert any(len(records) >= 5 for _, _, *rest in before[0].values() for records in rest[:1])
    ended = move(source.path, target.url.text)
    assert ended.exit_code == 0, ended.output
    reports = sum(len(rest[0]) for _, _, *rest in before[0].values() if rest)
    numbers = f"surveys: {len(before[0])}, reports: {reports}, accounts: {len(before[1])}"
    assert numbers in ended.output
    target.finish()  # as a server does when it starts
    assert content(target) == before


def test_respondents_go_on_where_they_were(source, target, clock):
    records = content(source)[0]["running"][2]
    assert move(source.path, target.url.text).exit_code == 0
    app = create_app(Config(database=target.url), clock)
    survey = target.read(surveys.by_slug, "running")
    known = min(records)
    reports = target.read(submissions.reports_under, survey.id, survey.publication, known.hex())
    fingerprint = survey.publication.fingerprint
    again = [Submission(survey.id, fingerprint, receipt, reports) for receipt in (known.hex(), "ab" * 16)]
    committer = app.extensions["candor"].committer
    assert [committer.submit(one, "2026-06-03") for one in again] == ["repeated", "stored"]
    assert len(content(target)[0]["running"][2]) == len(records) + 1
    app.extensions["candor"].storage.close()


def test_new_surveys_and_accounts_get_numbers_that_were_never_used(source, target, survey_file):
    last = source.write(surveys.create_draft, survey_file("last"))
    source.write(surveys.delete_survey, last.id)
    assert move(source.path, target.url.text).exit_code == 0
    assert target.write(surveys.create_draft, survey_file("next")).id == last.id + 1
    eve = target.write(accounts.insert, "eve", "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$eve", "admin")
    assert eve.id == max(account.id for account in content(source_before(source))[1]) + 1


def source_before(source):
    """The file as it was, to be read again."""
    assert move("--undo", source.path).exit_code == 0
    return source


def test_legal_holds_and_what_waits_for_a_second_admin_go_along(source, target):
    ada, running = source.read(accounts.all_accounts)[0], source.read(surveys.by_slug, "running")
    dan = source.write(accounts.insert, "dan", ada.password_hash, "admin")
    hold = LegalHold("ada", 1, "a court asks for it")
    source.write(legal_hold.put, running.id, hold)
    source.write(second_admin_rule.require, dan.id, 10.0)
    source.write(proposals.propose, running.id, "delete", running.publication.fingerprint, dan.id, 10.0)
    source.write(second_admin_rule.propose_stop, dan.id, 10.0)
    waiting = source.read(proposals.waiting, 10.0)
    assert {each.what for each in waiting} == {"delete", "stop"}
    ended = move(source.path, target.url.text)
    assert ended.exit_code == 0, ended.output
    assert target.read(legal_hold.of, running.id) == hold
    assert target.read(proposals.waiting, 10.0) == waiting
    assert target.read(second_admin.is_required)


def test_tokens_of_programs_go_along_and_new_ones_get_new_numbers(source, target):
    ((account, survey),) = source.read(
        lambda db: db.execute("SELECT min(accounts.id), min(surveys.id) FROM accounts, surveys").fetchall()
    )
    secret = source.write(tokens.create, account, "nightly", True, {survey}, "2030-01-01")
    held = source.read(tokens.holder, secret, "2026-06-01")
    assert move(source.path, target.url.text).exit_code == 0
    assert target.read(tokens.holder, secret, "2026-06-01") == held
    target.write(tokens.create, account, "another", False, None, None)
    assert len(target.read(tokens.of_account, account)) == 2


def test_pictures_go_along_with_the_surveys_that_use_them(source, target):
    one, other = StoredPicture("png", 3, 2, b"one"), StoredPicture("webp", 5, 4, bytes(range(256)))
    drafts = [source.write(surveys.create_draft, {"slug": slug}).id for slug in ("first", "second")]
    for number, picture in ((drafts[0], one), (drafts[1], one), (drafts[1], other)):
        source.write(pictures.add, number, picture)
    assert move(source.path, target.url.text).exit_code == 0
    for number, held in zip(drafts, ({one}, {one, other}), strict=True):
        assert target.read(pictures.of_survey, number) == {each.sha256 for each in held}
        assert {target.read(pictures.used_by, number, each.sha256) for each in held} == held


def test_a_picture_that_is_not_what_its_name_says_is_refused(source, target):
    draft = source.write(surveys.create_draft, {"slug": "first"})
    source.write(pictures.add, draft.id, StoredPicture("png", 3, 2, b"one"))
    source.write(lambda db: db.execute("DROP TRIGGER pictures_never_change"))
    source.write(lambda db: db.execute("UPDATE pictures SET bytes = CAST('others' AS BLOB)"))
    moved = move(source.path, target.url.text)
    assert moved.exit_code == 1
    assert "are not those of its name" in moved.output
    assert target.read(surveys.all_surveys) == []


def test_what_was_typed_into_a_draft_goes_along(source, target):
    half = replaced(source, "half", {"slug": "half", "title": {"en": "x" * 9999}}, "ada")
    assert move(source.path, target.url.text).exit_code == 0
    assert target.read(surveys.get, half.id).document == half.document
    assert target.read(drafts.saves_of, half.id).pages == [["", 0, "ada", half.tag]]


EVE = identities.Person("https://login.hillside.example", "eve-9", "eve", frozenset())


def test_what_staff_may_do_goes_along_with_their_second_factors_and_what_they_did(source, target):
    def staff(db):
        ((survey,),) = db.execute("SELECT min(id) FROM surveys").fetchall()
        eve = rights.add(db, "eve", "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$eve", "editor", False, [survey])
        second_factor.new_recovery_codes(db, eve.id)
        identities.attach(db, eve.id, EVE, "2026-05-04")
        audit.note(db, "eve", "signed_in")
        return second_factor.begin(db, eve.id)

    secret = source.write(staff)
    before = source.read(rights.everybody), source.read(audit.lines, audit.LineFilter())
    assert move(source.path, target.url.text).exit_code == 0
    assert (target.read(rights.everybody), target.read(audit.lines, audit.LineFilter())) == before
    eve = target.read(accounts.by_name, "eve")
    assert target.read(identities.find, EVE) == eve
    assert target.read(second_factor.recovery_codes_left, eve.id) == 10
    code = pyotp.TOTP(secret).at(1_000_000)
    assert len(target.write(second_factor.confirm, eve.id, code, 1_000_000, "")) == 10
    target.write(audit.note, "eve", "signed_out")
    assert target.read(audit.lines, audit.LineFilter())[0].id > before[1][0].id


def test_sessions_stay_behind(source, target):
    assert source.read(lambda db: db.execute("SELECT count(*) FROM sessions").fetchone()) == (2,)
    assert move(source.path, target.url.text).exit_code == 0
    assert target.read(lambda db: db.execute("SELECT count(*) FROM sessions").fetchone()) == (0,)


def test_the_file_is_refused_afterwards_until_that_is_taken_back(source, target, monkeypatch):
    before = content(source)
    assert source.idle  # a server that has it open
    assert move(source.path, target.url.text).exit_code == 0
    refusal = f"it was moved to {target.name}: use that, or go back with candor move --undo"
    with pytest.raises(Unavailable, match="it was moved to"):
        source.write(lambda db: None)
    with pytest.raises(ClickException) as refused:
        serve.prepare(Config(database=source.path))
    assert refused.value.message == f"the database {source.path} cannot be used: {refusal}"
    assert move(source.path, target.url.text).stderr == f"Error: {refused.value.message}\n"
    undone = move("--undo", source.path)
    assert undone.exit_code == 0
    assert content(source) == before
    assert serve.prepare(Config(database=source.path)).secret_key
    assert move("--undo", source.path).stderr.endswith("cannot be used: it has not been moved\n")


def test_a_mark_keeps_everybody_from_a_file_until_it_is_taken_off(source):
    before = rows_of_tables(source)
    with move_mark.locked_file(source.path) as db:
        with pytest.raises(Unavailable, match="locked"):
            SQLiteStorage(source.path, busy_seconds=0.05).write(lambda db: None)
        move_mark.mark(db, "elsewhere")
    for use in (source.check, lambda: move_mark.locked_file(source.path).__enter__()):
        with pytest.raises(Unavailable, match="it was moved to elsewhere: use that, or go back"):
            use()
    assert move_mark.unmark(source.path) == "elsewhere"
    assert rows_of_tables(source) == before
    with pytest.raises(Unavailable, match="it has not been moved"):
        move_mark.unmark(source.path)


def test_a_file_that_another_version_moved_keeps_its_mark(source):
    with move_mark.locked_file(source.path) as db:
        db.execute("UPDATE versions SET number = 13")
        move_mark.mark(db, "elsewhere")
    with pytest.raises(Unavailable, match="an earlier version of Candor made it"):
        move_mark.unmark(source.path)


@pytest.mark.parametrize("use", [move_mark.unmark, lambda path: move_mark.locked_file(path).__enter__()])
def test_a_file_that_is_not_there_is_not_marked(tmp_path, use):
    with pytest.raises(Unavailable, match="there is no such file"):
        use(tmp_path / "none.db")


def test_a_database_that_is_not_empty_is_refused_and_nothing_changes(source, target, survey_file):
    target.write(surveys.create_draft, survey_file("theirs"))
    before, there = content(source), content(target)
    ended = move(source.path, target.url.text)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"Error: the database {target.name} cannot be used: "
        "it must be empty, and it has surveys (1) or accounts (0)\n"
    )
    assert (content(source), content(target)) == (before, there)


DAMAGE = {
    "the counts of running are not those of its reports": (
        "UPDATE tallies SET counts = set_byte(counts, 0, 77)"
    ),
    "what arrived of running is not what was sent": "UPDATE tallies SET published = counts",
    "the days that arrived are not those that were sent": "INSERT INTO days VALUES (1, '2026-01-01', 1, 1)",
}
"""What is refused -> what has happened on the way."""


@pytest.mark.parametrize("refused", DAMAGE)
def test_what_did_not_arrive_as_it_was_sent_is_refused_and_undone(source, target, monkeypatch, refused):
    def damaged(db, source, survey):
        number = carry_survey(db, source, survey)
        if survey.slug == "running":
            db.execute(DAMAGE[refused])
        return number

    before, carry_survey = content(source), store_move.carry_survey
    monkeypatch.setattr(store_move, "carry_survey", damaged)
    ended = move(source.path, target.url.text)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr == f"Error: the database {target.name} cannot be used: {refused}\n"
    assert content(source) == before
    assert content(target) == ({}, [], [])


def test_where_the_file_cannot_be_marked_nothing_is_moved(source, target, monkeypatch):
    def full(db, name):
        raise full_disk

    full_disk = sqlite3.OperationalError("database or disk is full")
    full_disk.sqlite_errorcode = sqlite3.SQLITE_FULL
    before = content(source)
    monkeypatch.setattr(move_mark, "mark", full)
    refused = move(source.path, target.url.text)
    assert refused.stderr == (f"Error: the database {source.path} cannot be used: database or disk is full\n")
    assert content(source) == before
    assert content(target) == ({}, [], [])


def test_a_commit_that_is_not_confirmed_leaves_a_file_that_nobody_writes_to(source, target, monkeypatch):
    def then_the_server_goes(db, name):
        mark(db, name)
        with psycopg.connect(target.url.text) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
                "WHERE application_name = 'candor' AND datname = current_database()"
            )

    before, mark = content(source), move_mark.mark
    monkeypatch.setattr(move_mark, "mark", then_the_server_goes)
    unconfirmed = move(source.path, target.url.text)
    assert unconfirmed.exit_code == 1
    assert unconfirmed.stderr.endswith(
        f". Unless it holds everything, go back with candor move --undo {source.path}\n"
    )
    with pytest.raises(Unavailable, match="it was moved to"):
        source.write(lambda db: None)
    assert move("--undo", source.path).exit_code == 0
    assert content(source) == before


def test_names_that_differ_by_case_alone_are_refused_as_the_server_takes_them_for_the_same(source, other):
    for name in ("Élise", "élise"):
        source.write(accounts.insert, name, "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$x", "researcher")
    with pytest.raises(Unavailable, match="must differ by more than case, got Élise and élise"):
        carried(source, other)
    assert content(other) == ({}, [], [])


def test_nobody_writes_to_the_file_while_it_moves(source, target, monkeypatch):
    object.__setattr__(source, "busy_seconds", 0.05)

    def meanwhile(*arguments):
        with pytest.raises(Unavailable, match="locked"):
            source.write(surveys.create_draft, {"slug": "late"})
        return carry_survey(*arguments)

    carry_survey = store_move.carry_survey
    monkeypatch.setattr(store_move, "carry_survey", meanwhile)
    assert move(source.path, target.url.text).exit_code == 0


@pytest.mark.parametrize("arguments", [("here.db",), ("--undo", "here.db", "postgresql://h/d")])
def test_it_is_one_thing_or_the_other(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.db").touch()
    refused = move(*arguments)
    assert refused.exit_code == 2
    assert "POSTGRESQL must be given, or --undo, and not both" in refused.stderr


def test_a_url_that_is_none_is_refused_without_its_password(tmp_path):
    (tmp_path / "here.db").touch()
    refused = move(tmp_path / "here.db", "mysql://eve:secret@host/name")
    assert refused.exit_code == 1
    assert "postgresql://user@host/database" in refused.stderr
    assert "secret" not in refused.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["move", "{}", "postgresql://owner@/new"],
        ["move", "--undo", "{}"],
        ["demo", "--port", "0", "--database", "{}"],
    ],
)
def test_a_url_in_the_place_of_a_file_is_refused_in_one_sentence_without_its_password(command):
    given = [word.format("postgresql://eve:secret@host/name") for word in command]
    refused = CliRunner().invoke(main, given)
    assert refused.exit_code == 1
    assert refused.stderr.endswith(": must be a SQLite file, got another URL\n")
    assert "secret" not in refused.stderr


def test_a_file_that_is_not_there_is_named_in_one_sentence(tmp_path):
    refused = move(tmp_path / "none.db", "postgresql://owner@/new")
    assert refused.exit_code == 1
    assert refused.stderr.splitlines() == [
        f"Error: Invalid value for 'SQLITE': File '{tmp_path / 'none.db'}' does not exist."
    ]


@pytest.fixture
def with_lives(source, clock):
    """An open survey that is paused, and one that closed by its date and whose reports were removed."""
    held = source.read(surveys.all_surveys)
    moment = int(clock().timestamp())
    running = next(each for each in held if each.state == "open")
    closed = next(each for each in held if each.state == "closed")
    source.write(life.schedule, running.id, Schedule("Asia/Seoul", closes_at=moment + 9), moment)
    source.write(life.pause, running.id)
    source.write(life.schedule, closed.id, Schedule(remove_at=moment + 1), moment)
    source.finish()
    source.write(lambda db: db.reports.remove(closed.id))
    source.finish()
    return running, closed


def test_what_became_of_surveys_goes_along_and_removed_reports_do_not_come_back(source, target, with_lives):
    lives, shown = source.read(life.of_all), {}
    for survey in with_lives:
        shown[survey.id] = source.read(visible_results.results, survey)
    ended = move(source.path, target.url.text)
    assert ended.exit_code == 0, ended.output
    target.finish()
    assert target.read(life.of_all) == lives
    assert {survey.id: target.read(visible_results.results, survey) for survey in with_lives} == shown
    assert [faults for _, _, faults in verification.verify_surveys(target)] == [[], []]
