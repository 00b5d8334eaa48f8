"""What is known of every question of a survey, whatever its kind."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.figures.numbers import NumberFigures, number_figures
from server.figures.shares import Precision, ShareFigures, SharesFigures, finite, shares_figures
from server.store.submissions import Results
from server.store.surveys import Survey
from survey.channel import Channel
from survey.column import Column
from survey.crosstab import pool_strata
from survey.mechanisms import BoxChannel, NumberChannel
from survey.privacy import plain_sum, radius, reports_of
from survey.publication import Publication, question_columns
from survey.question import Boxes, Choice, Question


@dataclass(frozen=True)
class ColumnFigures:
    """What is known from one column of reports.

    Attributes
    ----------
    column : Column
    respondents : int
        Everybody with a code in this column, also those who skipped.
    skipped : int
        How many left the question out and said so, without protection.
    shares : SharesFigures or None
        From the reports that browsers made; None of a number.
    by_hand, pooled : SharesFigures or None
        From the reports made with real coins, and of both together, if there are any of each.
    number : NumberFigures or None
    """

    column: Column
    respondents: int
    skipped: int
    shares: SharesFigures | None = None
    by_hand: SharesFigures | None = None
    pooled: SharesFigures | None = None
    number: NumberFigures | None = None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def channel(self) -> Channel:
        """What the browser's reports went through."""
        return self.column.channel

    @property
    def radius(self) -> float | None:
        """How far one forged report moves an estimate at most: of a number, in shares of its range."""
        strata = [(self.channel, self.number or self.shares), (self.column.by_hand, self.by_hand)]
        found = [
            radius(channel, shares.respondents)
            for channel, shares in strata
            if channel is not None and shares is not None and shares.respondents
        ]
        return finite(max(found)) if found else None

    @property
    def strata(self) -> dict[str, SharesFigures]:
        """The shares by the way that the reports came, the best first."""
        found = {"pooled": self.pooled, "device": self.shares, "by_hand": self.by_hand}
        return {name: shares for name, shares in found.items() if shares is not None}

    @property
    def best(self) -> SharesFigures:
        """The shares that the chart shows first: pooled where there are several strata."""
        return next(iter(self.strata.values()))


@dataclass(frozen=True)
class QuestionFigures:
    """What is known of one question."""

    question: Question
    columns: tuple[ColumnFigures, ...]

    @property
    def first(self) -> ColumnFigures:
        """The first column; the only one unless there are boxes."""
        return self.columns[0]

    @property
    def respondents(self) -> int:
        """Everybody who sent the survey."""
        return self.first.respondents

    @property
    def skipped(self) -> int:
        """How many left the question out and said so, without protection."""
        return self.first.skipped

    @property
    def guarantee(self) -> tuple[float, float]:
        """Epsilon and delta of the whole question; where coins were offered, the larger of the two."""
        total = plain_sum(reports_of([each.column for each in self.columns]))
        return total.epsilon, total.delta

    @property
    def epsilon(self) -> float:
        """The privacy loss of the whole question."""
        return self.guarantee[0]

    @property
    def delta(self) -> float:
        """How often the loss may be larger; 0 but for the Gaussian mechanism."""
        return self.guarantee[1]

    @property
    def box_epsilon(self) -> float | None:
        """The loss of one box that is reported on; None where there are no boxes."""
        channel = self.first.channel
        return channel.box_epsilon if isinstance(channel, BoxChannel) else None

    @property
    def sampled(self) -> int | None:
        """On how many boxes each respondent reported, if not on all."""
        channel = self.first.channel
        if isinstance(channel, BoxChannel) and channel.sampled < channel.boxes:
            return channel.sampled
        return None

    @property
    def intervals(self) -> int:
        """How many intervals a simultaneous level holds together; 1 where it changes nothing."""
        if self.first.number is not None:
            return max(len(self.first.number.bins), 1)
        if len(self.columns) > 1:
            return len(self.columns)
        return self.first.channel.answers if self.first.channel.answers > 2 else 1


