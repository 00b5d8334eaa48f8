"""Backups into a folder: rehearsed, encrypted if wanted, the oldest removed; a failure is seen."""

import re
import shutil
import stat
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner

from server.cli import main
from server.cli.checks.database import backups
from server.store.engine import Unavailable
from server.store.storage import storage_at
from server.store.upkeep import backup_series
from server.store.upkeep.backup_series import Outcome, Series, attempt, outcome

NIGHT = datetime(2026, 5, 4, 2, 30, tzinfo=UTC)


@pytest.fixture
def database(tmp_path, installations):
    return Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


def candor(*arguments):
    ended = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return ended.exit_code, ended.stdout, ended.stderr


def noted(database):
    with closing(storage_at(database)) as storage:
        return storage.read(outcome)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_each_night_one_comes_and_the_oldest_goes_and_nothing_else_is_touched(database, folder):
    (folder / "candor-notes.zip").touch()
    for day in range(4):
        attempt(Series(database, folder, keep=2), NIGHT + timedelta(days=day), hours=24)
    assert names(folder) == [
        "candor-2026-05-06T023000Z.zip",
        "candor-2026-05-07T023000Z.zip",
        "candor-notes.zip",
    ]
    last = folder / "candor-2026-05-07T023000Z.zip"
    assert stat.S_IMODE(last.stat().st_mode) == 0o600
    assert candor("restore", last, "--check")[0] == 0
    assert noted(database) == Outcome("2026-05-07T02:30:00+00:00", "2026-05-07T02:30:00+00:00", None, 24)


def test_an_encrypted_one_needs_its_private_key(database, folder, tmp_path):
    identity = pyrage.x25519.Identity.generate()
    key, other = tmp_path / "key.txt", tmp_path / "other.txt"
    key.write_text(f"# created: 2026-05-04\n{identity}\n")
    other.write_text(f"{pyrage.x25519.Identity.generate()}\n")
    options = ("--database", database, "--to", folder, "--encrypt-to", identity.to_public())
    code, said, _ = candor("backup", *options)
    assert (code, "restored to a place of its own" in said) == (0, True)
    (name,) = names(folder)
    made = folder / name
    assert made.suffix == ".age"
    assert b"PK\x03\x04" not in made.read_bytes()
    assert "can be restored. It holds surveys: 3" in candor("restore", made, "--identity", key, "--check")[1]
    restored = tmp_path / "restored.db"
    assert candor("restore", made, "--identity", key, "--database", restored)[0] == 0
    assert restored.exists()
    other_file = tmp_path / "picture.png"
    other_file.write_bytes(b"\x89PNG\xff\n\xfe\n")
    refusals = {
        ("--identity", other): "it cannot be decrypted with this key",
        ("--identity", other_file): "must hold one private key",
        (): "it is encrypted: name the file of its private key with --identity",
    }
    for refused, why in refusals.items():
        code, _, said = candor("restore", made, *refused, "--check")
        assert code == 1
        assert why in said


def test_a_timer_that_stopped_is_seen_as_overdue(database, folder):
    assert candor("backup", "--every", "day", "--once", "--to", folder, "--database", database)[0] == 0
    latest = noted(database)
    assert len(names(folder)) == 1
    made = datetime.fromisoformat(latest.made)
    assert [latest.overdue(made + timedelta(hours=hours)) for hours in (36, 36.01)] == [False, True]


def test_there_is_room_for_the_backup_and_what_it_is_encrypted_to(database, folder, monkeypatch):
    def noted(plain, recipient):
        held.append(names(plain.parent))
        return encrypted(plain, recipient)

    held, encrypted = [], backup_series.encrypted
    monkeypatch.setattr(backup_series, "encrypted", noted)
    recipient = pyrage.x25519.Identity.generate().to_public()
    attempt(Series(database, folder, 1, str(recipient)), NIGHT, hours=None)
    assert held == [["backup.zip"]]


def test_the_newest_is_known_by_its_name(folder):
    assert backup_series.newest(folder) is None
    for name in ("candor-2026-05-05T023059Z.zip.age", "candor-2026-05-04T023000Z.zip", "candor-9.zip"):
        (folder / name).touch()
    assert backup_series.newest(folder) == datetime(2026, 5, 5, 2, 30, 59, tzinfo=UTC)
    (folder / "candor-2026-05-06T000000Z.zip").touch()
    assert backup_series.newest(folder) == datetime(2026, 5, 6, tzinfo=UTC)


