"""What is known of every question of a survey, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from server.results.figures.columns import ColumnFigures, column_figures
from server.results.figures.privacy import DELTA, published_group, survey_budget
from server.results.figures.shares import Precision
from server.store.submissions import Results
from server.store.surveys import Survey
from survey.column import Column
from survey.mechanisms import BoxChannel
from survey.privacy import (
    Budget,
    Shuffled,
    plain_sum,
    published_column,
    published_question,
    reports_of,
    together,
)
from survey.publication import Publication, question_columns
from survey.question import Boxes, Choice, Question


@dataclass(frozen=True)
class QuestionFigures:
    """What is known of one question.

    Attributes
    ----------
    question : Question
    columns : tuple of ColumnFigures
    published : Shuffled or None
        What the published counts of all its columns reveal about one person; None before there are any.
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
        """Everybody who was asked."""
        return self.first.respondents

    @property
    def skipped(self) -> int:
        """How many left the question out openly, without protection."""
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
        """What is added to E times a chance, E = e^epsilon; 0 but for the Gaussian mechanism."""
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
    """What is known of a survey, with one precision.

    Attributes
    ----------
    budget : Budget
        What the survey costs one person over all questions and waves.
    """

    slug: str
    state: str
    publication: Publication
    respondents: int
    precision: Precision
    budget: Budget
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
    def published(self) -> Shuffled | None:
        """What all published counts together reveal about one person, to who sees nothing else.

        Who is asked in several waves is in the counts of each.
        """
        parts = [each.published for each in self.questions if each.published is not None]
        return together(parts * self.publication.definition.waves) if parts else None

    @property
    def reports_given_out(self) -> bool:
        """Whether the noisy reports can be downloaded, person by person."""
        return self.state == "closed" or self.publication.definition.reports_while_open


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
    definition = survey.publication.definition
    groups = {
        question.id: published_group(survey.publication, survey.state, results.sections[section.id].asked)
        for section in definition.sections
        for question in section.questions
    }
    return Figures(
        slug=survey.slug,
        state=survey.state,
        publication=survey.publication,
        respondents=results.respondents,
        precision=precision,
        budget=survey_budget(survey.publication),
        questions=tuple(
            question_figures(question, columns, results.counts, precision, groups[question.id])
            for question, columns in question_columns(survey.publication)
        ),
    )


def question_figures(
    question: Question,
    columns: Mapping[str, Column],
    counts: Mapping[str, Sequence[int]],
    precision: Precision,
    group: int | None,
) -> QuestionFigures:
    """Estimate one question; the intervals of its boxes share a simultaneous level among themselves.

    The published counts are those of `group` people; see `published_group`.
    """
    each = precision.each_of(len(columns)) if len(columns) > 1 else precision
    answers = answer_names(question)
    found = (column_figures(column, counts[name], answers, each) for name, column in columns.items())
    if group is None:
        return QuestionFigures(question, tuple(found))
    return QuestionFigures(
        question,
        tuple(replace(each, published=published_column(each.column, group, DELTA)) for each in found),
        published_question(tuple(columns.values()), group, DELTA),
    )


def answer_names(question: Question) -> tuple[str, ...]:
    """Name the answers of a column as downloads do: ``no``, ``yes``, ``skip``, or an option's position."""
    skip = ("skip",) if question.skip_answer is not None else ()
    if isinstance(question, Choice):
        return (*map(str, range(len(question.options))), *skip)
    return ("no", "yes", *skip)


def box_number(figures: QuestionFigures, column: ColumnFigures) -> int | None:
    """Return the position, from 0, of a column's box, or None where there are no boxes."""
    return figures.columns.index(column) if isinstance(figures.question, Boxes) else None
