"""The meaning of every code in the reports: one row for each code of each column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from server.language.catalogue import FIRST, LANGUAGES, say
from server.language.rounding import with_minus
from server.language.units import spaced
from survey.channel import Channel
from survey.column import Column
from survey.compact_form import Subsets, Tails
from survey.cyclic_sets import CyclicSets
from survey.figures.table import Cell
from survey.mechanisms import NumberChannel
from survey.publication import Publication
from survey.question import Boxes, Choice, Number, Question
from survey.question.boxes import NOT_SAMPLED
from survey.weighted_sets import WeightedSets

MEANINGS = ("report", "by_hand", "skip", "not_asked", "not_sampled")
"""The origins of a code: the browser's chance device, real coins, or no answer at all."""

Sets: TypeAlias = Subsets | CyclicSets | WeightedSets


@dataclass(frozen=True)
class Code:
    """One code of one column.

    Attributes
    ----------
    number : int
        What stands in the reports.
    meaning : str
        One of `MEANINGS`.
    answer : int or None
        The index of the answer that the report names; None where it names none, or several.
    value : float or None
        The number on the question's grid that the report names.
    adds : float or None
        What the report adds to the mean of a number, u: the mean of u over the reports is the estimate.
    labels : dict[str, str]
        Language -> the code in words.
    """

    number: int
    meaning: str
    answer: int | None
    value: float | None
    adds: float | None
    labels: dict[str, str]


def header(publication: Publication) -> tuple[str, ...]:
    """Return the columns of the codebook; texts have a column for each language of the survey."""
    languages = publication.definition.languages
    texts = (f"{name}_{code}" for name in ("label", "wording") for code in languages)
    fixed = ("question", "section", "kind", "column", "code", "meaning", "answer", "value", "low", "high")
    return (*fixed, "unit", *texts, "adds_to_mean")


def rows(publication: Publication) -> Iterator[list[Cell]]:
    """Yield the codebook row by row, in the order of the columns and of their codes.

    ``low`` and ``high`` are the ends of a number's grid. ``unit`` is in the survey's first language; labels
    hold it in each.
    """
    languages = publication.definition.languages
    for section in publication.definition.sections:
        for question in section.questions:
            grid: tuple[Cell, ...] = (None, None, None)
            if isinstance(question, Number):
                grid = question.low, question.high, question.unit.get(languages[0])
            wordings = [question.asks(language) for language in languages]
            for name in question.column_names:
                for code in codes(question, publication.columns[name], languages):
                    what: list[Cell] = [question.id, section.id, question.kind, name]
                    said = [code.number, code.meaning, code.answer, code.value, *grid]
                    labels = [code.labels[language] for language in languages]
                    yield [*what, *said, *labels, *wordings, code.adds]


def codes(question: Question, column: Column, languages: tuple[str, ...]) -> Iterator[Code]:
    """Yield the codes of a column from 0: the browser's reports, those by hand, and what is no report."""
    channel = column.channel
    for report in range(channel.reports):
        if isinstance(question, Boxes) and report == NOT_SAMPLED:
            yield without_answer(report, "not_sampled", languages)
            continue
        yield Code(
            report,
            "report",
            named_answer(channel, report),
            named_value(channel, report),
            float(channel.values[report]) if isinstance(channel, NumberChannel) else None,
            {language: label(question, channel, report, language) for language in languages},
        )
    for report in range(column.by_hand.reports if column.by_hand else 0):
        labels = {
            language: say_in_survey_language(
                language, "by_hand", label=answer_label(question, report, language)
            )
            for language in languages
        }
        yield Code(channel.reports + report, "by_hand", report, None, None, labels)
    if column.skip_code is not None:
        yield without_answer(column.skip_code, "skip", languages)
    if column.not_asked_code is not None:
        yield without_answer(column.not_asked_code, "not_asked", languages)


def without_answer(number: int, meaning: str, languages: tuple[str, ...]) -> Code:
    """Return a code that says nothing about an answer."""
    return Code(
        number,
        meaning,
        None,
        None,
        None,
        {language: say_in_survey_language(language, meaning) for language in languages},
    )


def named_answer(channel: Channel, report: int) -> int | None:
    """Return the answer that a report names, if it names just one."""
    if isinstance(channel.form, Sets) and not isinstance(channel, NumberChannel):
        members = answers_in(channel.form, report)
        return members[0] if len(members) == 1 else None
    if isinstance(channel, NumberChannel):
        # The reports of the Laplace mechanism are points of the grid; others' are columns or ends.
        return report if isinstance(channel.form, Tails) else None
    return report


def answers_in(form: Sets, report: int) -> list[int]:
    """Return the answers in the set that a report is; a table of all sets, for each of them, takes long."""
    if isinstance(form, CyclicSets):
        block, turns = divmod(report, form.answers)
        return sorted((answer + turns) % form.answers for answer in form.blocks[block])
    mask = form.masks[report] if report < len(form.masks) else 0  # the last of weighted sets has none
    return [answer for answer in range(form.answers) if mask >> answer & 1]


def named_value(channel: Channel, report: int) -> float | None:
    """Return the number that a report names: a point of the grid, or of one bit its low or its high end."""
    if not isinstance(channel, NumberChannel):
        return None
    if channel.reports == 2:
        return float(channel.grid[-report])  # report 0 is the low end, 1 the high end
    answer = named_answer(channel, report)
    return None if answer is None else float(channel.grid[answer])


def label(question: Question, channel: Channel, report: int, language: str) -> str:
    """Return what a report is called: the answer that it names, the set, or its place among the reports."""
    if isinstance(channel.form, Sets) and isinstance(question, Choice):
        names = [answer_label(question, answer, language) for answer in answers_in(channel.form, report)]
        return " | ".join(names) or say_in_survey_language(language, "no_option")
    if not isinstance(question, Number):
        return answer_label(question, report, language)
    value = named_value(channel, report)
    if value is None:
        return say_in_survey_language(language, "place", place=report + 1, n=channel.reports)
    return with_minus(f"{value:.15g}") + spaced(question.unit.get(language, ""))


def answer_label(question: Question, answer: int, language: str) -> str:
    """Return an answer in the survey's own words, or ``no``, ``yes`` and ``skip`` in Candor's."""
    if isinstance(question, Choice) and answer < len(question.options):
        return question.options[answer][language]
    return say_in_survey_language(
        language, question.labels(language)[answer] if answer < 2 else "skip_answer"
    )


def say_in_survey_language(language: str, key: str, **values: object) -> str:
    """Say something in a language of the survey, or in English where Candor does not speak it.

    Examples
    --------
    >>> say_in_survey_language("ko-KR", "yes"), say_in_survey_language("ar", "yes")
    ('예', 'Yes')
    """
    return say(our_language(language), f"codebook.{key}", **values)


def our_language(language: str) -> str:
    """Return the language of Candor's own words for readers of a survey in a language."""
    short = language.split("-")[0]
    return language if language in LANGUAGES else short if short in LANGUAGES else FIRST
