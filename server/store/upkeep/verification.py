"""A check that all that is stored agrees: a recount of every survey from its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from server.store import counted_lists, invitation_list, pictures, surveys
from server.store.engine import Connection, Storage, Unavailable
from server.store.lifecycle import life
from server.store.publication_cache import UnreadableSurvey
from server.store.surveys import Survey
from survey.counted_list import leaves_of, root_of
from survey.publication import Publication
from survey.record import Layout, layout_of

BLOCK = 10_000
"""Reports of a closed survey that are read in one transaction: it takes about 20 ms."""

RECEIPTS_AT_ONCE = 1000
"""The most receipts that are looked up in one transaction."""

Counts = npt.NDArray[np.int64]
Records = list[tuple[bytes, bytes]]
Fetched = Callable[[], Iterator[tuple[bytes, bytes]]]
"""A function that takes apart what was read, and needs no transaction for it."""


def verify_surveys(storage: Storage) -> Iterator[tuple[str, int | None, list[str]]]:
    """Yield of each published survey its name, how many reports it has, and what is wrong, a sentence each.

    The number is None where the reports were removed on the day set for it: then there is nothing to recount.

    Notes
    -----
    An open survey is read in one transaction, so that its reports and counts are of one moment: while it
    takes reports, pieces that are read one after the other would not add up. That takes no longer than to
    read its bytes; they are taken apart afterwards. Once it is closed, nothing changes, and it is read in
    short pieces. Everything else is computed afterwards. A report never changes
    and never goes, so that each can be looked up later, a thousand at a time: it must be found under its
    receipt, which nothing in the database enforces within a bucket. A survey that is deleted meanwhile is
    passed over, as is one whose reports begin to go. One that cannot be read keeps no other from being looked
    at.
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
        if found is not None:
            yield slug, *found


def published(db: Connection) -> list[tuple[int, str]]:
    """Return number and name of every survey that is no draft: what was published of it may be damaged."""
    return db.execute("SELECT id, slug FROM surveys WHERE state <> 'draft' ORDER BY id").fetchall()


def of_one(storage: Storage, survey_id: int) -> tuple[int | None, list[str]] | None:
    """Return how many reports a survey has and what is wrong; None if it is deleted meanwhile."""
    try:
        survey, stated = storage.read(with_fingerprint, survey_id)
    except surveys.SurveyGone:
        return None
    if survey.publication is None:
        return None, ["what was published of it is gone"]
    faults = fingerprint_faults(survey.publication, stated)
    held = storage.read(all_of, survey.id)
    if held is None:
        return None
    removed, fetch_records, counted, shown = held
    layout = layout_of(survey.publication)
    records = None if fetch_records is None else list(fetch_records())
    if records is None and not removed:
        records = in_blocks(storage, survey.id, survey.publication)
        if records is None:
            return None
    if records is None:
        faults += published_faults(layout, counted, shown) + picture_faults(storage, survey.id)
        return None, faults + list_faults(storage, survey.id, None)
    wrong = count_faults(layout, records, counted, shown)
    faults += wrong or receipt_faults(storage, survey, survey.publication, records)
    if survey.publication.definition.invitations:
        faults += storage.read(invitation_faults, survey.id, survey.publication)
    faults += picture_faults(storage, survey.id) + list_faults(storage, survey.id, records)
    return len(records), faults


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


def all_of(db: Connection, survey_id: int) -> tuple[bool, Fetched | None, Counts, Counts] | None:
    """Return a survey's counts with all that must be of the same moment; or None if it was deleted.

    Returns
    -------
    removed : bool
        Whether its reports were removed.
    fetched : callable or None
        Gives its reports, unless they were removed, or are in their final order, in which `in_blocks` reads
        them.
    counted, published : ndarray of int
    """
    try:
        publication = surveys.get(db, survey_id).publication
    except surveys.SurveyGone:
        return None
    if publication is None:
        return None
    removed = life.of(db, survey_id).removed
    later = removed or db.reports.finished(survey_id)
    return (
        removed,
        None if later else db.reports.fetch_records(survey_id, publication),
        db.reports.counts(survey_id, publication),
        db.reports.published(survey_id, publication),
    )


