"""`candor backup` and `candor restore`: everything comes back, on either engine, or nothing happens."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from draft_editor import replaced

from server.cli import main
from server.store import drafts, pictures, submissions, surveys
from server.store.engine import Unavailable
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.pictures import StoredPicture
from server.store.postgresql import connection
from server.store.results import visible_results
from server.store.sqlite.connection import SQLite, connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, tokens
from server.store.storage import storage_at
from server.store.submissions import Submission
from server.store.upkeep import backup, backup_file, move
from survey.counted_list import leaves_of


def candor(*arguments):
    ended = CliRunner().invoke(main, [str(getattr(each, "text", each)) for each in arguments])
    return ended.exit_code, ended.stdout, ended.stderr


@pytest.fixture
def installation(tmp_path, installations):
    """A file with an open survey, a closed one and a draft, of every kind of question, and with sessions."""
    return Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))


@pytest.fixture
def saved(installation, tmp_path):
    """A backup of it."""
    assert candor("backup", tmp_path / "backup.zip", "--database", installation)[0] == 0
    return tmp_path / "backup.zip"


def content(database):
    """What an installation holds: every receipt and report, all that is shown, who may sign in."""

    def read(db):
        held = {}
        for survey in surveys.all_surveys(db):
            held[survey.slug] = [survey, submissions.days(db, survey.id)]
            if survey.publication is not None:
                held[survey.slug] += [
                    dict(db.reports.records(survey.id, survey.publication)),
                    db.reports.counts(survey.id, survey.publication).tolist(),
                    db.reports.published(survey.id, survey.publication).tolist(),
                ]
        return held, accounts.all_accounts(db)

    with closing(storage_at(database)) as storage:
        return storage.read(read)


def rows(database, table):
    with closing(storage_at(database)) as storage:
        return storage.read(lambda db: db.execute(f"SELECT * FROM {table}").fetchall())


# What comes back.


def test_everything_comes_back_and_the_command_says_what_that_is(installation, tmp_path):
    before = content(installation)
    code, told, warned = candor("backup", tmp_path / "backup.zip", "--database", installation)
    reports = sum(len(rest[2]) for rest in before[0].values() if len(rest) > 2)
    assert (code, reports > 10) == (0, True)
    assert f"surveys: {len(before[0])}, reports: {reports}, accounts: {len(before[1])}" in told
    assert "hashes of passwords" in told
    assert "1 of its surveys take reports" in warned
    code, told, _ = candor("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db")
    assert code == 0
    assert "staff sign in again" in told
    assert content(tmp_path / "new.db") == before == content(installation)


def test_from_one_engine_to_the_other_and_back(installation, saved, postgresql, tmp_path):
    before = content(installation)
    assert candor("restore", saved, "--database", postgresql)[0] == 0
    assert content(postgresql) == before
    assert candor("backup", tmp_path / "again.zip", "--database", postgresql)[0] == 0
    assert candor("restore", tmp_path / "again.zip", "--database", tmp_path / "new.db")[0] == 0
    assert content(tmp_path / "new.db") == before
    for place in (postgresql, tmp_path / "new.db"):  # closed surveys stand in plain tables at once
        with closing(storage_at(place)) as storage:
            assert storage.read(lambda db: db.reports.finished(before[0]["finished"][0].id))
    made = [backup_file.describe(file).engine for file in (saved, tmp_path / "again.zip")]
    assert made == ["SQLite", "PostgreSQL"]


def test_a_restore_tells_of_a_backup_what_was_told_when_it_was_made(installation, tmp_path):
    with closing(sqlite3.connect(installation)) as db:
        db.execute("CREATE INDEX days_by_day ON days (day)")
    made = backup.back_up(installation, tmp_path / "backup.zip")
    assert (made.description.engine, made.open_surveys) == ("SQLite", 1)
    assert list(map(str, made.deviations)) == ["index days.days_by_day is not of this version of Candor"]
    assert backup.restore(tmp_path / "backup.zip", tmp_path / "new.db") == made


def test_a_server_waits_while_a_large_file_is_counted(saved, postgresql, tmp_path, monkeypatch):
    assert candor("restore", saved, "--database", postgresql)[0] == 0
    recount, pauses = move.recount_survey, iter([1.5])

    def slow(db, survey):
        time.sleep(next(pauses, 0) if isinstance(db, SQLite) else 0)
        return recount(db, survey)

    monkeypatch.setattr(move, "recount_survey", slow)
    monkeypatch.setattr(connection, "IDLE_SECONDS", 1)
    assert candor("backup", tmp_path / "again.zip", "--database", postgresql)[0] == 0
    assert next(pauses, "waited") == "waited"


def test_numbers_that_were_used_are_not_used_again(installation, tmp_path, postgresql, survey_file):
    with closing(SQLiteStorage(installation)) as storage:
        last = storage.write(surveys.create_draft, survey_file("last"))
        storage.write(surveys.delete_survey, last.id)
    source = installation
    for place, target in enumerate((postgresql, tmp_path / "new.db")):
        file = tmp_path / f"{place}.zip"
        assert candor("backup", file, "--database", source)[0] == 0
        assert candor("restore", file, "--database", target)[0] == 0
        source = target
    with closing(SQLiteStorage(source)) as storage:
        assert storage.write(surveys.create_draft, survey_file("next")).id == last.id + 1


def test_pictures_come_back_from_either_engine(installation, postgresql, tmp_path):
    one = StoredPicture("jpeg", 3, 2, bytes(range(256)))
    with closing(SQLiteStorage(installation)) as storage:
        draft = storage.write(surveys.create_draft, {"slug": "first"})
        storage.write(pictures.add, draft.id, one)
    places = [installation, postgresql, tmp_path / "again.db"]
    for n, (place, target) in enumerate(pairwise(places)):
        assert candor("backup", tmp_path / f"{n}.zip", "--database", place)[0] == 0
        assert candor("restore", tmp_path / f"{n}.zip", "--database", target)[0] == 0
        with closing(storage_at(target)) as restored:
            assert restored.read(pictures.used_by, draft.id, one.sha256) == one


def test_what_was_typed_into_a_draft_comes_back_from_either_engine(installation, postgresql, tmp_path):
    with closing(SQLiteStorage(installation)) as storage:
        storage.write(surveys.create_draft, {"slug": "first"})
        draft = replaced(storage, "first", {"slug": "first", "title": {"en": "x" * 9999}}, "ada")
    places = [installation, postgresql, tmp_path / "again.db"]
    for n, (place, target) in enumerate(pairwise(places)):
        assert candor("backup", tmp_path / f"{n}.zip", "--database", place)[0] == 0
        assert candor("restore", tmp_path / f"{n}.zip", "--database", target)[0] == 0
        with closing(storage_at(target)) as restored:
            assert restored.read(surveys.get, draft.id).document == draft.document
            assert restored.read(drafts.saves_of, draft.id).pages == [["", 0, "ada", draft.tag]]


def test_nobody_stays_signed_in_and_no_key_is_in_the_file(installation, saved, tmp_path):
    (key,) = [value for name, value in rows(installation, "settings") if name == "secret_key"]
    assert len(rows(installation, "sessions")) == 2
    with closing(SQLiteStorage(installation)) as storage:
        storage.write(tokens.create, 1, "nightly", True, {1}, None)
    saved.unlink()
    candor("backup", saved, "--database", installation)
    candor("restore", saved, "--database", tmp_path / "new.db")
    for table in ("sessions", "attempts", "tokens", "token_surveys"):
        assert rows(tmp_path / "new.db", table) == []
    assert "secret_key" not in dict(rows(tmp_path / "new.db", "settings"))
    with zipfile.ZipFile(saved) as packed:
        database = packed.read(backup_file.DATABASE)
    assert key.encode() not in database
    for token, *_ in rows(installation, "sessions"):
        assert token.encode() not in database


@pytest.mark.parametrize("state", ["open", "closed"])
def test_nothing_of_a_survey_is_there_that_was_deleted_a_moment_ago(installation, tmp_path, state):
    with closing(SQLiteStorage(installation)) as storage:
        (held,) = [each for each in storage.read(surveys.all_surveys) if each.state == state]
        records = storage.read(lambda db: list(db.reports.records(held.id, held.publication)))
        storage.write(surveys.delete_survey, held.id)
    gone = [receipt for receipt, _ in records] + (leaves_of(records) if state == "closed" else [])
    assert gone
    assert all(each in installation.read_bytes() for each in gone)
    candor("backup", tmp_path / "backup.zip", "--database", installation)
    with zipfile.ZipFile(tmp_path / "backup.zip") as packed:
        database = packed.read(backup_file.DATABASE)
    assert b"deleted_" not in database
    assert not any(each in database for each in gone)


def test_what_lets_somebody_in_is_not_restored_either_if_it_stands_in_a_backup(installation, saved, tmp_path):
    description = backup_file.extract(saved, tmp_path / "inside.db")
    inside = Path(shutil.copy(installation, tmp_path / "inside.db"))
    described = replace(description, bytes=inside.stat().st_size, sha256=backup.hash_of(inside))
    backup_file.write(tmp_path / "other.zip", inside, described)
    backup.restore(tmp_path / "other.zip", tmp_path / "new.db")
    assert (len(rows(inside, "sessions")), rows(tmp_path / "new.db", "sessions")) == (2, [])
    assert "secret_key" not in dict(rows(tmp_path / "new.db", "settings"))


def test_every_table_is_either_in_a_backup_or_left_out_of_it_on_purpose(installation):
    with closing(connect(installation)) as db:
        tables = {
            name for name in db.table_names() if not name.startswith(("buckets_", "reports_", "sqlite"))
        }
    assert tables == {*move.TABLES, *move.LEFT_BEHIND, "counts", "versions"}
    assert set(move.LEFT_BEHIND) < set(backup.ENDED) < tables


def test_an_installation_of_another_version_is_not_backed_up(installation, tmp_path):
    with closing(sqlite3.connect(installation)) as db, db:
        db.execute("UPDATE versions SET number = 13")
    code, _, told = candor("backup", tmp_path / "backup.zip", "--database", installation)
    assert (code, "an earlier version of Candor made it" in told) == (1, True)
    assert not (tmp_path / "backup.zip").exists()


# While respondents submit.


@pytest.mark.engines
def test_a_backup_shows_one_moment_while_reports_arrive(door, database, tmp_path):
    """Reports that were acknowledged before the backup began are in it, and it agrees with itself."""

    def submit(number):
        fingerprint = door.survey.publication.fingerprint
        one = Submission(door.survey.id, fingerprint, f"{number:032x}", {"copied": number % 2, "data": 0})
        assert door.storage.write_until(
            door.storage.deadline() + 30, submissions.record, [one], "2026-05-04"
        ) == ["stored"]
        stored.append(number)

    def keep_submitting():
        while not done.is_set():
            begun = time.monotonic()
            submit(len(stored))
            done.wait(time.monotonic() - begun)  # the file is free half of the time, however slow the disk is

    stored, done = [], threading.Event()
    for number in range(20):
        submit(number)
    with_us = threading.Thread(target=keep_submitting)
    with_us.start()
    try:
        made = backup.back_up(database, tmp_path / "backup.zip")
    finally:
        done.set()
        with_us.join()
    assert 20 <= made.description.reports <= len(stored)
    assert candor("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db")[0] == 0
    held = content(tmp_path / "new.db")[0]["exams"][2]
    assert {f"{number:032x}" for number in range(made.description.reports)} == {key.hex() for key in held}


# Files.


def test_only_its_owner_may_read_a_backup_and_what_is_restored(saved, tmp_path):
    candor("restore", saved, "--database", tmp_path / "new.db")
    for file in (saved, tmp_path / "new.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_backup_is_smaller_than_the_database_in_it(saved):
    assert saved.stat().st_size < backup_file.describe(saved).bytes / 2


def test_a_database_that_needs_the_long_form_of_a_zip_comes_back(installation, tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 9999)
    backup.back_up(installation, tmp_path / "backup.zip")
    backup.restore(tmp_path / "backup.zip", tmp_path / "new.db")
    assert content(tmp_path / "new.db") == content(installation)


@pytest.mark.parametrize("lacks", [0, 1])
def test_a_backup_that_does_not_fit_on_the_disk_is_not_unpacked(saved, tmp_path, monkeypatch, lacks):
    needed = backup_file.describe(saved).bytes
    monkeypatch.setattr(backup_file.shutil, "disk_usage", lambda folder: SimpleNamespace(free=needed - lacks))
    code, _, told = candor("restore", saved, "--database", tmp_path / "new.db")
    assert (code, f"it unpacks to {needed:,} bytes, and {needed - 1:,} are free\n" in told) == (
        lacks,
        bool(lacks),
    )


def test_a_file_and_its_name_are_on_the_disk_before_it_counts_as_made(tmp_path, monkeypatch):
    def noted(number):
        place = Path(f"/dev/fd/{number}")
        holds = [path.name for path in place.iterdir()] if place.is_dir() else os.fstat(number).st_size
        synced.append((number, holds))

    synced, made, target = [], tmp_path / "made", tmp_path / "in place" / "target"
    target.parent.mkdir()
    monkeypatch.setattr(os, "fsync", noted)
    with backup_file.private_file(made) as file:
        file.write(b"backup")
    backup_file.put_in_place(made, target)
    assert [holds for _, holds in synced] == [len(b"backup"), ["target"]]
    for number, _ in synced:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(number)
    with pytest.raises(Unavailable, match=backup_file.TAKEN):
        backup_file.put_in_place(made, target)


def test_nothing_is_overwritten_and_that_is_said_before_any_work(installation, saved, monkeypatch):
    monkeypatch.setattr(backup_file, "private_folder", None)
    held = saved.read_bytes(), installation.read_bytes()
    refusal = "it is there already, and nothing is ever overwritten\n"
    code, _, told = candor("backup", saved, "--database", installation)
    assert (code, told) == (1, f"Error: {installation} cannot be backed up to {saved}: {refusal}")
    code, _, told = candor("restore", saved, "--database", installation)
    assert (code, told) == (1, f"Error: {saved} cannot be restored to {installation}: {refusal}")
    assert (saved.read_bytes(), installation.read_bytes()) == held


DIES_WHILE_IT_WRITES = """
import os, signal, sys
from server.store.sqlite.connection import connect
db = connect(sys.argv[1])
db.conn.execute("PRAGMA cache_size=1")  # so that pages are in the file, and as they were in its journal
db.conn.execute("BEGIN IMMEDIATE")
for number in range(3000):
    db.conn.execute("INSERT INTO settings VALUES (?, ?)", [f"name {number}", 500 * "x"])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_nothing_is_restored_beside_the_journal_of_an_earlier_file(installation, saved):
    """SQLite would take it for the journal of the new file, and destroy what was restored."""
    ended = subprocess.run([sys.executable, "-c", DIES_WHILE_IT_WRITES, installation], check=False)
    assert ended.returncode == -signal.SIGKILL
    journal = installation.with_name(f"{installation.name}-journal")
    away = installation.rename(installation.with_name("away.db"))
    code, _, told = candor("restore", saved, "--database", installation)
    assert (code, told) == (
        1,
        f"Error: {saved} cannot be restored to {installation}: {journal.name} beside it is of an earlier "
        "file: move it to where that file is\n",
    )
    journal.rename(away.with_name(f"{away.name}-journal"))
    assert candor("restore", saved, "--database", installation)[0] == 0
    assert content(installation) == content(away)


