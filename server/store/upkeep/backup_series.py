"""Backups that come again and again into one folder: each is rehearsed, and the oldest go.

A backup is restored to a new place and counted there before it gets its name. Where a public key is given it
is encrypted then (age, https://age-encryption.org/v1): whoever has the private key can read it, and the
server cannot. The outcome is kept in the database, where `candor doctor`, the metrics and admins see it.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import ModuleType

from server.database import Location
from server.store.engine import Connection, Unavailable
from server.store.storage import storage_at
from server.store.upkeep import backup, backup_file

NAME = re.compile(r"candor-\d{4}-\d\d-\d\dT\d{6}Z\.zip(\.age)?")
"""The names of the backups of a series. Nothing else in the folder is touched."""

NO_PYRAGE = "encrypting needs the package pyrage: install candor-survey[encrypt]"
SETTING = "backups"


@dataclass(frozen=True)
class Series:
    """Backups of one database in one folder.

    Attributes
    ----------
    source : Path or PostgreSQLURL
    folder : Path
    keep : int
        So many are kept, one or more.
    recipient : str, optional
        The public key to which they are encrypted: ``age1...``.
    """

    source: Location
    folder: Path
    keep: int
    recipient: str | None = None

    def add(self, moment: datetime) -> tuple[Path, backup.Backup]:
        """Make a backup, restore it to a place of its own, put it into the folder, and remove the oldest.

        Raises
        ------
        Unavailable
            If any of this fails. The folder holds then what it held before.
        """
        ending = ".zip.age" if self.recipient else ".zip"
        target = self.folder / f"candor-{moment.astimezone(UTC):%Y-%m-%dT%H%M%SZ}{ending}"
        with backup_file.private_folder(self.folder) as inside:
            plain = inside / "backup.zip"
            made = backup.back_up(self.source, plain)
            backup.restore(plain, inside / "rehearsal.db")
            (inside / "rehearsal.db").unlink()  # there is little room for three
            backup_file.put_in_place(encrypted(plain, self.recipient) if self.recipient else plain, target)
        for old in self.files()[: -self.keep]:
            old.unlink(missing_ok=True)
        return target, made

    def files(self) -> list[Path]:
        """Return the backups of the folder, the oldest first."""
        return sorted(path for path in self.folder.iterdir() if NAME.fullmatch(path.name))


def encrypted(plain: Path, recipient: str) -> Path:
    """Encrypt a file to a public key, and return the new file, which its owner alone may read."""
    pyrage, target = encryption(), plain.with_name(f"{plain.name}.age")
    with backup_file.private_file(target):
        pyrage.encrypt_file(str(plain), str(target), [pyrage.x25519.Recipient.from_str(recipient)])
    return target


def decrypted(source: Path, identity: str, target: Path) -> Path:
    """Decrypt a backup with a private key.

    Raises
    ------
    Unavailable
        If the key is none, or not the one for this file, or the file was changed.
    """
    pyrage = encryption()
    try:
        with backup_file.private_file(target):
            pyrage.decrypt_file(str(source), str(target), [pyrage.x25519.Identity.from_str(identity)])
    except (pyrage.IdentityError, pyrage.DecryptError) as error:
        raise Unavailable(f"it cannot be decrypted with this key: {error}") from error
    return target


def is_recipient(text: str) -> bool:
    """Return whether a text is a public key."""
    pyrage = encryption()
    try:
        pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        return False
    return True


def encryption() -> ModuleType:
    """Import what encrypts.

    Raises
    ------
    Unavailable
        If it is not installed.
    """
    try:
        return import_module("pyrage")
    except ImportError:
        raise Unavailable(NO_PYRAGE) from None


@dataclass(frozen=True)
class Outcome:
    """The outcome of the latest attempt at a backup of a series.

    Attributes
    ----------
    tried : str
        The moment of the attempt, ISO 8601 in UTC.
    made : str or None
        The moment of the latest one that was made.
    failure : str or None
        The reason why the attempt failed.
    hours : int or None
        So many hours after an attempt the next one is due.
    """

    tried: str
    made: str | None
    failure: str | None
    hours: int | None

    def overdue(self, now: datetime) -> bool:
        """Return whether the next attempt should have been long ago: a period and a half have gone by."""
        if self.hours is None:
            return False
        return now - datetime.fromisoformat(self.tried) > timedelta(hours=1.5 * self.hours)

    def wrong(self, now: datetime) -> bool:
        """Return whether somebody should look after it: it failed, or is overdue."""
        return self.failure is not None or self.overdue(now)


def outcome(db: Connection) -> Outcome | None:
    """Return the latest outcome, or None if no series was ever begun."""
    row = db.execute("SELECT value FROM settings WHERE name = ?", [SETTING]).fetchone()
    return None if row is None else Outcome(**json.loads(row[0]))


def note(db: Connection, moment: datetime, failure: str | None, hours: int | None) -> None:
    """Keep the outcome of an attempt in place of the one before."""
    before, tried = outcome(db), moment.astimezone(UTC).isoformat(timespec="seconds")
    made = tried if failure is None else before.made if before else None
    db.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [SETTING, json.dumps(asdict(Outcome(tried, made, failure, hours)))],
    )


def attempt(series: Series, moment: datetime, hours: int | None) -> tuple[Path, backup.Backup]:
    """Add a backup to a series, and note in the database how that ended.

    Raises
    ------
    Unavailable
        If there is none now. The reason is noted too, unless the database cannot be used.
    """
    try:
        added = series.add(moment)
    except (Unavailable, OSError) as error:
        reason = str(error)
        note_in(series.source, moment, reason, hours)
        raise Unavailable(reason) from error
    note_in(series.source, moment, None, hours)
    return added


def note_in(source: Location, moment: datetime, failure: str | None, hours: int | None) -> None:
    """Note an outcome in a database that may not be usable."""
    try:
        with closing(storage_at(source)) as storage:
            storage.write(note, moment, failure, hours)
    except Unavailable:
        if failure is None:
            raise


def newest(folder: Path) -> datetime | None:
    """Return when the newest backup of a folder was made, by its name."""
    names = sorted(path.name for path in folder.iterdir() if NAME.fullmatch(path.name))
    return datetime.strptime(names[-1][7:25], "%Y-%m-%dT%H%M%SZ").replace(tzinfo=UTC) if names else None
