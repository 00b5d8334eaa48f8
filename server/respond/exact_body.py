"""The exact bytes that a survey's own page sends, read by one pattern."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping

from server.respond.invitation_token import INVITATION, TOKEN, TOKEN_LENGTH
from survey.asked_sections import set_faults
from survey.publication import Publication, question_columns
from survey.question import Question


class ExactBody:
    """The one way in which the page of a publication writes a submission.

    Anything else may be valid too, such as the same fields in another order: see `submission_form`.

    Parameters
    ----------
    publication : Publication

    Attributes
    ----------
    length : int
        Bytes of every such body: all its fields have a fixed width.
    """

    def __init__(self, publication: Publication) -> None:
        self.publication = publication
        self.codes = {name: column.codes for name, column in publication.columns.items()}
        widths = {name: len(str(codes - 1)) for name, codes in self.codes.items()}
        fields = "".join(f"&{re.escape(name)}=([0-9]{{{width}}})" for name, width in widths.items())
        start = f"fingerprint={publication.fingerprint}&receipt="
        token = f"&{INVITATION}=({TOKEN.pattern})" if publication.definition.invitations else "()"
        self.pattern = re.compile(f"{start}([0-9a-f]{{32}}){token}{fields}".encode())
        if publication.definition.invitations:
            widths[INVITATION] = TOKEN_LENGTH
        self.length = len(start) + 32 + sum(len(f"&{name}=") + width for name, width in widths.items())
        self.together = [
            (question, tuple(columns.values()))
            for question, columns in question_columns(publication)
            if type(question).fault is not Question.fault
        ]

    def read(self, body: bytes) -> tuple[str, Mapping[str, int], bytes] | None:
        """Return receipt, reports (column -> code) and token of a valid submission; None of anything else."""
        match = self.pattern.fullmatch(body)
        if match is None:
            return None
        receipt, token, *codes = match.groups()
        reports = dict(zip(self.codes, map(int, codes), strict=True))
        if all(reports[name] < codes for name, codes in self.codes.items()) and self.can_come(reports):
            return receipt.decode(), reports, urlsafe_b64decode(token)
        return None

    def can_come(self, reports: Mapping[str, int]) -> bool:
        """Return whether codes can come together, as `submission_form.impossible` checks it."""
        if set_faults(self.publication, reports):
            return False
        for question, columns in self.together:
            codes = [reports[column.name] for column in columns]
            asked = codes != [column.not_asked_code for column in columns]
            if asked and question.fault(columns, codes) is not None:
                return False
        return True
