"""What a respondent's page sends, checked field by field against what was published."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, cast

from werkzeug.datastructures import MultiDict
from wtforms import Field, Form, ValidationError

from server.forms.faults import Fault, fault
from server.respond.invitation_token import INVITATION, TOKEN, TOKEN_LENGTH
from survey.asked_sections import SetFault, asked_columns, set_faults
from survey.mechanisms import BoxChannel
from survey.publication import Publication, question_columns
from survey.question.boxes import NOT_SAMPLED

HEX_64 = re.compile(r"[0-9a-f]{64}")
HEX_32 = re.compile(r"[0-9a-f]{32}")
FINGERPRINT = re.compile(rb"(?:^|&)fingerprint=([0-9a-f]{64})(?![^&])")
RECEIPT = re.compile(rb"(?:^|&)receipt=([0-9a-f]{32})(?![^&])")
"""The two fields as our own page writes them, found before anything is parsed."""

LONGEST_NAMES = 300
"""Characters of the names of a survey's fields that an answer tells. Of what was sent it tells nothing."""

ROOM_TO_ERR = 1000
"""Bytes by which a submission may be too long and still is told which of its fields are wrong."""

MOST_PROBLEMS = 5
"""How many faults of one submission are told: whoever writes a page reads them one by one."""


class HexField(Field):  # type: ignore[misc]
    """Lower-case hexadecimal digits of a fixed number."""

    def __init__(self, pattern: re.Pattern[str], digits: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pattern = pattern
        self.allowed = {"digits": digits}

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Take the one value."""
        self.data = one_value(self, valuelist, "hex")
        if not self.pattern.fullmatch(self.data):
            raise wrong(self, "hex.wrong")


class TokenField(Field):  # type: ignore[misc]
    """The token of an invitation; its data is the bytes that it stands for."""

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Take the one value."""
        self.allowed = {"characters": TOKEN_LENGTH}
        text = one_value(self, valuelist, "token")
        if not TOKEN.fullmatch(text):
            raise wrong(self, "token.wrong")
        self.data = urlsafe_b64decode(text)


class ReportField(Field):  # type: ignore[misc]
    """A code: a whole number of fixed width, so that the length of a submission tells nothing."""

    def __init__(self, codes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.largest = codes - 1
        self.width = len(str(self.largest))
        self.allowed = {"low": f"{0:0{self.width}}", "high": self.largest}

    def process_formdata(self, valuelist: Sequence[str]) -> None:
        """Take the one value and read the number."""
        text = one_value(self, valuelist, "report")
        digits = text.isascii() and text.isdecimal() and len(text) == self.width
        if not digits or int(text) > self.largest:
            raise wrong(self, "report.wrong")
        self.data = int(text)


def one_value(field: Field, values: Sequence[str], kind: str) -> str:
    """Return the value of a field that must come exactly once."""
    if len(values) != 1:
        raise wrong(field, f"{kind}.repeated" if values else f"{kind}.missing")
    return values[0]


def wrong(field: Field, key: str) -> ValidationError:
    """Make the error of a field, with its name and what it may hold."""
    return fault(f"submission.{key}", field=field.name, **field.allowed)


def cut(text: str, most: int) -> str:
    """Return a text, or its beginning where it is too long.

    Examples
    --------
    >>> cut("copied", 6), cut("copied", 5)
    ('copied', 'copi…')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def receipt_in(body: bytes) -> str | None:
    """Find the receipt in what was sent, if it stands there as our own page writes it."""
    found = RECEIPT.search(body)
    return found[1].decode() if found else None


def fingerprint_in(body: bytes) -> str | None:
    """Find the fingerprint in what was sent, if it stands there as our own page writes it."""
    found = FINGERPRINT.search(body)
    return found[1].decode() if found else None


def oversize(publication: Publication, body: bytes) -> list[Fault]:
    """Measure a submission before it is parsed, which takes the longer the more there is of it.

    A few fields too many are left to `SubmissionForm.problems`, which names them.
    """
    fields, longest = body.count(b"&") + 1, longest_body(publication)
    most = len(publication.columns) + (3 if publication.definition.invitations else 2)
    if fields > most + MOST_PROBLEMS:
        return [Fault("submission.fields", {"most": most})]
    return [Fault("submission.large", {"most": longest})] if len(body) > longest else []


@lru_cache(maxsize=256)
def longest_body(publication: Publication) -> int:
    """Bound the bytes of a body that is read: all fields with every byte escaped, and some more."""
    widths = {name: len(str(column.codes - 1)) for name, column in publication.columns.items()}
    widths |= {"fingerprint": 64, "receipt": 32, INVITATION: TOKEN_LENGTH}
    return ROOM_TO_ERR + 3 * sum(len(f"{name}=&") + width for name, width in widths.items())


class SubmissionForm(Form):  # type: ignore[misc]
    """The fields of one submission; `submission_form` adds a field for each column."""

    fingerprint = HexField(HEX_64, 64)
    receipt = HexField(HEX_32, 32)

    publication: Publication

    @property
    def token(self) -> bytes:
        """The token of the invitation, after `problems` has found none; empty where none is asked for."""
        return self.invitation_token.data if "invitation_token" in self else b""

    @property
    def reports(self) -> dict[str, int]:
        """Column -> code, after `problems` has found none."""
        return {name: self[f"column_{index}"].data for index, name in enumerate(self.publication.columns)}

    def problems(self, sent: MultiDict[str, str]) -> list[Fault]:
        """Check everything that was sent.

        Parameters
        ----------
        sent : MultiDict
            The fields as they came, which the form was filled from.

        Returns
        -------
        list of Fault
            The first few: of the fields that are missing, repeated or out of range; if there is none, of the
            questions whose fields cannot come together. If there are unknown fields, the known ones.
        """
        self.validate()
        names = {field.name: None for field in self}
        wrong = [message for messages in self.errors.values() for message in messages][:MOST_PROBLEMS]
        if not sent.keys() <= names.keys():
            return [*wrong, Fault("submission.names", {"names": cut(", ".join(names), LONGEST_NAMES)})]
        return wrong or list(islice(self.impossible(), MOST_PROBLEMS))

    def impossible(self) -> Iterator[Fault]:
        """Check which sections are answered, and what the fields of each question are together."""
        reports = self.reports
        found = set_faults(self.publication, reports)
        yield from map(self.set_fault, found)
        asked = asked_columns(self.publication, reports)
        for question, columns in question_columns(self.publication):
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

    def set_fault(self, found: SetFault) -> Fault:
        """Word what is wrong with the sections that are answered."""
        names = cut(", ".join(found.columns), LONGEST_NAMES)
        if found.section is not None:
            return Fault("submission.in_part", {"field": names, "section": found.section})
        return Fault("submission.set", {"field": names, "n": self.publication.definition.asked})


def submission_form(publication: Publication, sent: MultiDict[str, str]) -> SubmissionForm:
    """Fill the form of a published survey from what was sent."""
    return form_class(publication)(sent)


@lru_cache(maxsize=256)
def form_class(publication: Publication) -> type[SubmissionForm]:
    """Build the class once for each publication.

    A column may be called ``data`` or ``errors``, which are names of the form's own: so the fields are
    numbered as attributes, and carry the column's name only towards the outside.
    """
    fields: dict[str, Field] = {
        f"column_{index}": ReportField(column.codes, name=name)
        for index, (name, column) in enumerate(publication.columns.items())
    }
    if publication.definition.invitations:
        fields["invitation_token"] = TokenField(name=INVITATION)
    name = f"SubmissionForm_{publication.fingerprint[:8]}"
    return type(name, (SubmissionForm,), fields | {"publication": publication})
