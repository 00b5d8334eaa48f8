"""The estimates of every question of a survey, of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from survey.channel import Channel
from survey.column import Column
from survey.figures.chance_warnings import drop_chance_warnings
from survey.figures.columns import ColumnFigures, column_figures
from survey.figures.privacy import DELTA, published_group, survey_budget, too_short
from survey.figures.section_figures import SectionFigures, section_figures
from survey.figures.shares import Precision
from survey.linked import MarginalChannel
from survey.mechanisms import BoxChannel
from survey.privacy import (
    Budget,
    Shuffled,
    plain_sum,
    published_column,
    published_question,
    published_survey,
    reports_of,
)
from survey.publication import Publication
from survey.question import Boxes, Choice, Question
from survey.results import Results


@dataclass(frozen=True)
class QuestionFigures:
    """The estimates of one question.

    Attributes
    ----------
    question : Question
    columns : tuple of ColumnFigures
    published : Shuffled or None
        The privacy loss of the published counts of all its columns; None before there are any.
    """

    question: Question
    columns: tuple[ColumnFigures, ...]
    published: Shuffled | None = None

    @property
    def first(self) -> ColumnFigures:
        """The first column; the only one unless there are boxes."""
        return self.columns[0]

    @property
    def respondents(self) -> int:
        """The number of people who were asked."""
        return self.first.respondents

    @property
    def skipped(self) -> int:
        """The number who left the question out openly, without protection."""
        return self.first.skipped

    @property
    def answered(self) -> int:
        """The number who were asked and did not skip."""
        return self.respondents - self.skipped

    @cached_property
    def guarantee(self) -> tuple[float, float]:
        """Epsilon and delta of the whole question; where real coins were offered, of the weaker channel."""
        total = plain_sum(reports_of([each.column for each in self.columns]))
        return total.epsilon, total.delta

    @property
    def epsilon(self) -> float:
        """The privacy loss of the whole question."""
        return self.guarantee[0]

    @property
    def delta(self) -> float:
        """The delta of the whole question; 0 but for the Gaussian mechanism."""
        return self.guarantee[1]

    @property
    def box_epsilon(self) -> float | None:
        """The loss of one box that is reported on; None where there are no boxes."""
        channel = self.first.channel
        return channel.box_epsilon if isinstance(channel, BoxChannel) else None

    @property
    def exact_epsilon(self) -> float:
        """The loss of the browser's reports, from the published integers; see `exact_epsilon`."""
        return exact_epsilon(self.question, self.first.channel)

    @property
    def sampled(self) -> int | None:
        """The number of boxes on which each respondent reported, if not on all."""
        channel = self.first.channel
        if isinstance(channel, BoxChannel) and channel.sampled < channel.boxes:
            return channel.sampled
        return None

    @property
    def intervals(self) -> int:
        """The number of intervals that share a simultaneous level; 1 where it changes nothing."""
        if self.first.number is not None:
            return 1
        if len(self.columns) > 1:
            return len(self.columns)
        return self.first.channel.answers if self.first.channel.answers > 2 else 1


@dataclass(frozen=True)
class Figures:
    """The estimates of a survey, with one precision.

    Attributes
    ----------
    budget : Budget
        The privacy loss of one person over all questions that they are asked, and all waves.
    sections : Mapping[str, SectionFigures]
        Section -> its figures, where sections are drawn; otherwise empty.
    prepared, withheld : bool
        As of `survey.results.Results`.
    """

    slug: str
    state: str
    publication: Publication
    respondents: int
    precision: Precision
    budget: Budget
    questions: tuple[QuestionFigures, ...]
    sections: Mapping[str, SectionFigures]
    prepared: bool = True
    withheld: bool = False

    @property
    def confidence_level(self) -> float:
        """The level that was asked for."""
        return self.precision.confidence_level

    @property
    def method(self) -> str:
        """The method that was asked for."""
        return self.precision.method

    @cached_property
    def published(self) -> Shuffled | None:
        """The privacy loss of all published counts together, to somebody who sees nothing else.

        Where sections are drawn, that of the dearest sections that one person is asked; see
        `published_survey`.
        """
        by_question = {each.question.id: each.published for each in self.questions}

        def of_question(question: Question, _columns: tuple[Column, ...]) -> list[Shuffled]:
            published = by_question[question.id]
            return [] if published is None else [published]

        return published_survey(self.publication.by_section(of_question), self.publication.definition.waves)

    @property
    def by_hand(self) -> bool:
        """True if anybody used real coins, or may have."""
        return any(
            column.by_hand is not None or (each.question.linked is not None and each.question.linked.coins)
            for each in self.questions
            for column in each.columns
        )

    @property
    def reports_given_out(self) -> bool:
        """True if the noisy reports can be downloaded, person by person."""
        return not self.withheld and rows_given_out(self.publication, self.state)


