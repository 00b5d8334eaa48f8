"""The power is taken away from a run that was recorded: what is wrong with what the disk then holds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from disk import Disk
from ledger import SLUG, Ledger, draw, faults
from recording import Event

from server.store import surveys
from server.store.engine import Storage

SEED = 4711
SHARES = (0.0, 1.0, 0.5, 0.1, 0.9)
"""The chance with which anything unsynced is kept, in turn."""

WORST = 2
"""After how many acknowledgements the power goes where the worst is looked for."""

Sent = list[tuple[str, tuple[int, ...]]]
"""Receipts and reports, in the order in which they are planned."""


def planned(sizes: tuple[int, ...], batches: int) -> list[Sent]:
    """Return the batches that are sent, the same in every process."""
    chance = random.Random(SEED)
    return [[draw(sizes, chance) for _ in range(chance.randint(1, 12))] for _ in range(batches)]


def say(word: str, start: int = 0, end: int = 1) -> None:
    """Tell whoever watches what has happened, to which of the planned submissions."""
    os.write(2, f"{word} {start} {end}\n".encode())


@dataclass(frozen=True)
class Recording:
    """A run that was watched.

    Attributes
    ----------
    events : list of Event
    sent : list
        What it sends.
    before : Callable
        Gives the disk as it was before.
    folder : Callable
        Gives an empty folder for an image.
    opened : Callable
        Starts on the image in a folder as a server would, for as long as a block lasts.
    """

    events: list[Event]
    sent: Sent
    before: Callable[[], Disk]
    folder: Callable[[], AbstractContextManager[str]]
    opened: Callable[[Path], AbstractContextManager[Storage]]


def said(events: Iterable[Event]) -> dict[str, set[int]]:
    """Return what a run has said: word -> of which submissions."""
    found: dict[str, set[int]] = {}
    for event in events:
        if event.kind == "say":
            word, start, end = event.data.decode().split()
            found.setdefault(word, set()).update(range(int(start), int(end)))
    return found


def ledger(sent: Sent, words: dict[str, set[int]]) -> Ledger:
    """Return what was sent and acknowledged, by what was said."""
    return Ledger(
        dict(sent[number] for number in words.get("sent", ())),
        {sent[number][0] for number in words.get("acknowledged", ())},
    )


def losses(recording: Recording, images: int, chance: random.Random) -> list[str]:
    """Take the power away at random and look what is left; return what is wrong with the images.

    Every second time the power goes right after something was said: there a missing sync shows.
    """
    after_words = [n + 1 for n, event in enumerate(recording.events) if event.kind == "say"]
    ends = [
        chance.choice(after_words) if number % 2 else chance.randrange(len(recording.events) + 1)
        for number in range(images)
    ]
    moments = [(end, SHARES[number % len(SHARES)]) for number, end in enumerate(sorted(ends))]
    return losses_at(recording, moments, chance)


def worst_losses(recording: Recording) -> list[str]:
    """Take the power away right after each of the last acknowledgements; nothing unsynced is kept."""
    ends = [n + 1 for n, event in enumerate(recording.events) if event.data.startswith(b"acknowledged")]
    return losses_at(recording, [(end, 0.0) for end in ends[-WORST:]], random.Random(SEED))


def losses_at(recording: Recording, moments: list[tuple[int, float]], chance: random.Random) -> list[str]:
    """Take the power away after so many calls, in order, each time keeping a share of what is unsynced."""
    wrong, disk, done = [], recording.before(), 0
    for end, share in moments:
        disk.apply(recording.events[done:end])
        done = end
        with recording.folder() as folder:
            disk.image(chance, share, Path(folder))
            found = faults_of_image(Path(folder), recording, said(recording.events[:end]))
        wrong += [f"after {end} calls, keeping {share:.0%}: {fault}" for fault in found]
    return wrong


def faults_of_image(folder: Path, recording: Recording, words: dict[str, set[int]]) -> list[str]:
    """Open an image, and return what is wrong with it."""
    try:
        with recording.opened(folder) as storage:
            survey = storage.read(surveys.by_slug, SLUG)
            if "closed" in words and (survey is None or survey.state != "closed"):
                return ["the survey was closed, and is open"]
            return faults(storage, ledger(recording.sent, words))
    except Exception as error:  # noqa: BLE001  # whatever it is, nobody can use the image
        return [f"it cannot be used: {type(error).__name__}"]
