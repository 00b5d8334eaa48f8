"""Back an installation up while respondents submit, and restore it elsewhere, from either engine to either.

A backup holds a file of SQLite's. The pages of a file are copied into memory as they are at one moment. From
there SQLite writes their content into new pages (``VACUUM INTO``, https://www.sqlite.org/lang_vacuum.html),
which hold nothing that the file has freed. PostgreSQL gives everything in one transaction, and it is carried
into an empty file, where it stands in no order. So a backup shows what the tables hold and nothing of how
they came to hold it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from tempfile import gettempdir

from server.database import Location
from server.store import invitations, surveys
from server.store.engine import Storage, Unavailable
from server.store.sqlite.condition import damage
from server.store.sqlite.connection import connect, errors_translated, file_at, refuse_left_over
from server.store.sqlite.deleting import left_over
from server.store.sqlite.memory_copy import in_memory
from server.store.sqlite.migrations import missing
from server.store.sqlite.removal import to_remove
from server.store.sqlite.report_table import table_name
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts
from server.store.storage import storage_at
from server.store.upkeep import backup_file, verification
from server.store.upkeep.backup_file import Description
from server.store.upkeep.move import LEFT_BEHIND, SETTINGS_LEFT_BEHIND, carry

COPY_SECONDS = 60.0
"""Seconds that copying a file waits for whoever writes to it."""

ENDED = (*LEFT_BEHIND, "token_surveys", "tokens")
"""Tables that a backup leaves empty: it may be old, and what was ended since must not begin again."""

SECRETS = (*SETTINGS_LEFT_BEHIND, "secret_key")
"""Settings that a backup does not hold: whoever finds one could sign in with them."""


@dataclass(frozen=True)
class Backup:
    """A backup that was made: its description, and how many of its surveys were open."""

    description: Description
    open_surveys: int


def back_up(source: Location, target: Path) -> Backup:
    """Write everything into a file that is not there yet, and count it again before it gets its name.

    Raises
    ------
    Unavailable
        If the database cannot be read, or holds what does not agree with itself, or the file cannot be
        written. Nothing is left then.
    """
    backup_file.refuse_to_overwrite(target)
    with backup_file.private_folder(target.parent) as folder:
        database, packed = folder / backup_file.DATABASE, folder / "packed"
        with closing(storage_at(source)) as storage:
            copy(storage, database)
        with closing(SQLiteStorage(database)) as whole:
            whole.migrate()
            forget_secrets(database)
            reports, held = recount(whole), whole.read(surveys.all_surveys)
            staff = whole.read(accounts.count)
        description = Description(
            made_by=version("candor-survey"),
            engine="SQLite" if isinstance(source, Path) else "PostgreSQL",
            surveys=len(held),
            reports=reports,
            accounts=staff,
            bytes=database.stat().st_size,
            sha256=hash_of(database),
        )
        backup_file.write(packed, database, description)
        backup_file.extract(packed, folder / "again")  # what was written is what is read
        backup_file.put_in_place(packed, target)
    return Backup(description, sum(survey.state == "open" for survey in held))


def restore(source: Path, target: Location) -> Description:
    """Make an installation of a backup where there is none.

    Nobody is signed in there: a backup holds no session, no key that signs one, and no token of a program.

    Raises
    ------
    Unavailable
        If the backup cannot be used, or there is something where it should go. Nothing is changed then.
    """
    if isinstance(target, Path):
        backup_file.refuse_to_overwrite(target)
        refuse_left_over(target)
        with backup_file.private_folder(target.parent) as folder:
            description = unpack(source, folder / backup_file.DATABASE)
            backup_file.put_in_place(folder / backup_file.DATABASE, target)
        return description
    storage = storage_at(target)
    with backup_file.private_folder(Path(gettempdir())) as folder, closing(storage):
        description = unpack(source, folder / backup_file.DATABASE)
        with closing(SQLiteStorage(folder / backup_file.DATABASE)) as file:
            storage.create()
            file.read(lambda held: storage.write_here(lambda db: carry(db, held)))
        storage.finish()
    return description


def copy(storage: Storage, target: Path) -> None:
    """Write what a database holds at one moment into a file of SQLite's; the database stays as it is."""
    if not isinstance(storage, SQLiteStorage):
        with closing(SQLiteStorage(target.with_name("carried.db"))) as file:
            with backup_file.private_file(file.path):
                file.create()
            storage.read(lambda held: file.write_here(lambda db: carry(db, held)))
            file.finish()
            return copy(file, target)
    file_at(storage.path)
    with errors_translated(), closing(connect(storage.path, COPY_SECONDS)) as db:
        missing(db)  # refuses what is not ours, or another version's
        with in_memory(db) as moment, backup_file.private_file(target):
            moment.conn.execute("VACUUM INTO ?", [str(target)])
    return None


def forget_secrets(database: Path) -> None:
    """Remove from a copy all that lets somebody in, failed attempts to get in, and what was deleted.

    A server that was killed while it removed a survey, or its reports, has them still.
    """
    with errors_translated(), closing(connect(database)) as db:
        db.conn.execute("BEGIN IMMEDIATE")
        for table in (*left_over(db), *map(table_name, to_remove(db))):
            db.execute(f"DROP TABLE {table}")
        for table in ENDED:
            db.execute(f"DELETE FROM {table}")
        db.execute(f"DELETE FROM invitations WHERE {invitations.IDLE}")
        for name in SECRETS:
            db.execute("DELETE FROM settings WHERE name = ?", [name])
        db.conn.execute("COMMIT")


def unpack(source: Path, database: Path) -> Description:
    """Unpack a backup, bring it up to date and count it again."""
    description = backup_file.extract(source, database)
    with closing(SQLiteStorage(database)) as file:
        file.migrate()
        forget_secrets(database)
        reports = recount(file)
    if reports != description.reports:
        raise Unavailable(f"it says that it holds {description.reports:,} reports, and holds {reports:,}")
    return description


def recount(storage: SQLiteStorage) -> int:
    """Count every survey of a copy again, as `candor verify` does; return how many reports there are.

    Raises
    ------
    Unavailable
        If something does not agree.
    """
    if faults := storage.read(damage):
        raise Unavailable(f"its file is damaged: {faults[0]}")
    total = 0
    for slug, reports, found in verification.verify_surveys(storage):
        if found:
            raise Unavailable(f"what it holds does not agree with itself: {slug}: {found[0]}")
        total += reports or 0
    return total


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