def rows_given_out(publication: Publication, state: str) -> bool:
    """Return whether the noisy reports can be downloaded, person by person."""
    return state == "closed" or publication.definition.reports_while_open


def figures_of(
    slug: str, state: str, publication: Publication, results: Results, precision: Precision
) -> Figures:
    """Estimate every question of a published survey.

    Parameters
    ----------
    slug, state : str
        The survey's name, and ``open`` or ``closed``.
    publication : Publication
    results : Results
        The counts that may be shown.
    precision : Precision

    Raises
    ------
    ValueError
        If the level or the method is none.
    """
    definition = publication.definition
    questions: list[QuestionFigures] = []
    sections = {}
    for section in definition.sections:
        reached = results.sections[section.id]
        section_questions = [
            question_figures(question, state, publication, results, precision, reached.asked)
            for question in section.questions
        ]
        questions += section_questions
        if definition.samples:
            reporting = section_questions[: len(section.reporting)]
            published = [each.published for each in reporting if each.published is not None]
            given_out = rows_given_out(publication, state)
            sections[section.id] = section_figures(definition, section, reached, published, given_out)
    together = drop_chance_warnings([each.columns for each in questions])
    return Figures(
        slug=slug,
        state=state,
        publication=publication,
        respondents=results.respondents,
        precision=precision,
        budget=survey_budget(publication),
        questions=tuple(
            replace(each, columns=columns) for each, columns in zip(questions, together, strict=True)
        ),
        sections=sections,
        prepared=results.prepared,
        withheld=results.withheld,
    )


def question_figures(
    question: Question,
    state: str,
    publication: Publication,
    results: Results,
    precision: Precision,
    asked: int,
) -> QuestionFigures:
    """Estimate one question; the intervals of its boxes share a simultaneous level among themselves.

    The published counts are those of a group among the `asked`; see `published_group`.
    """
    columns = {name: publication.columns[name] for name in question.column_names}
    each = precision.each_of(len(columns)) if len(columns) > 1 else precision
    answers = answer_names(question)
    seen_first = publication.definition.is_seen_first(question)
    estimates = (
        column_figures(column, results.counts[name], answers, each, seen_first)
        for name, column in columns.items()
    )
    group = published_group(publication, state, asked)
    if group is None:
        return QuestionFigures(question, tuple(estimates))
    drawn = any(column.drawn for column in columns.values())
    short = too_short(publication.definition.step, state, asked, drawn)
    return QuestionFigures(
        question,
        tuple(
            replace(each, published=short or published_column(each.column, group, DELTA))
            for each in estimates
        ),
        short or published_question(tuple(columns.values()), group, DELTA),
    )


def exact_epsilon(question: Question, channel: Channel) -> float:
    """Return the loss of the published integers, in the scope for which epsilon was stated.

    The scope is the question, each box where the survey states it so, or all linked questions together. For
    the Gaussian mechanism the loss is the stated one, which the integers keep together with delta.
    """
    if isinstance(channel, MarginalChannel):
        return channel.linked.weakest.epsilon
    if not isinstance(channel, BoxChannel):
        return channel.guarantee[0]
    of_box = isinstance(question, Boxes) and question.scope == "box"
    return channel.box_epsilon if of_box else channel.question_epsilon


def answer_names(question: Question) -> tuple[str, ...]:
    """Name the answers of a column as downloads do: ``no``, ``yes``, ``skip``, or an option's position."""
    skip = ("skip",) if question.skip_answer is not None else ()
    if isinstance(question, Choice):
        return (*map(str, range(len(question.options))), *skip)
    return ("no", "yes", *skip)
