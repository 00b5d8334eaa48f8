"""A file of the zip while it is made: what goes by is counted and hashed, and kept nowhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator


class HashedFile:
    """A file as it is made: counted and hashed while it goes by."""

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
