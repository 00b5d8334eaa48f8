"""Files that must be whole before they can be sent: made on the disk, and gone when they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from server.web import offload

PIECE = 2**16


def made_and_sent(make: Callable[[Path], None]) -> Iterator[bytes]:
    """Make a file, and return its pieces. Nothing is left on the disk, even if nobody takes them.

    Parameters
    ----------
    make : callable
        Writes the file to a path. What it raises comes before the first piece.
    """
    with TemporaryDirectory(prefix="candor-") as folder:
        path = Path(folder) / "file"
        make(path)
        opened = path.open("rb")
    sent = pieces(opened)  # the file has no name any more, and goes when it is closed
    next(sent)
    return sent


def pieces(opened: BinaryIO) -> Iterator[bytes]:
    """Yield nothing, then a file piece by piece, and close it.

    Notes
    -----
    A generator that was never begun closes nothing when it is closed itself, as after HEAD.
    """
    with opened:
        yield b""
        while piece := offload.run(opened.read, PIECE):
            yield piece
