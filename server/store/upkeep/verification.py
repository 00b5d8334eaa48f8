"""A check that all that is stored agrees: a recount of every survey from its reports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from server.store import counted_lists, invitation_list, pictures, surveys
from server.store.counted_lists import CountedList
from server.store.engine import Block, Connection, MissingBucket, Place, Rearranged, Storage, Unavailable
from server.store.lifecycle import life
from server.store.publication_cache import UnreadableSurvey
from server.store.surveys import Survey
from server.store.walk import parts
from survey.counted_list import leaves_of, root_of
from survey.publication import Publication
from survey.record import Layout, layout_of

BLOCK = 4000
"""Reports that are read in one transaction: it takes about 10 ms."""

RECEIPTS_AT_ONCE = 1000
"""The most receipts that are looked up in one transaction."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Moment:
    """The counts of a survey at one moment.

    Attributes
    ----------
    removed : bool
        Whether its reports were removed.
    counted, published : ndarray of int
    """

    removed: bool
    counted: Counts
    published: Counts


class ReportsGone(Exception):
    """The reports of a survey have been removed since somebody began to read them."""


class Recount:
    """The sums of a walk over all reports of a survey; no report is held.

    Parameters
    ----------
    layout : Layout
    key : bytes
        Drawn anew for each walk.

    Attributes
    ----------
    number : int
    counts : ndarray of int
    twice, beyond, lost : int
        The reports whose receipt another of the same part has, that have a code which their column does not
        have, and that are not found under their receipts.
    leaves : LeafSum
        Of all reports.
    """

    def __init__(self, layout: Layout, key: bytes) -> None:
        self.layout, self.leaves = layout, LeafSum(key)
        self.sizes = np.array([codes for _, codes in layout.codes])
        self.number = self.twice = self.beyond = self.lost = 0
        self.counts = np.zeros(layout.ends[-1], np.int64)

    def add(self, block: Block, *, listed: bool) -> None:
        """Count some reports, and their leaves if there is a list of them."""
        self.number += len(block)
        self.twice += len(block) - len({receipt for receipt, _ in block})
        table = self.layout.table(b"".join(record for _, record in block))
        right = (table < self.sizes).all(axis=1)
        self.beyond += int((~right).sum())
        self.counts += self.layout.count(table[right])
        if listed:
            self.leaves.add(leaves_of(block))

    def faults(self, before: Moment, after: Moment) -> list[str]:
        """Return what is wrong with the reports, by the counts before and after the walk.

        What came meanwhile may have been read or not. If nothing came, both counts are the same.
        """
        of_all, faults = f"of {self.number:,} reports", []
        if self.twice:
            faults.append(f"{self.twice:,} {of_all} have a receipt that another has too")
        within = np.clip(self.counts, before.counted, after.counted)
        if self.beyond:
            faults.append(f"{self.beyond:,} {of_all} have a code that their column does not have")
        elif wrong := differing(self.layout, self.counts, within):
            faults.append(f"the counts of {wrong} differ from a recount {of_all}")
        faults += published_faults(self.layout, after)
        if self.lost and not faults:
            faults.append(f"{self.lost:,} {of_all} are not found under their receipts")
        return faults


class LeafSum:
    """A sum of leaves in which their order does not matter: others have another sum.

    Notes
    -----
    Each leaf is hashed under a key that whoever made the leaves did not know, and the hashes are added up.
    Even modulo 2**128, the sum of other leaves is the same with a chance of 2**-128 (Clarke and others,
    Incremental multiset hash functions, ASIACRYPT 2003, MSet-Add-Hash).
    """

    def __init__(self, key: bytes) -> None:
        self.key, self.number, self.total = key, 0, 0

    def add(self, leaves: list[bytes]) -> None:
        """Add some leaves."""
        self.number += len(leaves)
        self.total += sum(
            int.from_bytes(blake2b(leaf, key=self.key, digest_size=16).digest()) for leaf in leaves
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LeafSum) and (self.number, self.total) == (other.number, other.total)

    __hash__ = None  # type: ignore[assignment]


