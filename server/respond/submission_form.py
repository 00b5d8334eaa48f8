"""The form in which a survey's page sends a submission, checked field by field against what was published."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import cast

from werkzeug.datastructures import MultiDict

from server.forms.faults import Fault, shortened
from server.respond.invitation_token import INVITATION, TOKEN, TOKEN_LENGTH
from survey.asked_sections import SetFault, asked_columns, set_faults
from survey.mechanisms import BoxChannel
from survey.publication import Publication, question_columns
from survey.question.boxes import NOT_SAMPLED

FINGERPRINT = re.compile(rb"(?:^|&)fingerprint=([0-9a-f]{64})(?![^&])")
RECEIPT = re.compile(rb"(?:^|&)receipt=([0-9a-f]{32})(?![^&])")
"""The two fields as our own page writes them, read before anything is parsed."""

LONGEST_NAMES = 300
"""Characters of the names of a survey's fields that an answer tells. Of what was sent it tells nothing."""

ROOM_TO_ERR = 1000
"""Bytes by which a submission may be too long and still is told which of its fields are wrong."""

MOST_PROBLEMS = 5
"""The most faults of one submission that are told: whoever writes a page reads them one by one."""


@dataclass(frozen=True)
class SentField:
    """A field of a submission, of fixed width, so that the length of a submission tells nothing.

    Attributes
    ----------
    name : str
    kind : str
        Of its messages: ``hex``, ``token`` or ``report``.
    pattern : str
        Regular expression of a value.
    width : int
        Characters of a value.
    allowed : Mapping[str, object]
        The values of its messages that say what it may hold.
    largest : int or None
        The largest code, if it holds a report.
    """

    name: str
    kind: str
    pattern: str
    width: int
    allowed: Mapping[str, object]
    largest: int | None = None

    def faults(self, values: Sequence[str]) -> list[Fault]:
        """Check the values that came under its name: exactly one, which it may hold."""
        if len(values) == 1 and self.may_hold(values[0]):
            return []
        problem = "wrong" if len(values) == 1 else "repeated" if values else "missing"
        field = {"field": shortened(self.name)}
        return [Fault(f"submission.{self.kind}.{problem}", field | dict(self.allowed))]

    def may_hold(self, value: str) -> bool:
        """Return whether a value has the form of the field and lies in its range."""
        if re.fullmatch(self.pattern, value) is None:
            return False
        return self.largest is None or int(value) <= self.largest


@lru_cache(maxsize=256)
def sent_fields(publication: Publication) -> tuple[SentField, ...]:
    """List the fields of a submission to a survey."""
    fields = [
        SentField("fingerprint", "hex", "[0-9a-f]{64}", 64, {"digits": 64}),
        SentField("receipt", "hex", "[0-9a-f]{32}", 32, {"digits": 32}),
        *(report_field(name, column.codes - 1) for name, column in publication.columns.items()),
    ]
    if publication.definition.invitations:
        fields.append(
            SentField(INVITATION, "token", TOKEN.pattern, TOKEN_LENGTH, {"characters": TOKEN_LENGTH})
        )
    return tuple(fields)


def report_field(name: str, largest: int) -> SentField:
    """Describe the field of a column: a code in as many digits as the largest one has."""
    width = len(str(largest))
    allowed = {"low": f"{0:0{width}}", "high": largest}
    return SentField(name, "report", f"[0-9]{{{width}}}", width, allowed, largest)


def faults_in(publication: Publication, sent: MultiDict[str, str]) -> list[Fault]:
    """Check everything that was sent.

    Parameters
    ----------
    publication : Publication
    sent : MultiDict
        The fields as they came.

    Returns
    -------
    list of Fault
        The first few: of the fields that are missing, repeated or out of range; if there is none, of the
        questions whose fields cannot come together. If there are unknown fields, the known ones.
    """
    fields = sent_fields(publication)
    wrong = [fault for field in fields for fault in field.faults(sent.getlist(field.name))][:MOST_PROBLEMS]
    names = [field.name for field in fields]
    if not sent.keys() <= set(names):
        return [*wrong, Fault("submission.names", {"names": cut(", ".join(names), LONGEST_NAMES)})]
    return wrong or list(islice(impossible(publication, reports_in(publication, sent)), MOST_PROBLEMS))


def reports_in(publication: Publication, sent: MultiDict[str, str]) -> dict[str, int]:
    """Read the reports, column -> code, of a submission without faults."""
    return {name: int(sent[name]) for name in publication.columns}


def token_in(sent: MultiDict[str, str]) -> bytes:
    """Read the token of the invitation of a submission without faults; empty where none is asked for."""
    return urlsafe_b64decode(sent.get(INVITATION, ""))


def impossible(publication: Publication, reports: Mapping[str, int]) -> Iterator[Fault]:
    """Check which sections are answered, and the fields of each question against each other."""
    for set_fault in set_faults(publication, reports):
        yield worded(publication, set_fault)
    asked = asked_columns(publication, reports)
    for question, columns in question_columns(publication):
        codes = [reports[name] for name in columns]
        if not asked.issuperset(columns) or question.fault(tuple(columns.values()), codes) is None:
            continue
        values = {"field": cut(", ".join(columns), LONGEST_NAMES)}
        first = next(iter(columns.values()))
        if first.skip_code in codes:
            yield Fault("submission.together", values)
        else:
            boxes = cast("BoxChannel", first.channel).sampled
            yield Fault("submission.sampled", values | {"code": NOT_SAMPLED, "n": boxes})


def worded(publication: Publication, set_fault: SetFault) -> Fault:
    """Word a fault of the sections that are answered."""
    names = cut(", ".join(set_fault.columns), LONGEST_NAMES)
    if set_fault.section is not None:
        return Fault("submission.in_part", {"field": names, "section": set_fault.section})
    return Fault("submission.set", {"field": names, "n": publication.definition.asked})


def cut(text: str, most: int) -> str:
    """Return a text, or its beginning where it is too long.

    Examples
    --------
    >>> cut("copied", 6), cut("copied", 5)
    ('copied', 'copi…')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def receipt_in(body: bytes) -> str | None:
    """Find the receipt in a body, if it stands there as our own page writes it."""
    match = RECEIPT.search(body)
    return match[1].decode() if match else None


def fingerprint_in(body: bytes) -> str | None:
    """Find the fingerprint in a body, if it stands there as our own page writes it."""
    match = FINGERPRINT.search(body)
    return match[1].decode() if match else None


def oversize(publication: Publication, body: bytes) -> list[Fault]:
    """Measure a submission before it is parsed, which takes the longer the more there is of it.

    A few fields too many are left to `faults_in`, which names them.
    """
    fields = sent_fields(publication)
    if body.count(b"&") + 1 > len(fields) + MOST_PROBLEMS:
        return [Fault("submission.fields", {"most": len(fields)})]
    # A body of all fields with every byte escaped is read, and some more.
    longest = ROOM_TO_ERR + 3 * sum(len(f"{field.name}=&") + field.width for field in fields)
    return [Fault("submission.large", {"most": longest})] if len(body) > longest else []