def test_a_database_with_anything_in_it_is_refused(saved, staff_app, storage, tmp_path):
    assert candor("restore", saved, "--database", storage.path)[0] == 1


def test_a_server_with_accounts_is_refused(saved, postgresql):
    assert candor("restore", saved, "--database", postgresql)[0] == 0
    before = content(postgresql)
    code, _, told = candor("restore", saved, "--database", postgresql)
    assert code == 1
    assert "it must be empty, and it has surveys (3) or accounts (2)" in told
    assert content(postgresql) == before


@pytest.mark.parametrize("kept", [0, 3, 100, 0.5, 0.9, -1])
def test_a_backup_that_was_cut_short_is_refused(saved, tmp_path, kept):
    whole = saved.read_bytes()
    cut = whole[: int(kept * len(whole)) if isinstance(kept, float) else kept]
    saved.write_bytes(cut)
    code, _, told = candor("restore", saved, "--database", tmp_path / "new.db")
    assert code == 1
    assert told.count("\n") == 1
    why = backup_file.CHANGED if cut.startswith(b"PK\x03\x04") else backup_file.NOT_OURS
    assert told == f"Error: {saved} cannot be restored to {tmp_path / 'new.db'}: {why}\n"
    assert not (tmp_path / "new.db").exists()


def test_a_backup_in_which_one_byte_changed_is_refused(saved, tmp_path):
    whole = bytearray(saved.read_bytes())
    whole[len(whole) // 2] ^= 1
    saved.write_bytes(whole)
    code, _, told = candor("restore", saved, "--database", tmp_path / "new.db")
    assert (code, backup_file.CHANGED in told, (tmp_path / "new.db").exists()) == (1, True, False)


@pytest.mark.parametrize(("place", "value"), [(8, 1), (10, 99)], ids=["encrypted", "packed in another way"])
def test_a_backup_of_which_the_zip_says_something_else_is_refused(saved, tmp_path, place, value):
    whole = bytearray(saved.read_bytes())
    whole[whole.index(b"PK\x01\x02") + place] = value
    saved.write_bytes(whole)
    for read in (backup_file.describe, lambda path: backup.restore(path, tmp_path / "new.db")):
        with pytest.raises(Unavailable, match=backup_file.CHANGED):
            read(saved)


def packed_anew(saved, **changed):
    """Pack a backup anew with a changed description."""
    with zipfile.ZipFile(saved) as packed:
        description = json.loads(packed.read(backup_file.DESCRIPTION)) | changed
        database = packed.read(backup_file.DATABASE)
    with zipfile.ZipFile(saved, "w") as packed:
        packed.writestr(backup_file.DESCRIPTION, json.dumps(description))
        packed.writestr(backup_file.DATABASE, database)
    return description


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        (
            {"candor_backup": 4, "made_by": "7.0"},
            "a later version of Candor made it (7.0): its format is 4, and this one reads 3; "
            "restore it with that version",
        ),
        (
            {"candor_backup": 1, "made_by": "0.1"},
            "an earlier version of Candor made it (0.1): its format is 1, and this one reads 3; "
            "restore it with that version",
        ),
        ({"reports": 7}, "it says that it holds 7 reports, and holds 23"),
        ({"sha256": "0" * 64}, backup_file.CHANGED),
        ({"bytes": 7}, backup_file.CHANGED),
        ({"bytes": "many"}, backup_file.NOT_OURS),
        ({"made_by": "\x1b[2J"}, backup_file.NOT_OURS),
        ({"made_by": "x" * backup_file.LARGEST_DESCRIPTION}, backup_file.NOT_OURS),
        ({"surprise": 1}, backup_file.NOT_OURS),
    ],
)
def test_what_a_backup_says_of_itself_is_checked(saved, tmp_path, changed, refusal):
    packed_anew(saved, **changed)
    code, _, told = candor("restore", saved, "--database", tmp_path / "new.db")
    assert (code, told) == (1, f"Error: {saved} cannot be restored to {tmp_path / 'new.db'}: {refusal}\n")
    assert not {each for each in tmp_path.iterdir() if each.name.startswith((".", "new"))}


