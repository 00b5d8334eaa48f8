"""A file of the zip while it is made: its pieces are counted and hashed, and go on at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator


class HashedFile:
    """A file that is counted and hashed while its pieces are taken."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = pieces
        self.length = 0
        self.digest = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.length += len(piece)
            self.digest.update(piece)
            yield piece

    @property
    def sha256(self) -> str:
        """Its hash as far as it was made: 64 hexadecimal digits."""
        return self.digest.hexdigest()
