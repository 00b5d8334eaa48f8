"""A disk whose power goes: what was synced is there, of what came later anything may be.

A file keeps what it held at its last sync. Of each later write every block of 512 bytes is kept or not, and
so is each truncation. A folder keeps the names that it had at its last sync; of each name's later creations
and removals some first ones are kept. It is harsher than any file system: syncing a file does not keep its
name, and of a file that was renamed both names, or none, may be there.
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

    def sync(self, begun: int) -> None:
        """Make everything durable that had ended when the sync began."""
        covered = sum(event.ended <= begun for event in self.later)
        perform(self.durable, self.later[:covered], lambda: True)
        del self.later[:covered]

    def image(self, keep: Keep) -> bytearray:
        """Return what the file may hold after the power went."""
        held = bytearray(self.durable)
        perform(held, self.later, keep)
        return held


def perform(held: bytearray, events: Iterable[Event], keep: Keep) -> None:
    """Do what was done to a file, as far as it is kept."""
    for event in events:
        if event.kind != "write":
            if keep():
                set_length(held, event.offset if event.kind == "truncate" else max(len(held), event.offset))
            continue
        start, end = event.offset, event.offset + len(event.data)
        for block in range(start - start % BLOCK, end, BLOCK):
            low, high = max(start, block), min(end, block + BLOCK)
            if keep():
                set_length(held, max(len(held), high))
                held[low:high] = event.data[low - start : high - start]


def set_length(held: bytearray, length: int) -> None:
    """Cut a file off, or fill it up with zeros."""
    del held[length:]
    held.extend(bytes(length - len(held)))


@dataclass
class Disk:
    """Files and folders as calls leave them.

    Attributes
    ----------
    folder : str
        The folder that was watched.
    folders : list of str
        Those in it.
    names : dict of str to list
        Path -> the files that it has named since its folder was last synced, the latest last, each with the
        line of the log that shows it; None: no file.
    """

    folder: str
    folders: list[str] = field(default_factory=list)
    names: dict[str, list[tuple[int, File | None]]] = field(default_factory=dict)

    def load(self, copy: Path) -> None:
        """Hold what a copy of the folder holds, all of it durable."""
        for path in copy.rglob("*"):
            name = f"{self.folder}/{path.relative_to(copy)}"
            if path.is_dir():
                self.folders.append(name)
            else:
                self.names[name] = [(0, File(bytearray(path.read_bytes())))]

    def apply(self, events: Iterable[Event]) -> None:
        """Do what calls did."""
        for event in events:
            if event.kind == "sync":
                self.sync(event.path, event.begun)
            elif event.kind == "create":
                if self.names.get(event.path, [(0, None)])[-1][1] is None:
                    self.name(event, event.path, File())
            elif event.kind == "unlink":
                self.name(event, event.path, None)
            elif event.kind in ("rename", "link"):
                self.name(event, event.data.decode(), self.file(event.path))
                if event.kind == "rename":
                    self.name(event, event.path, None)
            elif event.kind in ("write", "truncate", "extend"):
                self.file(event.path).later.append(event)

    def name(self, event: Event, path: str, found: File | None) -> None:
        """Let a path name a file, or none."""
        self.names.setdefault(path, [(0, None)]).append((event.ended, found))

    def file(self, path: str) -> File:
        """Return the file that a path names now."""
        found = self.names[path][-1][1]
        if found is None:
            raise ValueError(f"{path} is not there")
        return found

    def sync(self, path: str, begun: int) -> None:
        """Make a file durable, or the names in a folder."""
        if path in self.names:
            self.file(path).sync(begun)
            return
        for name, named in self.names.items():
            if name.rpartition("/")[0] == path:
                while len(named) > 1 and named[1][0] <= begun:
                    del named[0]

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

        for path in self.folders:
            (folder / Path(path).relative_to(self.folder)).mkdir(parents=True, exist_ok=True)
        for path, named in self.names.items():
            kept = 0
            while kept < len(named) - 1 and keep():
                kept += 1
            found = named[kept][1]
            if found is not None:
                (folder / Path(path).relative_to(self.folder)).write_bytes(found.image(keep))