@pytest.mark.parametrize("made", [lambda: b"SQLite format 3\0", lambda: b""])
def test_what_is_no_backup_is_refused(tmp_path, made):
    (tmp_path / "other").write_bytes(made())
    _, _, told = candor("restore", tmp_path / "other", "--database", tmp_path / "new.db")
    assert backup_file.NOT_OURS in told


def test_a_zip_of_somebody_else_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as packed:
        packed.writestr("letter.txt", "Dear all")
    _, _, told = candor("restore", tmp_path / "other.zip", "--database", tmp_path / "new.db")
    assert backup_file.NOT_OURS in told


def test_a_database_that_does_not_agree_with_itself_is_not_backed_up(installation, tmp_path):
    with closing(sqlite3.connect(installation)) as db, db:
        db.execute("UPDATE counts SET counted = zeroblob(length(counted)) WHERE key IS NOT NULL")
    code, _, told = candor("backup", tmp_path / "backup.zip", "--database", installation)
    assert code == 1
    assert "what it holds does not agree with itself: running: " in told
    assert not [each for each in tmp_path.iterdir() if not each.name.startswith("candor.db")]


def test_a_database_with_a_row_that_refers_to_none_is_not_backed_up(installation, tmp_path):
    with closing(sqlite3.connect(installation)) as db, db:
        db.execute("INSERT INTO grants (account_id, survey_id) VALUES (99, 99)")
    with pytest.raises(Unavailable) as refused:
        backup.back_up(installation, tmp_path / "backup.zip")
    assert str(refused.value) == "its file is damaged: rows of grants refer to what is not there"


