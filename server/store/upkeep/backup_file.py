"""The file that a backup is: a zip with a database of SQLite's and a description of it, for either engine."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from server.store.engine import Unavailable

FORMAT = 3
"""The version of the zip's own layout; the tables in it have one of their own."""

DATABASE, DESCRIPTION = "candor.db", "contents.json"

LARGEST_DESCRIPTION = 1_000_000
"""Bytes. A larger description is none of ours."""

PIECE = 1_048_576
"""Bytes that are read at a time."""

UNFINISHED = ".candor-unfinished-"
"""The beginning of the names of folders that a killed command leaves behind."""

PRIVATE = 0o600
"""Its owner alone may read or write a file: it holds password hashes and reports."""


@dataclass(frozen=True)
class Description:
    """The description that a backup has of itself.

    Attributes
    ----------
    made_by : str
        The version of Candor.
    engine : str
        What the database ran on.
    surveys, reports, accounts : int
        How many it holds.
    audit_head : str
        The hash of the last line of its audit log: see `server.store.staff.audit_chain`.
    bytes : int
        The length of the database in the zip.
    sha256 : str
        Its SHA-256, in hexadecimal digits.
    candor_backup : int
        `FORMAT`.
    """

    made_by: str
    engine: str
    surveys: int
    reports: int
    accounts: int
    audit_head: str
    bytes: int
    sha256: str
    candor_backup: int = FORMAT

    def __post_init__(self) -> None:
        numbers = (self.surveys, self.reports, self.accounts, self.bytes, self.candor_backup)
        texts = (self.made_by, self.engine, self.audit_head, self.sha256)
        if not all(isinstance(each, int) for each in numbers) or not all(map(str.isprintable, texts)):
            raise TypeError("a description has numbers, and texts that can be shown")


def write(path: Path, database: Path, description: Description) -> None:
    """Write a backup: the description first, so that a reader need not unpack the rest for it.

    The time in the zip is that of its format's beginning: when a backup was made is the file system's to say.
    """
    with (
        private_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        archive.writestr(zipfile.ZipInfo(DESCRIPTION), json.dumps(asdict(description), indent=2) + "\n")
        member = zipfile.ZipInfo(DATABASE)
        member.compress_type = zipfile.ZIP_DEFLATED
        with database.open("rb") as source, archive.open(member, "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target, PIECE)


def describe(path: Path) -> Description:
    """Read the description in a backup.

    Raises
    ------
    Unavailable
        If it is none, was cut short, or another version of Candor made it in another format.
    """
    with open_zip(path) as archive:
        return description_in(archive)


def description_in(archive: zipfile.ZipFile) -> Description:
    """Read the description in a zip."""
    if sorted(archive.namelist()) != [DATABASE, DESCRIPTION]:
        raise Unavailable(NOT_OURS)
    if archive.getinfo(DESCRIPTION).file_size > LARGEST_DESCRIPTION:
        raise Unavailable(NOT_OURS)
    try:
        held = json.loads(archive.read(DESCRIPTION))
        if (written := held["candor_backup"]) != FORMAT:
            which = "a later" if written > FORMAT else "an earlier"
            raise Unavailable(
                f"{which} version of Candor made it ({held['made_by']}): its format is {written}, "
                f"and this one reads {FORMAT}; restore it with that version"
            )
        return Description(**held)
    except (ValueError, TypeError, KeyError) as error:
        raise Unavailable(NOT_OURS) from error


def extract(path: Path, database: Path) -> Description:
    """Unpack the database of a backup, and see that every byte arrived.

    Raises
    ------
    Unavailable
        If it is none, was cut short or changed, does not fit on the disk, or has another format.
    """
    with open_zip(path) as archive:
        description = description_in(archive)
        free = shutil.disk_usage(database.parent).free
        if archive.getinfo(DATABASE).file_size != description.bytes:
            raise Unavailable(CHANGED)
        if description.bytes > free:
            raise Unavailable(f"it unpacks to {description.bytes:,} bytes, and {free:,} are free")
        digest = sha256()
        with archive.open(DATABASE) as source, private_file(database) as target:
            while piece := source.read(PIECE):
                digest.update(piece)
                target.write(piece)
    if digest.hexdigest() != description.sha256:
        raise Unavailable(CHANGED)
    return description


NOT_OURS = "it is not a backup that candor backup made"
ENCRYPTED = "it is encrypted: name the file of its private key with --identity"
TAKEN = "it is there already, and nothing is ever overwritten"
CHANGED = "it is not as candor backup wrote it: it was cut short or changed"


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip; whatever is wrong with it is said in one sentence."""
    try:
        with path.open("rb") as file:
            begins = file.read(4)
        with zipfile.ZipFile(path) as archive:
            yield archive
    except zipfile.BadZipFile as error:
        refused = {b"PK\x03\x04": CHANGED, b"age-": ENCRYPTED}.get(begins, NOT_OURS)
        raise Unavailable(refused) from error
    except (EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
        raise Unavailable(CHANGED) from error
    except OSError as error:
        raise Unavailable(str(error.strerror or error)) from error


@contextmanager
def private_file(path: Path) -> Iterator[IO[bytes]]:
    """Make a file that its owner alone may read, which is on the disk when the block ends."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "w+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def refuse_to_overwrite(target: Path) -> None:
    """Refuse a place where something is, be it a link that leads nowhere."""
    if os.path.lexists(target):
        raise Unavailable(TAKEN)


@contextmanager
def private_folder(folder: Path) -> Iterator[Path]:
    """Make a folder that nobody else can look into, and remove it with all in it.

    Raises
    ------
    Unavailable
        If it cannot be made, or anything goes wrong in it, such as that the disk is full.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as made:
            yield Path(made)
    except OSError as error:
        raise Unavailable(str(error.strerror or error)) from error


def put_in_place(made: Path, target: Path) -> None:
    """Move a finished file to its place, for good; it never takes the place of another.

    Raises
    ------
    Unavailable
        If something of that name has come in between.
    """
    try:
        os.link(made, target)  # unlike a rename, it refuses to replace
    except FileExistsError:
        raise Unavailable(TAKEN) from None
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