def verify_surveys(storage: Storage) -> Iterator[tuple[str, int | None, list[str]]]:
    """Yield of each published survey its name, how many reports it has, and what is wrong, a sentence each.

    The number is None where the reports were removed on the day set for it: then there is nothing to recount.

    Notes
    -----
    Reports are read in parts, each in a short transaction, and none is held. While a survey takes reports,
    every one that was there at first is read once, and those that come meanwhile at most once: so what is
    counted lies between the counts before and after. A report never changes and never goes, so that each
    can be looked up later, a thousand at a time: it must be found under its receipt, which nothing in the
    database enforces within a bucket. A report that stands in two buckets is one more than was counted. A
    survey that is deleted meanwhile is passed over, as is one whose reports begin to go. One that cannot be
    read keeps no other from being looked at.
    """
    for survey_id, slug in storage.read(published):
        try:
            found = of_one(storage, survey_id)
        except UnreadableSurvey as error:
            found = None, [f"it cannot be read: {error.reason}"]
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001  # whatever is damaged of it, the others are looked at too
            lines = str(error).splitlines() or ["no more is known"]
            found = None, [f"it cannot be read ({type(error).__name__}: {lines[0]})"]
        if found is not None and (survey_id, slug) in storage.read(published):
            yield slug, *found


def published(db: Connection) -> list[tuple[int, str]]:
    """Return number and name of every survey that is no draft: what was published of it may be damaged."""
    return db.execute("SELECT id, slug FROM surveys WHERE state <> 'draft' ORDER BY id").fetchall()


def of_one(storage: Storage, survey_id: int) -> tuple[int | None, list[str]] | None:
    """Return how many reports a survey has and what is wrong; None if its reports begin to go meanwhile."""
    survey, stated = storage.read(with_fingerprint, survey_id)
    if survey.publication is None:
        return None, ["what was published of it is gone"]
    faults = fingerprint_faults(survey.publication, stated)
    layout = layout_of(survey.publication)
    recount = Recount(layout, os.urandom(32))
    made = storage.read(counted_lists.of, survey.id)
    try:
        before = storage.read(moment_of, survey.id, survey.publication)
        if not before.removed:
            for block in walk(storage, survey.id, survey.publication):
                recount.add(block, listed=made is not None)
                recount.lost += lost_of(storage, survey.id, survey.publication, block)
        after = storage.read(moment_of, survey.id, survey.publication)
    except ReportsGone:
        return None
    except Rearranged:  # it was closed meanwhile, and is so for good
        return of_one(storage, survey_id)
    except MissingBucket as error:
        return recount.number, [*faults, str(error)]
    if after.removed != before.removed:
        return None
    if before.removed:
        faults += published_faults(layout, after)
    else:
        faults += recount.faults(before, after)
    if survey.publication.definition.invitations:
        faults += storage.read(invitation_faults, survey.id, survey.publication)
    faults += picture_faults(storage, survey.id)
    if made is not None:
        faults += list_faults(storage, made, None if before.removed else recount.leaves)
    return None if before.removed else recount.number, faults


def with_fingerprint(db: Connection, survey_id: int) -> tuple[Survey, str | None]:
    """Return a survey and the fingerprint that is stored with what was published of it."""
    row = db.execute("SELECT fingerprint FROM publications WHERE survey_id = ?", [survey_id]).fetchone()
    return surveys.get(db, survey_id), row and row[0]


def fingerprint_faults(publication: Publication, stated: str | None) -> list[str]:
    """Return whether what was published has changed: its fingerprint is that of its bytes."""
    if publication.fingerprint == stated:
        return []
    return [
        f"what was published has the fingerprint {publication.fingerprint}, and {stated} is stored with it"
    ]


def moment_of(db: Connection, survey_id: int, publication: Publication) -> Moment:
    """Return the counts of a survey."""
    return Moment(
        life.of(db, survey_id).removed,
        db.reports.counts(survey_id, publication),
        db.reports.published(survey_id, publication),
    )


