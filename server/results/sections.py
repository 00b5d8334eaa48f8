"""One section of the results page: the lines of a question's table and the marks of its charts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.language.chosen import current, translate
from server.results.chart import Axis, DotPlot, Histogram, axis, axis_between, dot_plot, histogram
from survey.figures import (
    Figures,
    NumberFigures,
    PartFigures,
    QuestionFigures,
    ShareFigures,
    SharesFigures,
)
from survey.notice import Notice
from survey.question import Boxes, Choice, Number


@dataclass(frozen=True)
class Label:
    """A text and the language it is in: the survey's own words may be in another than the page's."""

    text: str
    language: str


@dataclass(frozen=True)
class Line:
    """One share, with what it is the share of.

    Attributes
    ----------
    label : Label
    share : ShareFigures
    respondents, reported : int
        From how many reports it comes; fewer reported where boxes are sampled.
    radius : float or None
        How far one forged report moves the share at most.
    """

    label: Label
    share: ShareFigures
    respondents: int
    reported: int
    radius: float | None


@dataclass(frozen=True)
class Remark:
    """A notice, with the label of the answer, the box or the stratum that it is about, if it names one."""

    label: Label | None
    notice: Notice


@dataclass(frozen=True)
class Section:
    """A question as the page shows it.

    Attributes
    ----------
    figures : QuestionFigures
    lines : tuple of Line
        A line for each option, box or stratum; empty for a number.
    simple : bool
        Whether there is one share and its opposite: a plain yes/no question.
    plot : DotPlot or None
        The shares of the lines, or the mean of a number, in the same order.
    bars : Histogram or None
        The distribution of a number, on the axis of `plot`.
    remarks : tuple of Remark
    digits : int
        How many decimals the grid of a number needs.
    part : PartFigures or None
        The survey's section that begins here, where sections are drawn.
    """

    figures: QuestionFigures
    lines: tuple[Line, ...]
    simple: bool
    plot: DotPlot | None
    bars: Histogram | None
    remarks: tuple[Remark, ...]
    digits: int = 0
    part: PartFigures | None = None


def sections(figures: Figures, language: str) -> list[Section]:
    """Lay out every question of a survey.

    Parameters
    ----------
    figures : Figures
    language : str
        The one of the survey's languages that is shown.
    """
    simple = [each for each in figures.questions if is_simple(each)]
    # Plain yes/no questions share one axis, so that their dots can be compared down the page.
    marks = [mark for each in simple for mark in mark_values(each.first.best.yes)]
    common = axis(marks) if marks else None
    begins = {part.section.questions[0].id: part for part in figures.parts.values()}
    return [
        replace(section(each, language, common), part=begins.get(each.question.id))
        for each in figures.questions
    ]


def is_simple(figures: QuestionFigures) -> bool:
    """Return whether this is a yes/no question with one way of reporting."""
    first = figures.first
    return figures.question.kind == "yes_no" and first.channel.answers == 2 and first.column.by_hand is None


def section(figures: QuestionFigures, language: str, common: Axis | None) -> Section:
    """Lay out one question."""
    if figures.first.number is not None:
        return number_section(figures, figures.first.number, language)
    lines = tuple(question_lines(figures, language))
    simple = is_simple(figures)
    scale = common if simple and common else axis(mark for line in lines for mark in mark_values(line.share))
    shares = (line.share for line in lines)
    plot = dot_plot(scale, ((each.proportion, each.low, each.high, each.noisy_share) for each in shares))
    return Section(figures, lines, simple, plot, None, tuple(share_remarks(figures, language)))


def mark_values(share: ShareFigures) -> list[float]:
    """Return the values of a share that the chart shows."""
    values = (share.proportion, share.low, share.high, share.noisy_share)
    return [value for value in values if value is not None]


def question_lines(figures: QuestionFigures, language: str) -> Iterable[Line]:
    """Yield the lines of a question that asks for shares."""
    question, first = figures.question, figures.first
    if isinstance(question, Boxes):
        for option, column in zip(question.options, figures.columns, strict=True):
            yield line_of(Label(option[language], language), column.best.yes, column.best)
    elif isinstance(question, Choice):
        labels = [Label(option[language], language) for option in question.options]
        for label, share in zip([*labels, label_of("skip")], first.best.shares, strict=False):
            yield line_of(label, share, first.best)
    elif first.column.by_hand is not None:
        for name, shares in first.strata.items():
            yield line_of(label_of(f"strata.{name}"), shares.yes, shares)
    elif is_simple(figures):
        yield line_of(label_of("yes"), first.best.yes, first.best)
    else:
        for name, index in (("yes", 1), ("no", 0), ("skip", 2)):
            yield line_of(label_of(name), first.best.shares[index], first.best)


def line_of(label: Label, share: ShareFigures, shares: SharesFigures) -> Line:
    """Return the line of a share, from reports that came in one way or in all ways."""
    return Line(label, share, shares.respondents, shares.reported, shares.radius)


def label_of(key: str) -> Label:
    """Return a word of the page itself."""
    return Label(translate(f"results.{key}"), current())


def share_remarks(figures: QuestionFigures, language: str) -> Iterable[Remark]:
    """Yield what a reader must know, each with what it is about."""
    question = figures.question
    if isinstance(question, Boxes):
        for option, column in zip(question.options, figures.columns, strict=True):
            yield from (Remark(Label(option[language], language), each) for each in column.best.notices)
        return
    for name, shares in figures.first.strata.items():
        for notice in shares.notices:
            label = None
            if figures.first.column.by_hand is not None:
                label = label_of(f"strata.{name}")
            elif len(shares.shares) > 2 and "answer" in notice.values:
                label = answer_label(figures, int(str(notice.values["answer"])), language)
            yield Remark(label, notice)


def answer_label(figures: QuestionFigures, answer: int, language: str) -> Label:
    """Name one answer of a question."""
    question = figures.question
    if answer == question.skip_answer:
        return label_of("skip")
    if isinstance(question, Choice):
        return Label(question.options[answer][language], language)
    return label_of(("no", "yes")[answer])


def number_section(figures: QuestionFigures, number: NumberFigures, language: str) -> Section:
    """Lay out a number: its mean first, then its distribution on the same axis."""
    question = figures.question
    assert isinstance(question, Number)  # noqa: S101  # the only kind with a mean
    mean, half = number.mean, question.step / 2
    ends = (question.low - half, question.high + half, mean.value, mean.low, mean.high)
    scale = axis_between(min(ends), max(ends), question.step)
    bars = None
    if number.bins:
        shares = ((each.first - half, each.last + half, each) for each in number.bins)
        bars = histogram(scale, [(a, b, each.proportion, each.interval) for a, b, each in shares])
    plot = dot_plot(scale, [(mean.value, mean.low, mean.high, None)])
    # What the shares without an interval assume stands above their chart.
    remarks = tuple(Remark(None, notice) for notice in number.notices if notice.code != "neighbours")
    return Section(figures, (), False, plot, bars, remarks, decimals(question))


def decimals(question: Number) -> int:
    """Return how many decimals show the points of a grid as they were written."""
    return max(
        len(f"{number:.10f}".rstrip("0").partition(".")[2]) for number in (question.low, question.step)
    )


def mean_digits(section: Section) -> int:
    """Return the decimals of a mean: to a hundredth of a step of the grid, rounded down."""
    question = section.figures.question
    assert isinstance(question, Number)  # noqa: S101  # the only kind with a mean
    return max(0, 2 - math.floor(math.log10(question.step)))