@dataclass(frozen=True)
class Figures:
    """What is known of a survey, with one precision."""

    slug: str
    state: str
    publication: Publication
    respondents: int
    precision: Precision
    questions: tuple[QuestionFigures, ...]

    @property
    def confidence_level(self) -> float:
        """The level that was asked for."""
        return self.precision.confidence_level

    @property
    def method(self) -> str:
        """The method that was asked for."""
        return self.precision.method

    @property
    def epsilon(self) -> float:
        """The loss of one respondent's whole submission: losses of independent reports add."""
        return math.fsum(each.epsilon for each in self.questions)

    @property
    def delta(self) -> float:
        """How often that loss may be larger; it adds up too."""
        return min(1.0, math.fsum(each.delta for each in self.questions))


def figures_of(survey: Survey, results: Results, precision: Precision) -> Figures:
    """Estimate every question of a published survey.

    Parameters
    ----------
    survey : Survey
        Open or closed.
    results : Results
        The counts that may be shown.
    precision : Precision

    Raises
    ------
    ValueError
        If the survey is a draft, or the level or the method is none.
    """
    if survey.publication is None:
        raise ValueError(f"survey must be published, got {survey.slug!r}, which is a {survey.state}")
    return Figures(
        slug=survey.slug,
        state=survey.state,
        publication=survey.publication,
        respondents=results.respondents,
        precision=precision,
        questions=tuple(
            question_figures(question, columns, results.counts, precision)
            for question, columns in question_columns(survey.publication)
        ),
    )


def question_figures(
    question: Question,
    columns: Mapping[str, Column],
    counts: Mapping[str, Sequence[int]],
    precision: Precision,
) -> QuestionFigures:
    """Estimate one question; the intervals of its boxes share a simultaneous level among themselves."""
    each = precision.each_of(len(columns)) if len(columns) > 1 else precision
    answers = answer_names(question)
    return QuestionFigures(
        question,
        tuple(column_figures(column, counts[name], answers, each) for name, column in columns.items()),
    )


def answer_names(question: Question) -> tuple[str, ...]:
    """Name the answers of a column as downloads do: ``no``, ``yes``, ``skip``, or an option's position."""
    skip = ("skip",) if question.skip_answer is not None else ()
    if isinstance(question, Choice):
        return (*map(str, range(len(question.options))), *skip)
    return ("no", "yes", *skip)


def column_figures(
    column: Column, counts: Sequence[int], answers: tuple[str, ...], precision: Precision
) -> ColumnFigures:
    """Estimate from the counts of one column, those of each stratum apart."""
    strata, respondents = column.split(counts), sum(counts)
    if isinstance(column.channel, NumberChannel):
        number = number_figures(column.channel, strata.device, precision)
        return ColumnFigures(column, respondents, strata.skipped, number=number)
    shares = shares_figures(column.channel, strata.device, answers, precision)
    if column.by_hand is None or strata.by_hand is None or not sum(strata.by_hand):
        return ColumnFigures(column, respondents, strata.skipped, shares)
    by_hand = shares_figures(column.by_hand, strata.by_hand, answers, precision)
    pooled = None
    if sum(strata.device):
        both = ((column.channel, strata.device), (column.by_hand, strata.by_hand))
        pooled = pooled_figures(both, answers, precision)
    return ColumnFigures(column, respondents, strata.skipped, shares, by_hand, pooled)


def pooled_figures(
    strata: Sequence[tuple[Channel, tuple[int, ...]]], answers: tuple[str, ...], precision: Precision
) -> SharesFigures:
    """Pool both ways of reporting by inverse variance. No report speaks for an answer in both alike."""
    pooled = [pool_strata(strata, answer, precision.confidence_level) for answer in range(len(answers))]
    shares = tuple(
        ShareFigures(
            answer=name,
            count=None,
            noisy_share=None,
            proportion=each.proportion,
            standard_error=each.standard_error,
            low=each.low,
            high=each.high,
            maximum_likelihood=None,
            people=each.respondents * each.proportion,
            confidence_level=each.confidence_level,
            method="normal",
        )
        for name, each in zip(answers, pooled, strict=True)
    )
    return SharesFigures(pooled[0].respondents, pooled[0].respondents, shares, ())


def box_number(figures: QuestionFigures, column: ColumnFigures) -> int | None:
    """Give the position of the box, from 0, that a column is of; None where there are no boxes."""
    return figures.columns.index(column) if isinstance(figures.question, Boxes) else None
