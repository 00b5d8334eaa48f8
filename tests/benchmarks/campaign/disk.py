"""A disk whose power goes: what was synced is there, of what came later anything may be.

A file keeps what it held at its last sync. Of each later write every block of 512 bytes is kept or not, and
so is each truncation. A folder keeps the names that it had at its last sync; of each name's later creations
and removals some first ones are kept. It is harsher than any file system: syncing a file does not keep its
name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from recording import Event

BLOCK = 512

Keep = Callable[[], bool]
"""Decides whether one block, truncation or change of a name is kept."""


@dataclass
class File:
    """A file: what is durable, and what was done to it since."""

    durable: bytearray = field(default_factory=bytearray)
    later: list[Event] = field(default_factory=list)

    def sync(self) -> None:
        """Make everything durable."""
        self.durable = self.image(lambda: True)
        self.later = []

    def image(self, keep: Keep) -> bytearray:
        """Return what the file may hold after the power went."""
        held = bytearray(self.durable)
        for event in self.later:
            if event.kind == "truncate":
                if keep():
                    set_length(held, event.offset)
                continue
            start, end = event.offset, event.offset + len(event.data)
            for block in range(start - start % BLOCK, end, BLOCK):
                low, high = max(start, block), min(end, block + BLOCK)
                if keep():
                    set_length(held, max(len(held), high))
                    held[low:high] = event.data[low - start : high - start]
        return held


def set_length(held: bytearray, length: int) -> None:
    """Cut a file off, or fill it up with zeros."""
    del held[length:]
    held.extend(bytes(length - len(held)))


@dataclass
class Disk:
    """Files and folders as calls leave them.

    Attributes
    ----------
    names : dict of str to list
        Path -> the files that it has named since its folder was last synced, the latest last; None: no file.
    """

    names: dict[str, list[File | None]] = field(default_factory=dict)

    def apply(self, events: Iterable[Event]) -> None:
        """Do what calls did."""
        for event in events:
            if event.kind == "sync":
                self.sync(event.path)
            elif event.kind == "create":
                if self.names.setdefault(event.path, [None])[-1] is None:
                    self.names[event.path].append(File())
            elif event.kind == "unlink":
                self.names[event.path].append(None)
            elif event.kind in ("write", "truncate"):
                self.file(event.path).later.append(event)

    def file(self, path: str) -> File:
        """Return the file that a path names now."""
        found = self.names[path][-1]
        if found is None:
            raise ValueError(f"{path} is not there")
        return found

    def sync(self, path: str) -> None:
        """Make a file durable, or the names in a folder."""
        if path in self.names:
            self.file(path).sync()
        else:
            for name, named in self.names.items():
                if str(Path(name).parent) == path:
                    del named[:-1]

    def image(self, chance: random.Random, share: float, folder: Path) -> None:
        """Write what may be found when the power is back into a folder.

        Parameters
        ----------
        chance : random.Random
        share : float
            The chance with which anything that was not synced is kept.
        folder : Path
        """

        def keep() -> bool:
            return chance.random() < share

        for path, named in self.names.items():
            kept = 0
            while kept < len(named) - 1 and keep():
                kept += 1
            found = named[kept]
            if found is not None:
                (folder / Path(path).name).write_bytes(found.image(keep))
