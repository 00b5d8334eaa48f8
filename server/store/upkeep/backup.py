"""Back an installation up while respondents submit, and restore it elsewhere, from either engine to either.

A backup holds a file of SQLite's. The pages of a file are copied as they are at one moment, into one that
has no name. From there SQLite writes their content into new pages (``VACUUM INTO``,
https://www.sqlite.org/lang_vacuum.html), which hold nothing that the file has freed. PostgreSQL gives
everything in one transaction, and it is carried into an empty file, where it stands in no order. So a backup
shows what the tables hold and nothing of how they came to hold it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from tempfile import gettempdir

from server.database import Location
from server.store import counted_lists, invitations, surveys
from server.store.engine import Storage, Unavailable
from server.store.sqlite.audit_text import put_into_text
from server.store.sqlite.condition import damage
from server.store.sqlite.connection import connect, errors_translated, file_at, refuse_left_over
from server.store.sqlite.copy_pages import page_copy
from server.store.sqlite.deleting import left_over
from server.store.sqlite.migrations import missing
from server.store.sqlite.removal import to_remove
from server.store.sqlite.report_table import table_name
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, audit, audit_chain
from server.store.storage import storage_at
from server.store.upkeep import backup_file, verification
from server.store.upkeep.attestation import refuse
from server.store.upkeep.backup_file import Description
from server.store.upkeep.deviation import Deviation
from server.store.upkeep.move import LEFT_BEHIND, SETTINGS_LEFT_BEHIND, carry

RESTORED = "backup_restored"
"""The deed as the audit log names it."""

CHANGED_LOG = "its audit log is not the one that was written"

RESTORE_ALL_THE_SAME = (
    "candor restore --anew restores it all the same, and the audit log will say what was wrong with it"
)

COPY_SECONDS = 60.0
"""Seconds that copying a file waits for whoever writes to it."""

ENDED = (*LEFT_BEHIND, "token_surveys", "tokens")
"""Tables that a backup leaves empty: it may be old, and what was ended since must not begin again."""

SECRETS = (*SETTINGS_LEFT_BEHIND, "secret_key")
"""Settings that a backup does not hold: whoever finds one could sign in with them."""


@dataclass(frozen=True)
class Backup:
    """A backup that was made or restored.

    Attributes
    ----------
    description : Description
        What it says of itself.
    deviations : list of Deviation
        Differences of its schema from this version's.
    log_faults : list of str
        What is wrong with its audit log.
    open_surveys : int
    """

    description: Description
    deviations: list[Deviation]
    log_faults: list[str]
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
            reports, held = recount(whole), len(whole.read(surveys.all_surveys))
            deviations = whole.deviations()
            staff, head = whole.read(accounts.count), whole.read(audit_chain.head)
            log_faults = list(audit_chain.faults(whole.read(audit_chain.chain), []))
            still_open = number_open(whole)
        description = Description(
            made_by=version("candor-survey"),
            engine="SQLite" if isinstance(source, Path) else "PostgreSQL",
            surveys=held,
            reports=reports,
            accounts=staff,
            audit_head=head,
            bytes=database.stat().st_size,
            sha256=hash_of(database),
        )
        backup_file.write(packed, database, description)
        backup_file.extract(packed, folder / "again")  # what was written is what is read
        backup_file.put_in_place(packed, target)
    return Backup(description, deviations, log_faults, still_open)


def restore(source: Path, target: Location, *, anew: bool = False) -> Backup:
    """Make an installation of a backup where there is none.

    Nobody is signed in there: a backup holds no session, no key that signs one, and no token of a program.

    Parameters
    ----------
    source : Path
    target : Path or PostgreSQLURL
    anew : bool
        Whether to carry its rows into new tables, so that nothing else in it matters. An audit log that is
        not the one that was written is carried too, and the line about the restore names the fault.

    Raises
    ------
    Unavailable
        If the backup cannot be used, or its schema or audit log is refused, or there is something where it
        should go. Nothing is changed then.
    """
    if isinstance(target, Path):
        backup_file.refuse_to_overwrite(target)
        refuse_left_over(target)
        with backup_file.private_folder(target.parent) as folder:
            database = folder / backup_file.DATABASE
            made = unpack(source, database, anew)
            if anew:
                with closing(SQLiteStorage(database)) as file:
                    database = carried(file, folder / "carried.db")
            with closing(SQLiteStorage(database)) as file:
                file.write(audit.note, audit.COMMAND_LINE, RESTORED, about=told(made.log_faults))
            backup_file.put_in_place(database, target)
        return made
    storage = storage_at(target)
    with backup_file.private_folder(Path(gettempdir())) as folder, closing(storage):
        made = unpack(source, folder / backup_file.DATABASE, anew)
        with closing(SQLiteStorage(folder / backup_file.DATABASE)) as file:
            storage.create()
            both = audit.noted(carry, audit.COMMAND_LINE, RESTORED, about=told(made.log_faults))
            file.read(lambda held: storage.write_here(lambda db: both(db, held)))
        storage.finish()
    return made


def copy(storage: Storage, target: Path) -> None:
    """Write what a database holds at one moment into a file of SQLite's; the database stays as it is."""
    if not isinstance(storage, SQLiteStorage):
        with closing(SQLiteStorage(carried(storage, target.with_name("carried.db")))) as file:
            return copy(file, target)
    file_at(storage.path)
    with errors_translated(), closing(connect(storage.path, COPY_SECONDS)) as db:
        missing(db)  # refuses what is not ours, or another version's
        with page_copy(db, target.parent) as moment, backup_file.private_file(target):
            moment.conn.execute("VACUUM INTO ?", [str(target)])
    return None