def walk(storage: Storage, survey_id: int, publication: Publication) -> Iterator[Block]:
    """Yield all reports of a survey, each part in a transaction of its own."""
    return parts(lambda place: storage.read(part_of, survey_id, publication, place))


def part_of(
    db: Connection, survey_id: int, publication: Publication, place: Place
) -> tuple[Block, Place | None]:
    """Return some reports from a place on, and the next place.

    Raises
    ------
    ReportsGone
        If they were removed.
    """
    if life.of(db, survey_id).removed:
        raise ReportsGone
    return db.reports.part(survey_id, publication, place, BLOCK)


def invitation_faults(db: Connection, survey_id: int, publication: Publication) -> list[str]:
    """Return whether an open survey has another number of reports than of invitations that were used."""
    ((still,),) = db.execute(
        "SELECT count(*) FROM surveys WHERE id = ? AND state = 'open'", [survey_id]
    ).fetchall()
    if not still:
        return []
    used, reports = (
        int(invitation_list.used(db, survey_id).sum()),
        db.reports.respondents(survey_id, publication),
    )
    return [] if used == reports else [f"{used:,} invitations were used, for {reports:,} reports"]


def published_faults(layout: Layout, held: Moment) -> list[str]:
    """Return what is wrong with what is published, as far as the counts tell."""
    wrong = differing(layout, np.minimum(held.published, held.counted), held.published)
    return [f"more is published of {wrong} than was counted"] if wrong else []


def differing(layout: Layout, ones: Counts, others: Counts) -> str:
    """Name the columns whose counts differ."""
    both = layout.by_column(ones), layout.by_column(others)
    return ", ".join(name for name, _ in layout.codes if both[0][name] != both[1][name])


def lost_of(storage: Storage, survey_id: int, publication: Publication, block: Block) -> int:
    """Return how many reports are not found under their receipts."""
    lost = 0
    for start in range(0, len(block), RECEIPTS_AT_ONCE):
        some = block[start : start + RECEIPTS_AT_ONCE]
        found = storage.read(found_under, survey_id, publication, [receipt for receipt, _ in some])
        lost += sum(found.get(receipt) != record for receipt, record in some)
    return lost


def picture_faults(storage: Storage, survey_id: int) -> list[str]:
    """Return which pictures of a survey are not what their names say; they are read one by one."""
    faults = []
    for name in sorted(storage.read(pictures.of_survey, survey_id)):
        picture = storage.read(pictures.used_by, survey_id, name)
        if picture is not None and picture.sha256 != name:
            faults.append(f"the bytes of the picture {name} have the SHA-256 {picture.sha256}")
    return faults


def list_faults(storage: Storage, made: CountedList, reports: LeafSum | None) -> list[str]:
    """Return whether the list that was counted does not agree with itself, or with the reports.

    Parameters
    ----------
    storage : Storage
    made : CountedList
    reports : LeafSum or None
        Of the leaves of the reports; None once they were removed.
    """
    leaves = LeafSum(b"" if reports is None else reports.key)
    roots: list[bytes] = []
    last, sorted_so_far = b"", True
    for sheet in counted_lists.sheets(storage, made.survey_id):
        sorted_so_far &= [last, *sheet] == sorted([last, *sheet])
        last = sheet[-1]
        roots.append(root_of(sheet))
        leaves.add(sheet)
    if (leaves.number, root_of(roots).hex(), sorted_so_far) != (made.leaves, made.root, True):
        return [f"the list that was counted has another root than {made.root}"]
    if reports is not None and leaves != reports:
        return [f"the list that was counted (root {made.root}) is not that of its reports"]
    return []


def found_under(
    db: Connection, survey_id: int, publication: Publication, receipts: list[bytes]
) -> dict[bytes, bytes]:
    """Return what is found under receipts."""
    return db.reports.find(survey_id, publication, receipts)