def test_a_backup_that_cannot_be_read_again_is_not_put_in_place(installation, tmp_path, monkeypatch):
    def half(path, database, description):
        write(path, database, description)
        path.write_bytes(path.read_bytes()[:9999])

    write = backup_file.write
    monkeypatch.setattr(backup_file, "write", half)
    with pytest.raises(Unavailable, match=backup_file.CHANGED):
        backup.back_up(installation, tmp_path / "backup.zip")
    assert not (tmp_path / "backup.zip").exists()


def test_a_database_that_is_not_there_or_not_ours_is_named(tmp_path):
    (tmp_path / "notes.db").touch()
    for name, why in (
        ("none.db", "there is no such file"),
        ("notes.db", "not a database that candor serve made"),
    ):
        code, _, told = candor("backup", tmp_path / "backup.zip", "--database", tmp_path / name)
        assert (code, why in told) == (1, True)
    for source, target in (("none.zip", "new.db"), ("notes.db", "none/new.db")):
        with pytest.raises(Unavailable, match=r"^No such file or directory$"):
            backup.restore(tmp_path / source, tmp_path / target)


# Killed on the way.

KILLED = """
import os, signal, sys
from pathlib import Path
from server.store.results import visible_results
from server.store.upkeep import backup

def die_at(event, arguments):
    global left
    if event in ("open", "os.link", "os.mkdir", "os.remove", "sqlite3.connect") and folder in str(arguments):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

folder, what, source, target = sys.argv[1:]
for left in range(1000):
    child = os.fork()
    if child == 0:
        sys.addaudithook(die_at)
        getattr(backup, what)(Path(source), Path(target))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    there = os.path.exists(target)
    print(os.WTERMSIG(status), int(there), flush=True)
    if there:
        break
"""