def carried(source: Storage, target: Path) -> Path:
    """Carry the rows of a database into a new file, and return it."""
    with closing(SQLiteStorage(target)) as file:
        with backup_file.private_file(target):
            file.create()
        source.read(lambda held: file.write_here(lambda db: carry(db, held)))
        file.finish()
    return target


def forget_secrets(database: Path) -> None:
    """Remove from a copy what lets somebody in, what counts against somebody who tried, and what was deleted.

    A server that was killed while it removed a survey, or its reports, has them still.
    """
    with errors_translated(), closing(connect(database)) as db:
        db.conn.execute("BEGIN IMMEDIATE")
        for table in (*left_over(db), *map(table_name, to_remove(db))):
            db.execute(f"DROP TABLE {table}")
        for table in ENDED:
            db.execute(f"DELETE FROM {table}")
        db.execute(f"DELETE FROM invitations WHERE {invitations.IDLE}")
        db.execute(f"DELETE FROM leaf_sheets WHERE {counted_lists.IDLE}")
        for name in SECRETS:
            db.execute("DELETE FROM settings WHERE name = ?", [name])
        db.conn.execute("COMMIT")


def unpack(source: Path, database: Path, anew: bool) -> Backup:
    """Unpack a backup, bring it up to date, compare its schema, check its audit log and count it again.

    Raises
    ------
    Unavailable
        If it is not what it says; unless `anew`, also if its schema or its audit log is refused.
    """
    description = backup_file.extract(source, database)
    with closing(SQLiteStorage(database)) as file:
        file.migrate()
        deviations = [] if anew else file.deviations()
        refuse(deviations)
        log_faults = list(audit_chain.faults(file.read(audit_chain.chain), [description.audit_head]))
        if log_faults and not anew:
            raise Unavailable(f"{CHANGED_LOG}: {log_faults[0]}: {RESTORE_ALL_THE_SAME}")
        if log_faults:
            with closing(connect(database)) as db:
                put_into_text(db)
        forget_secrets(database)
        reports, still_open = recount(file), number_open(file)
    if reports != description.reports:
        raise Unavailable(f"it says that it holds {description.reports:,} reports, and holds {reports:,}")
    return Backup(description, deviations, log_faults, still_open)


def number_open(storage: Storage) -> int:
    """Count the surveys that take reports."""
    return sum(survey.state == "open" for survey in storage.read(surveys.all_surveys))


def told(faults: list[str]) -> str | None:
    """Return what the line about a restore says of the log before it; None if nothing is wrong with it."""
    return "; ".join(faults) or None


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
