"""Power loss: whatever survives of the unsynced writes, all that was acknowledged is there unchanged."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from disk import Disk
from ledger import SLUG, Ledger, draw, faults, open_survey, sizes_of, submission
from recording import Event, record

from server.store import submissions, surveys
from server.store.sqlite.storage import SQLiteStorage

SEED = 4711
SHARES = (0.0, 1.0, 0.5, 0.1, 0.9)
"""The chance with which anything unsynced is kept, in turn."""

WEAKER = {
    "synchronous=OFF": ("synchronous=FULL", "synchronous=OFF"),
    "journal_mode=DELETE": ("journal_mode=TRUNCATE", "journal_mode=DELETE"),
}
"""Settings that lose what was acknowledged: what the server sets, and what is set instead."""


def main(path: str, batches: str, weaker: str = "") -> None:
    """Make a database, open a survey, commit batches and close: in a process that is watched."""
    if weaker:
        sqlite3.connect = partial(sqlite3.connect, factory=weakened(*WEAKER[weaker]))
    storage = SQLiteStorage(Path(path))
    storage.create()
    survey = storage.write(open_survey)
    number = 0
    for batch in planned(sizes_of(survey), int(batches)):
        say(f"sent {number + len(batch)}")
        made = [submission(survey, receipt, codes) for receipt, codes in batch]
        assert set(storage.write(submissions.record, made, "2026-05-04")) == {"stored"}
        number += len(batch)
        say(f"acknowledged {number}")
    storage.write(surveys.close_survey, survey.id)
    say("closed 1")
    storage.finish()
    say("finished 1")
    storage.close()


def weakened(right: str, wrong: str) -> type[sqlite3.Connection]:
    """Build a connection that sets something else than it is asked to."""

    class Weakened(sqlite3.Connection):
        def execute(self, sql, *parameters):
            return super().execute(sql.replace(right, wrong), *parameters)

    return Weakened


def say(words: str) -> None:
    """Tell whoever watches."""
    os.write(2, f"{words}\n".encode())


def planned(sizes: tuple[int, ...], batches: int) -> list[list[tuple[str, tuple[int, ...]]]]:
    """Return the batches that are sent, the same in every process."""
    chance = random.Random(SEED)
    return [[draw(sizes, chance) for _ in range(chance.randint(1, 12))] for _ in range(batches)]


@dataclass(frozen=True)
class Recording:
    """A run that was watched.

    Attributes
    ----------
    events : list of Event
    sent : list
        Receipts and reports, in order.
    """

    events: list[Event]
    sent: list[tuple[str, tuple[int, ...]]]

    def said(self, until: int) -> dict[str, int]:
        """Return what the process had said before an event: word -> the last number."""
        words = (event.data.decode().split() for event in self.events[:until] if event.kind == "say")
        return {word: int(number) for word, number in words}

    def ledger(self, until: int) -> Ledger:
        """Return what was sent and acknowledged before an event."""
        said = self.said(until)
        sent = dict(self.sent[: said.get("sent", 0)])
        return Ledger(sent, {receipt for receipt, _ in self.sent[: said.get("acknowledged", 0)]})


def recorded(folder: Path, batches: int, weaker: str = "") -> Recording:
    """Record a run."""
    path = folder / "candor.db"
    command = [sys.executable, __file__, path, str(batches), *([weaker] if weaker else [])]
    found = record(command, folder / "strace")
    return Recording([event for event in found if ours(event, folder)], sent_to(path, batches))


def cut_short(path: Path, batches: int, acknowledged: int) -> Ledger:
    """Kill a run as soon as it has acknowledged so many submissions: while it commits the next ones."""
    command = [sys.executable, __file__, path, str(batches)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        said = []
        for line in process.stderr:
            said.append(Event("say", "", data=line))
            word, number = line.split()
            if word == b"acknowledged" and int(number) >= acknowledged:
                process.kill()
    return Recording(said, sent_to(path, batches)).ledger(len(said))


def sent_to(path: Path, batches: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return everything that a run sends, or would have."""
    storage = SQLiteStorage(path)
    sizes = sizes_of(storage.read(surveys.by_slug, SLUG))
    storage.close()
    return [one for batch in planned(sizes, batches) for one in batch]


def ours(event: Event, folder: Path) -> bool:
    """Return whether an event is about the database: Python opens other files."""
    path = Path(event.path)
    return event.kind == "say" or path == folder or path.parent == folder


def losses(recording: Recording, images: int, chance: random.Random) -> list[str]:
    """Take the power away at random and look what is left; return what is wrong with the images.

    Every second time the power goes right after something was said: there a missing sync shows.
    """
    after_words = [n + 1 for n, event in enumerate(recording.events) if event.kind == "say"]
    ends = [
        chance.choice(after_words) if number % 2 else chance.randrange(len(recording.events) + 1)
        for number in range(images)
    ]
    wrong, disk, done = [], Disk(), 0
    for number, end in enumerate(sorted(ends)):
        disk.apply(recording.events[done:end])
        done = end
        with tempfile.TemporaryDirectory() as folder:
            share = SHARES[number % len(SHARES)]
            disk.image(chance, share, Path(folder))
            found = faults_of_image(Path(folder) / "candor.db", recording, end)
        wrong += [f"after {end} calls, keeping {share:.0%}: {fault}" for fault in found]
    return wrong


def faults_of_image(path: Path, recording: Recording, end: int) -> list[str]:
    """Open an image as a server does that starts, and return what is wrong with it."""
    storage = SQLiteStorage(path)
    try:
        storage.create()
        survey = storage.read(surveys.by_slug, SLUG)
        if "closed" in recording.said(end) and (survey is None or survey.state != "closed"):
            return ["the survey was closed, and is open"]
        return faults(storage, recording.ledger(end))
    except Exception as error:  # noqa: BLE001  # whatever it is, nobody can use the image
        return [f"it cannot be used: {type(error).__name__}"]
    finally:
        storage.close()


def table(engine: str, images: int = 1000, batches: int = 60) -> bool:
    """Print a row for what the server sets and for what is weaker; return whether nothing was missed."""
    print("settings              calls  acknowledged  images  wrong")
    well = True
    for weaker in ("", *WEAKER):
        with tempfile.TemporaryDirectory() as folder:
            recording = recorded(Path(folder), batches, weaker)
            number = max(20, images // 20) if weaker else images
            wrong = losses(recording, number, random.Random(SEED))
        print(
            f"{weaker or 'as served':20} {len(recording.events):6,} {len(recording.sent):13,} {number:7,}  "
            f"{len(wrong)}{', as it must be: ' if weaker and wrong else ''}{wrong[0] if wrong else ''}",
            flush=True,
        )
        well &= bool(wrong) == bool(weaker)
    return well


if __name__ == "__main__":
    main(*sys.argv[1:])
