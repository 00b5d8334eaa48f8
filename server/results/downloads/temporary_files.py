"""Files that must be whole before they can be sent: made on the disk, and gone when they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import BinaryIO
from weakref import WeakSet

from server.runtime import offload

PIECE = 2**16

MOST_FILES = 8
"""The most files that are on the disk, or about to be, at a time: each may take hundreds of megabytes for as
long as somebody reads slowly. A full disk would stop submissions."""

MAKING = Lock()
"""Held while a file is made: each may take a process, and the whole processor, for a minute."""


class TooManyFiles(Exception):
    """As many files are being made and sent as there is room for."""


class TemporaryFile:
    """A file without a name whose pieces are sent; it goes when it is closed or forgotten."""

    def __init__(self) -> None:
        self.opened: BinaryIO | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            while self.opened is not None and (piece := offload.run(self.opened.read, PIECE)):
                yield piece
        finally:
            self.close()

    def close(self) -> None:
        """Remove the file, so that another may take its room."""
        OPEN_FILES.discard(self)
        if self.opened is not None:
            self.opened.close()
            self.opened = None


OPEN_FILES: WeakSet[TemporaryFile] = WeakSet()


def temporary_file(make: Callable[[Path], None]) -> TemporaryFile:
    """Make a file, and return its pieces. Nothing is left on the disk, even if nobody takes them.

    Parameters
    ----------
    make : callable
        Writes the file to a path. What it raises comes before the first piece.

    Raises
    ------
    TooManyFiles
        If there are `MOST_FILES` already.
    """
    if len(OPEN_FILES) >= MOST_FILES:
        raise TooManyFiles
    sent = TemporaryFile()
    OPEN_FILES.add(sent)
    try:
        with MAKING, TemporaryDirectory(prefix="candor-") as folder:
            path = Path(folder) / "file"
            make(path)
            sent.opened = path.open("rb")
    except BaseException:
        sent.close()
        raise
    return sent  # its folder is gone, and it has no name
