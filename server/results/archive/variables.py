"""Variables for the syntax of other programs: names that they allow, labels, and what each report adds.

Every unbiased estimate is a mean over the reports: of what each of them adds to a share, or to the mean of a
number. So a program that recodes and averages can work it out, whatever the mechanism.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from server.results.files.codebook import Code, codes, say_in_survey_language
from survey.channel import Channel
from survey.column import Column
from survey.counts import informative_reports
from survey.estimate import unbiased_inverse
from survey.figures.questions import answer_names
from survey.mechanisms import NumberChannel
from survey.publication import Publication, question_columns
from survey.question import Boxes, Question

SILENT = ("skip", "not_asked", "not_sampled")
"""Meanings of codes that say nothing about an answer."""


@dataclass(frozen=True)
class Contribution:
    """A variable whose mean is an estimate.

    Attributes
    ----------
    name : str
        As the program allows it.
    label : str
        What its mean estimates.
    adds : dict[int, float]
        Code -> what the report adds to the estimate; it says nothing for other codes.
    """

    name: str
    label: str
    adds: dict[int, float]


@dataclass(frozen=True)
class Variable:
    """One column of the reports.

    Attributes
    ----------
    name : str
        As the program allows it.
    label : str
        That it was reported, and what was asked, in the survey's first language; of a box, the box.
    labels : dict[int, str]
        Code -> what it means.
    silent : dict[int, str]
        Code -> why it says nothing about an answer.
    estimates : tuple of Contribution
    """

    name: str
    label: str
    labels: dict[int, str]
    silent: dict[int, str]
    estimates: tuple[Contribution, ...]


def variables(publication: Publication, reserved: Collection[str], longest: int) -> list[Variable]:
    """Return every column with names that a program allows.

    Parameters
    ----------
    publication : Publication
    reserved : collection of str
        Names that it does not allow, in small letters.
    longest : int
        How many characters a name may have.
    """
    language = publication.definition.languages[0]
    taken = set(reserved)
    names = {name: unused_name(name, taken, longest) for name in publication.columns}
    listed = []
    for question, columns in question_columns(publication):
        for place, (name, column) in enumerate(columns.items()):
            wording = question.asks(language)
            if isinstance(question, Boxes):
                wording = f"{question.options[place][language]}: {wording}"
            known: list[Code] = list(codes(question, column, (language,)))
            listed.append(
                Variable(
                    name=names[name],
                    label=say_in_survey_language(language, "reported", label=wording),
                    labels={each.number: each.labels[language] for each in known},
                    silent={each.number: each.meaning for each in known if each.meaning in SILENT},
                    estimates=tuple(
                        Contribution(
                            unused_name(f"{name}__{what}", taken, longest),
                            say_in_survey_language(
                                language, "estimate", label=f"{name}: {what.replace('_', ' ')}"
                            ),
                            adds,
                        )
                        for what, adds in contributions(question, column)
                    ),
                )
            )
    return listed


def contributions(question: Question, column: Column) -> Iterator[tuple[str, dict[int, float]]]:
    """Yield what a column estimates and what each of its codes adds to it; of no and yes, yes alone."""
    if isinstance(column.channel, NumberChannel):
        yield "mean", dict(enumerate(column.channel.values.tolist()))
        return
    answers = answer_names(question)
    ways: list[tuple[str, Channel, int]] = [("", column.channel, 0)]
    if column.by_hand is not None:
        ways.append(("by_hand_", column.by_hand, column.channel.reports))
    for way, channel, first in ways:
        inverse = unbiased_inverse(channel)
        told = np.flatnonzero(informative_reports(channel)).tolist()
        for index in range(channel.answers) if channel.answers > 2 else (1,):
            yield f"{way}{answers[index]}", {first + code: float(inverse[code, index]) for code in told}


def unused_name(name: str, taken: set[str], longest: int) -> str:
    """Return a name that is neither reserved nor taken nor too long, and take it.

    Examples
    --------
    >>> taken = {"to"}
    >>> unused_name("to", taken, 8), unused_name("to", taken, 8), unused_name("togethers", taken, 8)
    ('to_1', 'to_2', 'together')
    """
    found, number = name[:longest], 0
    while found.lower() in taken:
        number += 1
        found = f"{name[: longest - len(str(number)) - 1]}_{number}"
    taken.add(found.lower())
    return found


def one_line(text: str, most_bytes: int) -> str:
    r"""Return a text without line breaks and other controls, cut to some bytes of UTF-8.

    Examples
    --------
    >>> one_line("two\r\nlines", 100), one_line("한국어", 7)
    ('two lines', '한국')
    """
    plain = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text)
    return " ".join(plain.split()).encode()[:most_bytes].decode(errors="ignore")
