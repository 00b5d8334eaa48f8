"""The survey at a glance: for each question its most telling estimate, all of them on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.results.charts.dot_plot import Axis, Mark, axis, dot_plot, mark
from server.results.number_text import Amounts
from server.results.question_layout import (
    ChartRow,
    Label,
    Line,
    QuestionSection,
    band_of,
    marks_of,
    share_row,
)
from survey.question import Boxes, Choice


@dataclass(frozen=True)
class OverviewLine:
    """One question of the overview.

    Attributes
    ----------
    section : Section
    row : Row
        Its estimate, with its interval.
    label : Label or None
        What the estimate is of, where a question has several.
    others : tuple of Mark
        The estimates of its other options or boxes.
    own : tuple of (Mark, str)
        The outermost ticks of a number's own axis; empty of shares, which have one in common.
    """

    section: QuestionSection
    row: ChartRow
    label: Label | None
    others: tuple[Mark, ...]
    own: tuple[tuple[Mark, str], ...]


@dataclass(frozen=True)
class Overview:
    """Every question, and the axis that the shares have in common.

    Attributes
    ----------
    entries : tuple of Entry
    ticks : tuple of (Mark, str)
        Empty where there are numbers only.
    numbers : bool
        Whether any question is a number.
    several : bool
        Whether any question has more estimates than the one that is written.
    banded : bool
        Whether any estimate has a band for people who left over their result.
    """

    entries: tuple[OverviewLine, ...]
    ticks: tuple[tuple[Mark, str], ...]
    numbers: bool
    several: bool
    banded: bool


def overview(sections: Sequence[QuestionSection]) -> Overview:
    """Lay out all questions of a survey, from what is laid out of each; nothing is estimated here."""
    scale = common_axis(sections)
    amounts = sections[0].amounts
    entries = tuple(
        share_entry(each, scale) if scale and each.lines else number_entry(each) for each in sections
    )
    marks = [] if scale is None else [(mark(scale, tick), amounts.tick(tick)) for tick in scale.ticks]
    numbers, several = any(entry.own for entry in entries), any(entry.others for entry in entries)
    banded = any(entry.row.dot.band for entry in entries)
    return Overview(entries, tuple(marks), numbers, several, banded)


def common_axis(sections: Sequence[QuestionSection]) -> Axis | None:
    """Choose an axis that holds every share, and the intervals of those that are written."""
    values: list[float] = []
    for section in sections:
        values += [estimate_of(line, section.amounts) for line in section.lines]
        if section.lines:
            _, low, high, _ = marks_of(most_telling(section), section.amounts)
            values += [low, high, *(band_of(most_telling(section), section.amounts) or ())]
    return axis(values, sections[0].amounts.finest) if values else None


def estimate_of(line: Line, amounts: Amounts) -> float:
    """Return the estimate of a line, as a share or as a number of people."""
    return amounts.of(line.share.estimate, line.respondents)


def most_telling(section: QuestionSection) -> Line:
    """Return the line that says most: the commonest option or box, or Yes as most people reported it.

    A skip that counts as one more answer stands last, and says nothing of the question.
    """
    question = section.figures.question
    if not isinstance(question, Boxes | Choice):
        return max(section.lines, key=lambda line: line.respondents)
    return max(section.lines[: len(question.options)], key=lambda line: line.share.estimate)


def share_entry(section: QuestionSection, scale: Axis) -> OverviewLine:
    """Place a question's shares on the common axis."""
    chosen = most_telling(section)
    estimate, low, high, _ = marks_of(chosen, section.amounts)
    (dot,) = dot_plot(scale, [(estimate, low, high, None)], [band_of(chosen, section.amounts)]).dots
    asks_yes = section.figures.question.kind == "yes_no"
    others = [] if asks_yes else [each for each in section.lines if each is not chosen]
    return OverviewLine(
        section=section,
        row=share_row(chosen, dot, section.amounts),
        label=None if asks_yes else chosen.label,
        others=tuple(mark(scale, estimate_of(each, section.amounts)) for each in others),
        own=(),
    )


def number_entry(section: QuestionSection) -> OverviewLine:
    """Show the mean of a number on an axis of its own."""
    ticks = tuple(zip(section.plot.ticks, section.ticks, strict=True))
    row = section.rows[0]
    return OverviewLine(section, row, row.label, (), (ticks[0], ticks[-1]))