def test_an_old_one_that_somebody_removes_meanwhile_is_no_failure(database, folder, monkeypatch):
    gone = [folder / "candor-2026-01-01T000000Z.zip", folder / "candor-2026-01-02T000000Z.zip"]
    monkeypatch.setattr(Series, "files", lambda series: gone)
    attempt(Series(database, folder, keep=1), NIGHT, hours=24)
    assert noted(database).failure is None


def test_one_that_cannot_be_noted_fails_and_a_failure_keeps_its_reason(database, folder, monkeypatch):
    def gone(_):
        raise Unavailable("the database went away")

    series = Series(database, folder, keep=1)
    monkeypatch.setattr(backup_series, "storage_at", gone)
    with pytest.raises(Unavailable, match="the database went away"):
        attempt(series, NIGHT, hours=24)
    assert len(names(folder)) == 1
    with pytest.raises(Unavailable, match=backup_series.backup_file.TAKEN):
        attempt(series, NIGHT, hours=24)


def test_a_failure_before_the_first_one_says_that_none_was_made(database, folder):
    with closing(storage_at(database)) as storage:
        storage.write(backup_series.note, NIGHT, "the disk is full", None)
    assert noted(database) == Outcome("2026-05-04T02:30:00+00:00", None, "the disk is full", None)


def test_what_encrypts_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(Unavailable, match=re.escape(backup_series.NO_PYRAGE)):
        backup_series.is_recipient("age1")


def test_a_failure_leaves_what_was_there_and_is_noted_with_its_reason(database, folder, monkeypatch):
    series = Series(database, folder, keep=1)
    attempt(series, NIGHT, hours=24)
    before = names(folder)

    def full(*_):
        raise Unavailable("No space left on device")

    monkeypatch.setattr(backup_series.backup, "restore", full)
    with pytest.raises(Unavailable, match="No space left"):
        attempt(series, NIGHT + timedelta(days=1), hours=24)
    assert names(folder) == before
    latest = noted(database)
    assert (latest.failure, latest.made[:10], latest.tried[:10]) == (
        "No space left on device",
        "2026-05-04",
        "2026-05-05",
    )


@pytest.mark.parametrize(
    ("outcome", "state", "said"),
    [
        (None, "ok", "none was made"),
        (Outcome("2026-05-04T02:30:00+00:00", "2026-05-04T02:30:00+00:00", None, 24), "ok", "rehearsed"),
        (
            Outcome("2026-05-02T02:30:00+00:00", "2026-05-02T02:30:00+00:00", None, 24),
            "warning",
            "every 24 h",
        ),
        (Outcome("2026-05-02T02:30:00+00:00", "2026-05-02T02:30:00+00:00", None, None), "ok", "rehearsed"),
        (Outcome("2026-05-04T02:30:00+00:00", None, "the disk is full", 24), "fault", "the disk is full"),
    ],
)
def test_the_doctor_says_when_one_failed_or_is_overdue(outcome, state, said):
    (check,) = backups(outcome, NIGHT + timedelta(hours=9))
    assert check.state == state
    assert said in check.finding


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name either TARGET"),
        (("x.zip", "--to", "."), "Name either TARGET"),
        (("x.zip", "--every", "day"), "name it with --to"),
        (("--to", ".", "--once"), "--once needs --every"),
        (("--to", ".", "--keep", "0"), "0 is not in the range 1<=x<=1000"),
        (("--to", ".", "--encrypt-to", "age1nothing"), "must be a public key (age1...), got 'age1nothing'"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said, database):
    code, _, error = candor("backup", *arguments, "--database", database)
    assert code != 0
    assert said in error


def test_admins_are_told_on_their_page(admin, staff_app):
    storage = staff_app.extensions["candor"].storage
    assert "The latest backup failed" not in admin.get("/admin").text
    storage.write(backup_series.note, NIGHT, "the disk is full", 24)
    assert "<code>the disk is full</code>" in admin.get("/admin").text
