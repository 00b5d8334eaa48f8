"""Files of one survey in a folder or a zip, opened so that a hostile zip costs little.

Nothing is unpacked to disk, so a path in a zip has no effect. Small files are read whole, large ones as a
stream. The limits apply to the bytes that come out, whatever the zip states.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

DEFINITION = "survey.toml"
REPORTS = "reports.csv"
ESTIMATES = "estimates.csv"
CHECKSUMS = "checksums.txt"

MOST_SMALL_BYTES = 2 * 2**20
"""The most bytes of a file that is read whole, such as the survey file."""

MOST_BYTES = 4 * 2**30
"""The most bytes of the reports, read as a stream: a hundred million rows of twenty columns."""

MOST_RATIO = 200
"""The most bytes of a file that may come from one byte of a zip, for files that are read whole. Reports are
exempt: their rows are sorted, and so alike that honest ones shrink a thousand times."""

MOST_MEMBERS = 1000
"""Files in a zip; a download has about fifteen."""

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The ways of packing that expand a byte to at most about a thousand."""

DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError)
"""The errors of `zipfile` on a broken zip or on no zip; OSError for a place before the file's start."""


class Unusable(ValueError):
    """A file that cannot be used; the message names the place, what is allowed there and what it holds."""


@dataclass(frozen=True)
class Files:
    """The files of one survey.

    Attributes
    ----------
    path : Path
        The folder, or the zip.
    members : dict[str, str]
        Name of a file -> its path within the folder or the zip.
    """

    path: Path
    members: dict[str, str]

    @property
    def zipped(self) -> bool:
        """True if they are in a zip."""
        return self.path.is_file()

    def place(self, name: str) -> str:
        """Return the name of a file in messages."""
        return f"{self.path}, {name}" if self.zipped else str(self.path / self.members.get(name, name))

    @contextmanager
    def stream(self, name: str) -> Iterator[IO[bytes]]:
        """Open one of the files for reading.

        Raises
        ------
        Unusable
            If the zip is damaged.
        """
        if not self.zipped:
            with (self.path / self.members[name]).open("rb") as file:
                yield file
            return
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.members[name]) as file:
                yield file
        except DAMAGED as error:
            raise Unusable(f"{self.place(name)}: the zip is damaged ({error})") from error

    @contextmanager
    def lines(self, name: str) -> Iterator[io.TextIOWrapper]:
        """Open one of the files as text, for `csv`; it may begin with a byte order mark."""
        with (
            self.stream(name) as file,
            io.TextIOWrapper(file, encoding="utf-8-sig", newline="") as text,
        ):
            yield text

    def text(self, name: str) -> str:
        """Read a small file whole.

        Raises
        ------
        Unusable
            If it is too large, or no UTF-8.
        """
        with self.stream(name) as file:
            data = file.read(MOST_SMALL_BYTES + 1)
        if len(data) > MOST_SMALL_BYTES:
            raise Unusable(f"{self.place(name)} must be at most {MOST_SMALL_BYTES} bytes long")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unusable(f"{self.place(name)} must be UTF-8, got {error.object[error.start]:#x}") from error

    def check(self) -> None:
        """Compare the files with their checksums, if there are any.

        Raises
        ------
        Unusable
            If a file that is read here is not the one that was downloaded.
        """
        if CHECKSUMS not in self.members:
            return
        for line in self.text(CHECKSUMS).splitlines():
            if (match := re.fullmatch(r"([0-9a-f]{64}) [ *](?:.*/)?([^/]+)", line.strip())) is None:
                continue
            stated, name = match.groups()
            if name not in (DEFINITION, REPORTS, ESTIMATES) or name not in self.members:
                continue
            with self.stream(name) as file:
                actual = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
            if actual != stated:
                raise Unusable(
                    f"{self.place(name)} was changed after it was downloaded: its SHA-256 must be "
                    f"{stated}, as {CHECKSUMS} says, got {actual}"
                )


def files_of(path: Path) -> Files:
    """Find the files of one survey.

    Parameters
    ----------
    path : Path
        A folder with ``survey.toml`` and ``reports.csv``, or a zip that holds both in one folder.

    Raises
    ------
    Unusable
        If there is no such folder or zip, or the zip breaks a limit.
    """
    if path.is_dir():
        members = {each.name: each.name for each in path.iterdir() if each.is_file()}
        return require_complete(Files(path, members))
    if not path.is_file():
        raise Unusable(f"{path} must be a folder or a zip, and is not there")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except DAMAGED as error:
        raise Unusable(f"{path} must be a folder or a zip ({error})") from error
    if len(entries) > MOST_MEMBERS:
        raise Unusable(f"{path} must hold at most {MOST_MEMBERS} files, got {len(entries)}")
    return require_complete(Files(path, within_one_folder(path, entries)))


def within_one_folder(path: Path, entries: list[zipfile.ZipInfo]) -> dict[str, str]:
    """Return the files beside the only survey file of a zip, by name."""
    definitions = [each for each in entries if PurePosixPath(each.filename).name == DEFINITION]
    if len(definitions) != 1:
        raise Unusable(f"{path} must hold one {DEFINITION}, got {len(definitions)}")
    folder = PurePosixPath(definitions[0].filename).parent
    members: dict[str, str] = {}
    for entry in entries:
        inside = PurePosixPath(entry.filename)
        if inside.parent != folder or entry.is_dir():
            continue
        if inside.name in members:
            raise Unusable(f"{path} must hold each file once, got {entry.filename} twice")
        require_limits(path, entry)
        members[inside.name] = entry.filename
    return members


def require_limits(path: Path, entry: zipfile.ZipInfo) -> None:
    """Refuse a file of a zip that breaks a limit; unpacking stops at the sizes that the zip states.

    Raises
    ------
    Unusable
        If it breaks one, or is packed in another way than downloads are.
    """
    name = PurePosixPath(entry.filename).name
    if name not in (DEFINITION, REPORTS, ESTIMATES, CHECKSUMS):
        return
    most = MOST_BYTES if name in (REPORTS, ESTIMATES) else MOST_SMALL_BYTES
    if entry.file_size > most:
        raise Unusable(f"{path}, {name} must be at most {most} bytes long, got {entry.file_size}")
    if most == MOST_SMALL_BYTES and entry.file_size > MOST_RATIO * max(entry.compress_size, 1):
        raise Unusable(
            f"{path}, {name} must be packed at most {MOST_RATIO} to 1, got {entry.file_size} bytes in "
            f"{entry.compress_size}"
        )
    if entry.flag_bits & 1 or entry.compress_type not in METHODS:
        raise Unusable(f"{path}, {name} must be stored or deflated, without a password")


def require_complete(files: Files) -> Files:
    """Check that the files hold those that every analysis needs."""
    for name in (DEFINITION, REPORTS):
        if name not in files.members:
            raise Unusable(f"{files.path} must hold {name}, and does not")
    return files
