"""A zip that is written while it is sent: it is never whole in memory or on disk."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from server.runtime import offload

THE_SAME_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every file, the first that a zip can tell: the same reports give the same bytes, and nothing
tells when somebody asked for them."""

READABLE = 0o644 << 16


class Outlet(io.RawIOBase):
    """A file that a zip is written to: bytes wait here until they are sent, and none can be written over."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def writable(self) -> bool:
        """Say that the zip may write here."""
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Add bytes to those that wait."""
        self.waiting.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """Return what was written since the last time."""
        taken = b"".join(self.waiting)
        self.waiting.clear()
        return taken


def zip_pieces(
    folder: str, files: Iterable[tuple[str, Iterable[bytes]]], huge: Collection[str] = ()
) -> Iterator[bytes]:
    """Yield a zip piece by piece; each piece is packed in a thread, so that others are answered meanwhile.

    Parameters
    ----------
    folder : str
        The one folder that all files lie in.
    files : iterable of (str, iterable of bytes)
        Name and pieces of each file.
    huge : collection of str
        Names of those that may pass 2 GB: they are written as Zip64, which some old programs cannot read.
    """
    outlet = Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
        for name, pieces in files:
            entry = ZipInfo(f"{folder}/{name}", THE_SAME_DAY)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, READABLE, 3
            with archive.open(entry, "w", force_zip64=name in huge) as packed:
                for piece in pieces:
                    offload.compute(packed.write, piece)
                    if outlet.waiting:
                        yield outlet.take()
    yield outlet.take()