def in_blocks(storage: Storage, survey_id: int, publication: Publication) -> Records | None:
    """Return the reports of a closed survey, read in short transactions; None if they go meanwhile."""
    records: Records = []
    while True:
        block = storage.read(block_after, survey_id, publication, records[-1][0] if records else b"")
        if block is None:
            return None
        records += block
        if len(block) < BLOCK:
            return records


def block_after(db: Connection, survey_id: int, publication: Publication, receipt: bytes) -> Records | None:
    """Return the reports that follow a receipt, or None if the survey was deleted or they were removed."""
    try:
        surveys.get(db, survey_id)
    except surveys.SurveyGone:
        return None
    if life.of(db, survey_id).removed:
        return None
    return db.reports.following(survey_id, publication, receipt, BLOCK)


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


def count_faults(layout: Layout, records: Records, counted: Counts, published: Counts) -> list[str]:
    """Return what is wrong with reports and counts, without looking at where they are stored."""
    faults = []
    if twice := len(records) - len({receipt for receipt, _ in records}):
        faults.append(f"{twice:,} of {len(records):,} reports have a receipt that another has too")
    table = layout.table(b"".join(record for _, record in records))
    beyond = (table >= np.array([codes for _, codes in layout.codes])).any(axis=1).sum()
    if beyond:
        faults.append(f"{beyond:,} of {len(records):,} reports have a code that their column does not have")
    elif wrong := differing(layout, layout.count(table), counted):
        faults.append(f"the counts of {wrong} differ from a recount of {len(records):,} reports")
    return faults + published_faults(layout, counted, published)


def published_faults(layout: Layout, counted: Counts, published: Counts) -> list[str]:
    """Return what is wrong with what is published, as far as the counts tell."""
    wrong = differing(layout, np.minimum(published, counted), published)
    return [f"more is published of {wrong} than was counted"] if wrong else []


def differing(layout: Layout, ones: Counts, others: Counts) -> str:
    """Name the columns whose counts differ."""
    both = layout.by_column(ones), layout.by_column(others)
    return ", ".join(name for name, _ in layout.codes if both[0][name] != both[1][name])


def receipt_faults(storage: Storage, survey: Survey, publication: Publication, records: Records) -> list[str]:
    """Return whether reports are not found under their receipts."""
    left, lost = iter(records), 0
    while some := dict(islice(left, RECEIPTS_AT_ONCE)):
        try:
            found = storage.read(found_under, survey.id, publication, some)
        except LookupError as error:
            return [str(error)]
        if found is None:
            return []
        lost += sum(found.get(receipt) != record for receipt, record in some.items())
    return [f"{lost:,} of {len(records):,} reports are not found under their receipts"] if lost else []


def picture_faults(storage: Storage, survey_id: int) -> list[str]:
    """Return which pictures of a survey are not what their names say; they are read one by one."""
    faults = []
    for name in sorted(storage.read(pictures.of_survey, survey_id)):
        picture = storage.read(pictures.used_by, survey_id, name)
        if picture is not None and picture.sha256 != name:
            faults.append(f"the bytes of the picture {name} have the SHA-256 {picture.sha256}")
    return faults


def list_faults(storage: Storage, survey_id: int, records: Records | None) -> list[str]:
    """Return whether the list that was counted does not agree with itself, or with the reports."""
    made = storage.read(counted_lists.of, survey_id)
    if made is None:
        return []
    leaves = storage.read(counted_lists.leaves, survey_id)
    if (len(leaves), root_of(leaves).hex()) != (made.leaves, made.root) or leaves != sorted(leaves):
        return [f"the list that was counted has another root than {made.root}"]
    if records is not None and sorted(leaves_of(records)) != leaves:
        return [f"the list that was counted (root {made.root}) is not that of its reports"]
    return []


def found_under(
    db: Connection, survey_id: int, publication: Publication, receipts: dict[bytes, bytes]
) -> dict[bytes, bytes] | None:
    """Return what is found under receipts, or None if the survey was deleted."""
    try:
        surveys.get(db, survey_id)
    except surveys.SurveyGone:
        return None
    return db.reports.find(survey_id, publication, receipts)
