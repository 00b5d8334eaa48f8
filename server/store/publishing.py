"""The counts that may be shown of an open survey: they are a step of people behind those that came.

Of every group of columns that the same people are asked, whatever was committed keeps two rules:

1. Nothing of it is published, or at least a step of the people who were asked it came since.
2. Two states that were published one after the other differ by at least a step of people asked.

Closing publishes everything, and by the first rule that adds a step as well, or shows all at once. So no two
counts that are in the database at a time, or are shown one after the other, differ by fewer people.

To publish what is a step old takes a copy of it. The database must not hold this copy: right after it is
made, it differs from the counts by one person. So it lives in the memory of a process, which takes a snapshot
when a step has come since what is published, and publishes it when another step has come since. A process
that ends forgets its snapshots; then results wait for those of the next. Several processes each take their
own. Both rules hold all the same, for they are checked in the transaction that publishes.

Where several transactions record at a time, at most one publishes, and nobody waits for it. What was
published, and all counts, are read after that right was got: so counts can only have grown since whoever had
it before. A process leaves the counts of a survey alone for `ReportStore.pause` after it has read them all.
If it has stored reports since, it reads them once more after that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from server.store import invitation_list
from server.store.engine import Connection
from survey.block import Block, section_blocks
from survey.invitations import LISTED
from survey.publication import Publication
from survey.record import layout_of

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """Blocks that the same people are asked; their counts advance together.

    Attributes
    ----------
    places : ndarray of int
        Where the counts of the blocks stand in an array of all counts, block by block.
    asked_codes : int
        How many codes of the first block stand for somebody who was asked it.
    codes : int
        How many codes it has in all.
    """

    places: npt.NDArray[np.intp]
    asked_codes: int
    codes: int

    def asked(self, counts: Counts) -> int:
        """Return how many people the group's counts hold who were asked it."""
        return int(counts[: self.asked_codes].sum())

    def respondents(self, counts: Counts) -> int:
        """Return how many people the group's counts hold: everybody has a code in every block."""
        return int(counts[: self.codes].sum())


@dataclass(frozen=True)
class Remembered:
    """The memory of a process about an open survey, from one commit to the next.

    Attributes
    ----------
    fingerprint : str
        Of the survey's publication.
    moment : int
        How many respondents there were when the process last took or published a snapshot, or could have.
    snapshots : Mapping[int, ndarray of int]
        Group -> its counts at an earlier moment.
    read : float
        The moment at which the process last read all counts, in seconds since 1970; NaN before the first.
    behind : bool
        Whether it has stored reports since then.
    """

    fingerprint: str
    moment: int
    snapshots: Mapping[int, Counts]
    read: float = math.nan
    behind: bool = False


NOTHING = Remembered("", 0, {})
"""The memory of a process that begins."""

LIST = -1
"""The number, among those of the groups, of the list of used invitations, which has a code for each."""

Memory = dict[int, Remembered]
"""A survey's number -> what a process remembers of it."""


def advance(db: Connection, survey_id: int, publication: Publication, memory: Memory, now: float) -> None:
    """Publish what has become a step old, and take snapshots, after reports were stored.

    Parameters
    ----------
    db : Connection
    survey_id : int
        Of an open survey.
    publication : Publication
    memory : dict[int, Remembered]
        Changed in place. What stands in it afterwards holds once the transaction is committed, not before.
    now : float
        In seconds since 1970; minus infinity has the counts read.

    Notes
    -----
    Groups only move at moments that the number of *all* respondents decides: when a step of them came since
    the moment before. A group that moved with the last person it needed would show that this person was
    asked it.
    """
    before = memory.get(survey_id, NOTHING)
    if not due(db, before, now) or not db.reports.may_publish(survey_id):
        memory[survey_id] = replace(before, behind=True)
        return
    step = publication.definition.step
    everybody, counts = groups(publication), db.reports.counts(survey_id, publication)
    respondents = everybody[0].respondents(counts[everybody[0].places])
    # A process that begins knows no moment, and neither does one whose database was replaced by another.
    if before.fingerprint != publication.fingerprint or before.moment > respondents:
        shown = db.reports.published(survey_id, publication)
        last = max(group.respondents(shown[group.places]) for group in everybody)
        before = Remembered(publication.fingerprint, last, {})
    memory[survey_id] = Remembered(before.fingerprint, before.moment, before.snapshots, now)
    if respondents - before.moment < step:
        return
    published = db.reports.published(survey_id, publication)
    shown, snapshots = published.copy(), {}
    for number, group in enumerate(everybody):
        shown[group.places], snapshot = advanced(
            group, step, published[group.places], before.snapshots.get(number), counts[group.places]
        )
        if snapshot is not None:
            snapshots[number] = snapshot
    if (shown != published).any():
        db.reports.publish(survey_id, publication, shown)
    if publication.definition.invitations == LISTED:
        snapshot = advance_list(db, survey_id, step, before.snapshots.get(LIST))
        if snapshot is not None:
            snapshots[LIST] = snapshot
    memory[survey_id] = Remembered(publication.fingerprint, respondents, snapshots, now)


