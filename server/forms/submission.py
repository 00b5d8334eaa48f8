"""What a respondent's page sends, checked field by field against what was published."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from werkzeug.datastructures import MultiDict
from wtforms import Field, Form, ValidationError

from server.forms.faults import Fault, fault
from survey.mechanisms import BoxChannel
from survey.publication import Publication, question_columns
from survey.question.boxes import NOT_SAMPLED

HEX_64 = re.compile(r"[0-9a-f]{64}")
HEX_32 = re.compile(r"[0-9a-f]{32}")

LONGEST_SHOWN = 80


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
            raise wrong(self, "hex.wrong", self.data)


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
            raise wrong(self, "report.wrong", text)
        self.data = int(text)


def one_value(field: Field, values: Sequence[str], kind: str) -> str:
    """Give the value of a field that must come exactly once."""
    if len(values) != 1:
        raise wrong(field, f"{kind}.repeated" if values else f"{kind}.missing", list(values))
    return values[0]


def wrong(field: Field, key: str, value: object) -> ValidationError:
    """Make the error of a field, with its name, what it may hold, and what it holds."""
    return fault(f"submission.{key}", field=field.name, value=shown(value), **field.allowed)


def shown(value: object) -> str:
    """Write what was sent as it is repeated to whoever sent it: not at any length."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def receipt_in(sent: MultiDict[str, str]) -> str | None:
    """Give the receipt that was sent, if there is exactly one and it is well formed."""
    values = sent.getlist("receipt")
    return values[0] if len(values) == 1 and HEX_32.fullmatch(values[0]) else None


class SubmissionForm(Form):  # type: ignore[misc]
    """The fields of one submission; `submission_form` adds a field for each column."""

    fingerprint = HexField(HEX_64, 64)
    receipt = HexField(HEX_32, 32)

    publication: Publication

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
            One for each field that is missing, repeated, unknown or out of range; if there is none,
            for each question whose fields cannot come together.
        """
        self.validate()
        names = [field.name for field in self]
        unknown = [
            Fault("submission.unknown", {"field": name, "names": ", ".join(names), "value": shown(value)})
            for name, value in sent.items()
            if name not in names
        ]
        wrong = [message for messages in self.errors.values() for message in messages]
        return wrong + unknown if wrong else unknown + self.impossible()

    def impossible(self) -> list[Fault]:
        """Check what the fields of each question are together."""
        reports = self.reports
        found = []
        for question, columns in question_columns(self.publication):
            codes = [reports[name] for name in columns]
            if question.fault(tuple(columns.values()), codes) is None:
                continue
            values = {"field": ", ".join(columns), "value": shown(codes)}
            first = next(iter(columns.values()))
            if first.skip_code in codes:
                found.append(Fault("submission.together", values))
            else:
                boxes = cast("BoxChannel", first.channel).sampled
                found.append(Fault("submission.sampled", values | {"code": NOT_SAMPLED, "n": boxes}))
        return found


def submission_form(publication: Publication, sent: MultiDict[str, str]) -> SubmissionForm:
    """Fill the form of a published survey from what was sent."""
    return form_class(publication)(sent)


@lru_cache(maxsize=256)
def form_class(publication: Publication) -> type[SubmissionForm]:
    """Build the class once for each publication.

    A column may be called ``data`` or ``errors``, which are names of the form's own: so the fields are
    numbered as attributes, and carry the column's name only towards the outside.
    """
    fields = {
        f"column_{index}": ReportField(column.codes, name=name)
        for index, (name, column) in enumerate(publication.columns.items())
    }
    name = f"SubmissionForm_{publication.fingerprint[:8]}"
    return type(name, (SubmissionForm,), fields | {"publication": publication})
