"""The figures of the page for ethics boards: those of `candor explain`, and the bytes sent and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from server.respond.invitation_token import INVITATION, TOKEN_LENGTH
from server.runtime import offload
from server.runtime.bounded_cache import BoundedCache
from survey.column import Column
from survey.explain_survey import explain_survey
from survey.loss_tables import Table
from survey.privacy import USUAL_DELTA, times_knowing_one
from survey.privacy.limits import protects_little
from survey.publication import Publication, question_columns
from survey.question import Question
from survey.record import Layout

RECEIPT, FINGERPRINT = 32, 64
"""Hexadecimal digits of the receipt number and of the fingerprint, which travel with the reports."""

RECEIPT_BYTES = RECEIPT // 2
"""Two digits are one byte."""


@dataclass(frozen=True)
class AskedQuestion:
    """One question as a board reads about it.

    Attributes
    ----------
    question : Question
    fields : tuple of str
        The names under which its reports travel and are kept.
    codes : int
        How many different reports each of them can be.
    sent, stored : int
        Bytes of its fields in the request, and of its codes in the database.
    figures : dict
        What `explain_survey` says of it.
    """

    question: Question
    fields: tuple[str, ...]
    codes: int
    sent: int
    stored: int
    figures: Table


@dataclass(frozen=True)
class Board:
    """A survey as a board reads about it.

    Attributes
    ----------
    publication : Publication
    questions : tuple of Asked
    sent : int
        Bytes of the body of the one request.
    stored : int
        Bytes of the codes of one person.
    figures : dict
        What `explain_survey` says of the whole.
    """

    publication: Publication
    questions: tuple[AskedQuestion, ...]
    sent: int
    stored: int
    figures: Table

    @property
    def promises(self) -> bool:
        """Return whether the survey promises respondents anything: one that protects little does not."""
        return not protects_little(self.publication.guess)

    @property
    def linked(self) -> str:
        """The names of the linked questions."""
        return ", ".join(each.question.id for each in self.questions if each.question.linked)

    @property
    def knows_one(self) -> int:
        """The figure of `times_knowing_one`, over all waves."""
        definition = self.publication.definition
        wheels = (section.linked for section in definition.sections if section.linked)
        return times_knowing_one(wheels, definition.waves)


BOARDS: BoundedCache[Board] = BoundedCache(64, run=offload.compute)
"""Figures by fingerprint and number of respondents: those of a large grid take a second."""


def board(publication: Publication, respondents: int) -> Board:
    """Return the figures of a survey; those that were worked out before are remembered.

    Parameters
    ----------
    publication : Publication
    respondents : int
        How many the published results hold, or how many are expected; 0 leaves out what depends on them.
    """
    key = publication.fingerprint, respondents
    return BOARDS.get(key, partial(work_out, publication, respondents))


def work_out(publication: Publication, respondents: int) -> Board:
    """Work the figures of a survey out; `board` has the same parameters."""
    figures = explain_survey(publication, None, respondents or None, USUAL_DELTA)
    found = zip(question_columns(publication), figures["questions"], strict=True)
    questions = tuple(asked_question(question, columns, each) for (question, columns), each in found)
    token = len(f"&{INVITATION}=") + TOKEN_LENGTH if publication.definition.invitations else 0
    return Board(
        publication=publication,
        questions=questions,
        sent=len("fingerprint=&receipt=")
        + (FINGERPRINT + RECEIPT + token)
        + sum(each.sent for each in questions),
        stored=sum(each.stored for each in questions),
        figures=figures,
    )


def asked_question(
    question: Question, columns: Mapping[str, Column], figures: dict[str, Any]
) -> AskedQuestion:
    """Return what a board reads about one question.

    Notes
    -----
    A report travels as ``&name=code`` with as many digits as the largest code has, and is kept in one byte,
    or in two where there are more than 256 codes: see `survey.record`.
    """
    codes = [(name, column.codes) for name, column in columns.items()]
    return AskedQuestion(
        question=question,
        fields=tuple(columns),
        codes=codes[0][1],
        sent=sum(len(f"&{name}={most - 1}") for name, most in codes),
        stored=Layout(tuple(codes)).size,
        figures=figures,
    )