def due(db: Connection, remembered: Remembered, now: float) -> bool:
    """Return whether a process may read all counts of a survey again; a clock may have been set back."""
    return not 0 <= now - remembered.read < db.reports.pause


def behind(db: Connection, memory: Memory, now: float) -> set[int]:
    """Return the surveys whose counts are to be read again, for reports that were stored since."""
    return {number for number, remembered in memory.items() if remembered.behind and due(db, remembered, now)}


def advance_list(db: Connection, survey_id: int, step: int, snapshot: Counts | None) -> Counts | None:
    """Show by the same rules who has used an invitation; return the snapshot to remember.

    Notes
    -----
    As many were used as people came, so the list moves together with what everybody is asked. Those that were
    made since a snapshot were not used then.
    """
    used = invitation_list.used(db, survey_id).astype(np.int64)
    noted = invitation_list.listed(db, survey_id, len(used)).astype(np.int64)
    if snapshot is not None:
        snapshot = np.pad(snapshot, (0, len(used)))[: len(used)]
    everybody = Group(np.arange(len(used)), len(used), len(used))
    shown, snapshot = advanced(everybody, step, noted, snapshot, used)
    if (shown != noted).any():
        invitation_list.note(db, survey_id, shown.astype(np.uint8))
    return snapshot


def advanced(
    group: Group, step: int, published: Counts, snapshot: Counts | None, now: Counts
) -> tuple[Counts, Counts | None]:
    """Return what is published of a group from this moment on, and the snapshot to remember.

    Examples
    --------
    >>> group = Group(places=np.arange(2), asked_codes=2, codes=2)
    >>> advanced(group, 10, np.array([0, 0]), None, np.array([4, 8]))
    (array([0, 0]), array([4, 8]))
    >>> advanced(group, 10, np.array([0, 0]), np.array([4, 8]), np.array([9, 13]))
    (array([4, 8]), array([ 9, 13]))
    >>> advanced(group, 10, np.array([4, 8]), None, np.array([9, 12]))
    (array([4, 8]), None)
    """
    # Another process may have published since; and of a database that was restored, a snapshot knows nothing.
    if snapshot is not None and (group.asked(snapshot - published) < step or (snapshot > now).any()):
        snapshot = None
    if snapshot is not None and group.asked(now - snapshot) >= step:
        published, snapshot = snapshot, None
    if snapshot is None and group.asked(now - published) >= step:
        snapshot = now
    return published, snapshot


@lru_cache(maxsize=256)
def groups(publication: Publication) -> tuple[Group, ...]:
    """Return all blocks that everybody is asked as one group, and those of each drawn section as another."""
    ends = iter(layout_of(publication).ends.tolist())
    everybody: list[tuple[Block, int]] = []
    drawn: list[list[tuple[Block, int]]] = []
    for _, blocks in section_blocks(publication):
        placed = [(block, next(ends)) for block in blocks]
        if blocks[0].drawn:
            drawn.append(placed)
        else:
            everybody += placed
    return tuple(group_of(placed) for placed in (everybody, *drawn) if placed)


def group_of(blocks: Sequence[tuple[Block, int]]) -> Group:
    """Put blocks together, each with the end of its counts."""
    places = [np.arange(end - block.codes, end) for block, end in blocks]
    first, _ = blocks[0]
    return Group(np.concatenate(places), first.asked_codes, first.codes)