@pytest.mark.parametrize("what", ["back_up", "restore"])
def test_whoever_is_killed_leaves_nothing_or_everything(what, saved, installation, tmp_path):
    """It is killed before each file that it opens, makes or removes, one after the other."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    target = place / "new"
    source = installation if what == "back_up" else saved
    run = [sys.executable, "-c", KILLED, str(place), what, str(source), str(target)]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    lines = [tuple(map(int, line.split())) for line in ended.stdout.splitlines()]
    assert len(lines) > 5
    assert lines[:-1] == [(signal.SIGKILL, 0)] * (len(lines) - 1)
    assert lines[-1][1] == 1  # the first time that it has its name, it is whole
    if what == "back_up":
        backup.restore(target, tmp_path / "restored.db")
    restored = tmp_path / "restored.db" if what == "back_up" else target
    assert content(restored) == content(installation)
    assert candor("verify", "--database", restored)[0] == 0
    assert all(each == target or each.name.startswith(backup_file.UNFINISHED) for each in place.iterdir())


def test_reports_whose_removal_was_interrupted_are_not_in_a_backup(installation, tmp_path):
    with closing(SQLiteStorage(installation)) as storage:
        closed = next(each for each in storage.read(surveys.all_surveys) if each.state == "closed")
        storage.finish()
        storage.write(life.schedule, closed.id, Schedule(remove_at=1), 0)
        storage.write(lambda db: db.reports.remove(closed.id))  # and then the server was killed
        before = storage.read(visible_results.results, closed)
    assert len(rows(installation, f"reports_{closed.id}")) > 0
    assert candor("backup", tmp_path / "backup.zip", "--database", installation)[0] == 0
    assert backup_file.describe(tmp_path / "backup.zip").reports == 12  # those of the open survey
    assert candor("restore", tmp_path / "backup.zip", "--database", tmp_path / "new.db")[0] == 0
    with closing(SQLiteStorage(tmp_path / "new.db")) as storage:
        assert storage.read(visible_results.results, closed) == before
        there = storage.read(lambda db: db.table_names())
    assert f"reports_{closed.id}" not in there
    code, told, _ = candor("verify", "--database", tmp_path / "new.db")
    assert (code, "were removed on their day" in told) == (0, True)
