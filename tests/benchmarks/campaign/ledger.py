"""What respondents have sent and what was acknowledged; and whether a database holds exactly that.

The check knows no table. It asks as a respondent can: other reports under a receipt that is stored are
answered "different", the same reports "repeated". Then it closes the survey and counts every row.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from server.store import submissions, surveys
from server.store.results import survey_results, visible_results
from server.store.submissions import Submission
from server.store.surveys import Survey
from server.store.upkeep import verification

DAY = "2026-05-04"
SLUG = "campaign"
BATCH = 500

TEXT = {"en": "Text"}
QUESTIONS = [
    {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT},
    {"id": "data", "mechanism": "coin", "wording": TEXT},
    {
        "id": "hours",
        "kind": "number",
        "mechanism": "laplace",
        "epsilon": 1.0,
        "low": 0,
        "high": 400,
        "step": 1,
        "wording": TEXT,
    },
]
SURVEY = {
    "candor": 1,
    "slug": SLUG,
    "languages": ["en"],
    "results": {"step": 10},
    "questions": QUESTIONS,
    **dict.fromkeys(("title", "information", "consent"), TEXT),
}
"""Two columns with few codes and one with more than a byte holds."""

Codes = tuple[int, ...]
"""One person's reports: a code of each column, in the order of the publication."""


@dataclass
class Ledger:
    """What was sent, and what of it was acknowledged.

    Attributes
    ----------
    sent : dict of str to tuple of int
        Receipt -> reports. What is not acknowledged may be stored or not.
    acknowledged : set of str
        Receipts whose submission was answered "stored".
    """

    sent: dict[str, Codes] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)


def open_survey(db) -> Survey:
    """Open the campaign's survey."""
    return surveys.open_survey(db, surveys.create_draft(db, SURVEY).id)


def sizes_of(survey: Survey) -> tuple[int, ...]:
    """Return how many codes each column has."""
    return tuple(column.codes for column in survey.publication.columns.values())


def draw(sizes: Iterable[int], chance: random.Random) -> tuple[str, Codes]:
    """Draw a receipt and reports."""
    return chance.randbytes(16).hex(), tuple(chance.randrange(size) for size in sizes)


def other(codes: Codes) -> Codes:
    """Change one report: the first column has two codes."""
    return 1 - codes[0], *codes[1:]


def submission(survey: Survey, receipt: str, codes: Codes) -> Submission:
    """Write a submission as the store takes it."""
    reports = dict(zip(survey.publication.columns, codes, strict=True))
    return Submission(survey.id, survey.publication.fingerprint, receipt, reports)


def answers(storage, survey: Survey, sent: dict[str, Codes]) -> Iterator[tuple[str, str]]:
    """Send submissions straight to the store; give receipts and outcomes."""
    left = iter(sent.items())
    while batch := list(islice(left, BATCH)):
        made = [submission(survey, receipt, codes) for receipt, codes in batch]
        outcomes = storage.write(submissions.record, made, DAY)
        yield from zip((receipt for receipt, _ in batch), outcomes, strict=True)


def faults(storage, ledger: Ledger, *, slug: str = SLUG) -> list[str]:
    """Return what is wrong with a database, in sentences; none if it holds exactly what it must.

    Notes
    -----
    Other reports come first: if a receipt had been lost, they would be stored, and the answer would show it.
    In the end everything that was sent is stored once, or, where the survey was closed before, what had been
    stored by then.
    """
    survey = storage.read(surveys.by_slug, slug)
    if survey is None or survey.publication is None:
        return [f"{len(ledger.acknowledged)} acknowledged, and no survey"] if ledger.acknowledged else []
    known = {receipt: ledger.sent[receipt] for receipt in ledger.acknowledged}
    changed = {receipt: other(codes) for receipt, codes in known.items()}
    lost = [receipt for receipt, got in answers(storage, survey, changed) if got != "different"]
    if lost:
        return [f"{len(lost)} of {len(known)} acknowledged are lost"]
    unequal = [receipt for receipt, got in answers(storage, survey, known) if got != "repeated"]
    if unequal:
        return [f"{len(unequal)} of {len(known)} acknowledged have other bytes"]
    unknown = {receipt: codes for receipt, codes in ledger.sent.items() if receipt not in known}
    expected = list(known.values())
    for receipt, got in answers(storage, survey, unknown):
        if got in ("stored", "repeated"):
            expected.append(unknown[receipt])
        elif got != "closed" or survey.state == "open":
            return [f"a submission without an answer is answered {got!r} when it is sent again"]
    wrong = [fault for _, _, found in verification.verify_surveys(storage) for fault in found]
    return wrong + recounted(storage, survey, expected)


def recounted(storage, survey: Survey, expected: list[Codes]) -> list[str]:
    """Close the survey and compare its rows, its counts and its days with what must be stored."""
    if survey.state == "open":
        storage.write(surveys.close_survey, survey.id)
        survey = storage.read(surveys.get, survey.id)
    storage.finish()
    wrong = [fault for _, _, found in verification.verify_surveys(storage) for fault in found]
    reports = survey_results.noisy_reports(storage, survey)
    rows = list(map(tuple, reports.between(0, len(reports)).tolist()))
    if sorted(rows) != sorted(expected):
        wrong.append(f"{len(rows)} rows, which are not the {len(expected)} that were sent")
    counts = storage.read(visible_results.results, survey).counts
    for place, (name, counted) in enumerate(counts.items()):
        column = [codes[place] for codes in expected]
        if counted != [column.count(code) for code in range(len(counted))]:
            wrong.append(f"the counts of {name} are not those of its rows")
    sent = sum(day.sent for day in storage.read(submissions.days, survey.id))
    if sent != len(expected):
        wrong.append(f"the days count {sent} and {len(expected)} are stored")
    return wrong


def summary(wrong: Iterable[str]) -> str:
    """Say in one line of a table what is wrong."""
    times = Counter(wrong)
    return "; ".join(f"{fault} ({number} times)" for fault, number in times.items()) or "nothing"
