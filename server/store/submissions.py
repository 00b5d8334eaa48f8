"""The submissions of respondents: each recorded once, and all tallied by day."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from server.store import invitations, publishing, surveys
from server.store.engine import Connection
from server.store.surveys import Intake, Survey, by_slug
from survey.asked_sections import set_faults
from survey.invitations import LISTED
from survey.publication import Publication
from survey.record import layout_of

Outcome = Literal[
    "stored",
    "repeated",
    "different",
    "stale",
    "closed",
    "paused",
    "missing",
    "refused",
    "used",
    "uninvited",
]
"""The outcomes that a submission may have.

``stored`` and ``repeated`` are one answer to whoever sent it: these reports are stored under its receipt, now
or since an earlier time. ``missing``: the survey was deleted meanwhile. ``used``: its invitation was, for
other reports. ``uninvited``: it has no invitation to this survey, or one that was withdrawn.
"""


Starts = Counter[tuple[int, str]]
"""(survey's number, UTC day) -> how often it was opened, or sent."""


@dataclass(frozen=True)
class Submission:
    """One respondent's reports.

    Attributes
    ----------
    survey_id : int
    fingerprint : str
        Of the publication that the respondent saw.
    receipt : str
        32 hexadecimal digits that the respondent's browser drew.
    reports : Mapping[str, int]
        Column -> code, every column of the publication.
    invitation : bytes
        The token of a link, where the survey takes nothing without one: see `server.store.invitations`.
    """

    survey_id: int
    fingerprint: str
    receipt: str = field(repr=False)
    reports: Mapping[str, int] = field(repr=False)
    invitation: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Day:
    """The numbers of visits and submissions to a survey on one day, UTC."""

    day: str
    started: int
    sent: int


def record(
    db: Connection, batch: Sequence[Submission], day: str, memory: publishing.Memory | None = None
) -> list[Outcome]:
    """Record many submissions in the caller's transaction, and publish what has become a step old.

    Parameters
    ----------
    db : Connection
    batch : sequence of Submission
    day : str
        The UTC day, ``YYYY-MM-DD``, under which they are counted.
    memory : dict[int, publishing.Remembered], optional
        See `publishing.advance`. Whoever gives none remembers nothing, and so publishes nothing.

    Returns
    -------
    list of Outcome
        One for each submission, in order. A submission that cannot be stored leaves its neighbours alone.

    Raises
    ------
    Exception
        If the database itself fails; then none of them may be acknowledged.
    """
    return record_and_count(db, batch, [day] * len(batch), Counter(), {} if memory is None else memory)


def record_and_count(
    db: Connection,
    batch: Sequence[Submission],
    days: Sequence[str],
    starts: Starts,
    memory: publishing.Memory,
    now: float = -math.inf,
    full: set[int] | None = None,
) -> list[Outcome]:
    """Record submissions, each with its day, and count how often surveys were opened; see `record`.

    Parameters
    ----------
    now : float
        The moment, in seconds since 1970, at which surveys that close by themselves may have closed. Where
        none is given, none has.
    full : set of int, optional
        Gets the numbers of the surveys that have all the reports they take, and are to be closed.

    Notes
    -----
    Where several transactions write at a time, all take what they write in one order, so that no two wait for
    each other: surveys by their numbers, of each its invitations, the right to count alone where it takes
    that, and its receipts. Its counts, and those of days, are in parts of which each has its own. Whoever
    publishes waits for nobody.
    """
    recorded = {submission.survey_id for submission in batch}
    behind = publishing.behind(db, memory, now) - recorded
    db.hold(recorded | behind | {survey_id for survey_id, _ in starts})
    outcomes: dict[int, Outcome] = {}
    sent: Starts = Counter()
    for survey_id in sorted(recorded):
        mine = [number for number, submission in enumerate(batch) if submission.survey_id == survey_id]
        theirs = record_for_survey(
            db, survey_id, [batch[n] for n in mine], memory, now, set() if full is None else full
        )
        outcomes |= zip(mine, theirs, strict=True)
        sent.update((survey_id, days[n]) for n in mine if outcomes[n] == "stored")
    for survey_id in behind:
        survey_intake = surveys.intake(db, survey_id, now)
        if survey_intake is not None and survey_intake.state == "open":
            publishing.advance(db, survey_id, survey_intake.publication, memory, now)
        else:  # nothing is to be published: closing has done so, and a pause forbids it
            memory[survey_id] = replace(memory[survey_id], behind=False)
    if "repeated" in outcomes.values():
        db.touch()  # what was stored earlier is acknowledged again: its own commit may have failed half-way
    for survey_id, day in sorted(starts.keys() | sent.keys()):
        db.reports.add_to_day(survey_id, day, starts[survey_id, day], sent[survey_id, day])
    return [outcomes[number] for number in range(len(batch))]


def record_for_survey(
    db: Connection,
    survey_id: int,
    batch: Sequence[Submission],
    memory: publishing.Memory,
    now: float,
    full: set[int],
) -> list[Outcome]:
    """Record submissions to one survey.

    Notes
    -----
    The receipt decides before anything else, so a retry is always answered as the first time: of two in the
    batch with one receipt the first is stored, and the other compared with it.

    A new receipt needs an invitation, where the survey asks for one. It is used up in the same transaction,
    so that each stores one report and no more.
    """
    survey_intake = surveys.intake(db, survey_id, now)
    if survey_intake is None:
        return ["missing"] * len(batch)
    publication = survey_intake.publication
    checked = [check(survey_intake, submission) for submission in batch]
    receipts = [bytes.fromhex(submission.receipt) for submission in batch]
    sheets = None
    if publication.definition.invitations:
        sheets = invitations.hold_sheets(db, survey_id, [submission.invitation for submission in batch])
        repeated = db.reports.find(survey_id, publication, set(receipts))
        checked = [
            (record, fault if fault or receipt in repeated else sheets.refuse(submission.invitation, receipt))
            for submission, receipt, (record, fault) in zip(batch, receipts, checked, strict=True)
        ]
    new: dict[bytes, bytes] = {}
    tokens: dict[bytes, bytes] = {}
    for submission, receipt, (record, fault) in zip(batch, receipts, checked, strict=True):
        if fault is None:
            new.setdefault(receipt, record)
            tokens.setdefault(receipt, submission.invitation)
    if new and (survey_intake.quota is not None or publication.definition.invitations == LISTED):
        db.reports.count_alone(survey_id)
    late: frozenset[bytes] = frozenset()
    if survey_intake.quota is not None and new:
        late = beyond_quota(db, survey_id, publication, survey_intake.quota, new, full)
        new = {receipt: record for receipt, record in new.items() if receipt not in late}
    added = db.reports.put(survey_id, publication, new)
    if sheets:
        sheets.spend([tokens[receipt] for receipt in added])
    if added:
        publishing.advance(db, survey_id, publication, memory, now)
    others = set(receipts) - added
    known = {key: new[key] for key in added}
    if others:
        known |= db.reports.find(survey_id, publication, others)
    outcomes: list[Outcome] = []
    for submission, receipt, (record, fault) in zip(batch, receipts, checked, strict=True):
        there = known.get(receipt)
        if there is None:
            outcomes.append(fault or ("closed" if receipt in late else "refused"))
        elif fault is None and receipt in added:
            outcomes.append("stored")
            added.discard(receipt)  # whoever else in this batch has it repeats it
        else:
            same = record == there and submission.fingerprint == publication.fingerprint
            outcomes.append("repeated" if same else "different")
    return outcomes


def beyond_quota(
    db: Connection,
    survey_id: int,
    publication: Publication,
    quota: int,
    new: Mapping[bytes, bytes],
    full: set[int],
) -> frozenset[bytes]:
    """Return the receipts of those who came after a survey had all the reports it takes, in their order.

    Notes
    -----
    Where several transactions record at a time, whoever comes here counts alone: so the quota is exact.
    """
    room = max(0, quota - db.reports.respondents(survey_id, publication))
    if len(new) < room:
        return frozenset()
    known = db.reports.find(survey_id, publication, new)
    unknown = [receipt for receipt in new if receipt not in known]
    if len(unknown) >= room:
        full.add(survey_id)
    return frozenset(unknown[room:])


def check(survey_intake: Intake, submission: Submission) -> tuple[bytes, Outcome | None]:
    """Pack a submission's reports, and say why they cannot be stored if their receipt is new."""
    publication = survey_intake.publication
    try:
        record = layout_of(publication).pack(submission.reports)
    except ValueError:
        record = b""
    if submission.fingerprint != publication.fingerprint:
        return record, "stale"
    if survey_intake.state != "open":
        return record, survey_intake.state
    return record, None if record and not set_faults(publication, submission.reports) else "refused"


def reports_under(
    db: Connection, survey_id: int, publication: Publication, receipt: str
) -> dict[str, int] | None:
    """Return the reports that are stored under a receipt, column -> code, or None if it is new."""
    for record in db.reports.find(survey_id, publication, [bytes.fromhex(receipt)]).values():
        return layout_of(publication).unpack(record)
    return None


def find_with_receipt(
    db: Connection, slug: str, receipt: str | None
) -> tuple[Survey, Publication, dict[str, int] | None] | None:
    """Return a published survey and what is stored under a receipt, or None if there is no such survey."""
    survey = by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    reports = None if receipt is None else reports_under(db, survey.id, survey.publication, receipt)
    return survey, survey.publication, reports


def days(db: Connection, survey_id: int) -> list[Day]:
    """Return the totals by UTC day, the earliest first."""
    rows = db.execute(
        "SELECT day, sum(started), sum(sent) FROM days WHERE survey_id = ? GROUP BY day ORDER BY day",
        [survey_id],
    )
    return [Day(day, int(started), int(sent)) for day, started, sent in rows.fetchall()]
