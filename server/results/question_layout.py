"""One section of the results page: the lines of a question's table and the marks of its charts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.language.request_language import current, translate
from server.results.charts.curve_plot import CurvePlot, curve_plot
from server.results.charts.dot_plot import Axis, Dot, DotPlot, axis, axis_between, dot_plot
from server.results.number_text import Amounts, decimal, digits_for, percent
from survey.figures.curves import CurveFigures
from survey.figures.numbers import NumberFigures
from survey.figures.questions import Figures, QuestionFigures
from survey.figures.section_figures import SectionFigures
from survey.figures.shares import ShareFigures, SharesFigures
from survey.figures.values import ValueFigures
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
class ChartRow:
    """One line of a chart, which is a line of a table too.

    Attributes
    ----------
    label : Label
    dot : Dot
    value : float
        The estimate itself.
    estimate, low, high : str
        As they are written.
    respondents : int
        From how many people it comes.
    """

    label: Label
    dot: Dot
    value: float
    estimate: str
    low: str
    high: str
    respondents: int


@dataclass(frozen=True)
class Remark:
    """A notice, with the label of the answer, the box or the stratum that it is about, if it names one."""

    label: Label | None
    notice: Notice


@dataclass(frozen=True)
class CurveRow:
    """A cumulative share as it is written: its answer, itself, its interval and the band of the curve."""

    up_to: Label
    estimate: str
    low: str
    high: str
    curve_low: str
    curve_high: str


@dataclass(frozen=True)
class CurveSection:
    """A cumulative curve: how it is drawn, and its points as they are written."""

    plot: CurvePlot
    rows: tuple[CurveRow, ...]


@dataclass(frozen=True)
class QuestionSection:
    """A question as the page shows it.

    Attributes
    ----------
    figures : QuestionFigures
    lines : tuple of Line
        A line for each option, box or stratum; empty for a number.
    simple : bool
        Whether there is one share and its opposite: a plain yes/no question.
    plot : DotPlot
        The shares of the lines, or the mean of a number and its quantiles, in the same order.
    rows : tuple of Row
        The same, as they are written.
    ticks : tuple of str
        What stands at the ticks of `plot`.
    amounts : Amounts
        How the shares are written.
    remarks : tuple of Remark
    digits : int
        How many decimals the grid of a number needs.
    part : SectionFigures or None
        The survey's section that begins here, where sections are drawn.
    curve : CurveSection or None
        The cumulative curve, where it is known.
    answered : tuple of (Label, str, str, str)
        The shares among those who answered, where a skip is one more answer of linked questions: the answer,
        its share and its interval.
    """

    figures: QuestionFigures
    lines: tuple[Line, ...]
    simple: bool
    plot: DotPlot
    rows: tuple[ChartRow, ...]
    ticks: tuple[str, ...]
    amounts: Amounts
    remarks: tuple[Remark, ...]
    digits: int = 0
    part: SectionFigures | None = None
    curve: CurveSection | None = None
    answered: tuple[tuple[Label, str, str, str], ...] = ()

    @property
    def banded(self) -> bool:
        """Return whether any estimate has a band for people who left over their result."""
        return any(dot.band for dot in self.plot.dots)


def sections(figures: Figures, language: str, people: bool = False) -> list[QuestionSection]:
    """Lay out every question of a survey of which an answer is counted.

    Parameters
    ----------
    figures : Figures
    language : str
        The one of the survey's languages that is shown.
    people : bool
        Whether numbers of people are shown in place of shares.
    """
    # Plain yes/no questions share one axis, so that their dots can be compared down the page.
    answered = [each for each in figures.questions if each.answered]
    simple = [line for each in answered if is_simple(each) for line in question_lines(each, language)]
    amounts = Amounts(people)
    common = axis(values_of(simple, amounts), amounts.finest) if simple else None
    begins = {part.section.questions[0].id: part for part in figures.sections.values()}
    return [
        replace(section(each, language, common, people), part=begins.get(each.question.id))
        for each in answered
    ]


def is_simple(figures: QuestionFigures) -> bool:
    """Return whether this is a yes/no question with one way of reporting."""
    first = figures.first
    return figures.question.kind == "yes_no" and first.channel.answers == 2 and first.column.by_hand is None


def section(
    figures: QuestionFigures, language: str, common: Axis | None, people: bool = False
) -> QuestionSection:
    """Lay out one question."""
    if figures.first.number is not None:
        return number_section(figures, figures.first.number, language, people)
    lines = tuple(question_lines(figures, language))
    simple = is_simple(figures)
    amounts = Amounts(people, digits_for(50 * (line.share.high - line.share.low) for line in lines))
    scale = common if simple and common else axis(values_of(lines, amounts), amounts.finest)
    plot = dot_plot(
        scale, (marks_of(line, amounts) for line in lines), [band_of(line, amounts) for line in lines]
    )
    rows = tuple(share_row(line, dot, amounts) for line, dot in zip(lines, plot.dots, strict=True))
    return QuestionSection(
        figures=figures,
        lines=lines,
        simple=simple,
        plot=plot,
        rows=rows,
        ticks=tuple(amounts.tick(tick.value) for tick in plot.ticks),
        amounts=amounts,
        remarks=tuple(share_remarks(figures, language)),
        curve=scale_curve(figures, language),
        answered=tuple(answered_shares(figures, language)),
    )


def answered_shares(figures: QuestionFigures, language: str) -> Iterable[tuple[Label, str, str, str]]:
    """Yield the shares among those who answered, yes before no: the answer, its share and its interval."""
    shares = figures.first.answered
    amounts = Amounts(False, digits_for(50 * (share.high - share.low) for share in shares))
    listed = list(enumerate(shares))
    for answer, share in reversed(listed) if figures.question.kind == "yes_no" else listed:
        label = answer_label(figures, answer, language)
        yield label, amounts.text(share.value), amounts.text(share.low), amounts.text(share.high)


def marks_of(line: Line, amounts: Amounts) -> tuple[float, float, float, float | None]:
    """Return what the chart shows of a line: its estimate, its interval, and its noisy share if any."""
    share, n = line.share, line.respondents
    noisy = None if share.noisy_share is None else amounts.of(share.noisy_share, n)
    return amounts.of(share.estimate, n), amounts.of(share.low, n), amounts.of(share.high, n), noisy


def values_of(lines: Iterable[Line], amounts: Amounts) -> list[float]:
    """Return all values of some lines that an axis must hold."""
    return [
        value
        for line in lines
        for value in (*marks_of(line, amounts), *(band_of(line, amounts) or ()))
        if value is not None
    ]


def band_of(line: Line, amounts: Amounts) -> tuple[float, float] | None:
    """Return the band of a line for people who left over their result, if it has one."""
    low, high = line.share.band_low, line.share.band_high
    if low is None or high is None:
        return None
    return amounts.of(low, line.respondents), amounts.of(high, line.respondents)


def share_row(line: Line, dot: Dot, amounts: Amounts) -> ChartRow:
    """Write one share."""
    estimate, low, high = (amounts.text(mark.value) for mark in (dot.estimate, dot.low, dot.high))
    return ChartRow(line.label, dot, line.share.estimate, estimate, low, high, line.respondents)


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


def number_section(
    figures: QuestionFigures, number: NumberFigures, language: str, people: bool
) -> QuestionSection:
    """Lay out a number: its mean first, then on the same axis its quartiles."""
    question = figures.question
    assert isinstance(question, Number)  # noqa: S101  # the only kind with a mean
    half = question.step / 2
    values = (number.mean, *number.quantiles)
    marks = [(each.value, each.low, each.high, None) for each in values]
    ends = (question.low - half, question.high + half, *(end for mark in marks for end in mark[:3]))
    scale = axis_between(min(ends), max(ends), question.step)
    band = None
    if number.mean.band_low is not None and number.mean.band_high is not None:
        band = number.mean.band_low, number.mean.band_high
    plot, digits = dot_plot(scale, marks, [band]), decimals(question)
    rows = tuple(
        value_row(each, dot, mean_decimals(number) if each is number.mean else digits, number.respondents)
        for each, dot in zip(values, plot.dots, strict=True)
    )
    return QuestionSection(
        figures=figures,
        lines=(),
        simple=False,
        plot=plot,
        rows=rows,
        ticks=tuple(decimal(tick.value, digits) for tick in plot.ticks),
        amounts=Amounts(people),
        remarks=tuple(Remark(None, notice) for notice in number.notices),
        digits=digits,
        curve=number_curve(number, question, [tick.value for tick in plot.ticks], digits),
    )


def number_curve(
    number: NumberFigures, question: Number, marked: Iterable[float], digits: int
) -> CurveSection | None:
    """Lay out the curve of a number, with some of its values marked."""
    known = number.curve
    if known is None or not number.respondents:
        return None
    named = [(each, decimal(each, digits)) for each in marked if known.first <= each <= known.last]
    discrete = len(known.points) + 1 == question.answers
    labels = [Label(decimal(each.up_to, digits), current()) for each in known.points]
    return CurveSection(curve_plot(known, named, discrete), curve_rows(known, labels))


def scale_curve(figures: QuestionFigures, language: str) -> CurveSection | None:
    """Lay out the curve of ordered options."""
    scale, question = figures.first.scale, figures.question
    if scale is None or not isinstance(question, Choice) or not figures.answered:
        return None
    labels = [Label(option[language], language) for option in question.options]
    named = [(float(place), str(place)) for place in range(1, len(labels) + 1)]
    return CurveSection(curve_plot(scale.curve, named, discrete=True), curve_rows(scale.curve, labels[:-1]))


def curve_rows(curve: CurveFigures, labels: Iterable[Label]) -> tuple[CurveRow, ...]:
    """Write the points of a curve."""
    return tuple(
        CurveRow(label, *map(percent, (each.estimate, each.low, each.high, each.curve_low, each.curve_high)))
        for label, each in zip(labels, curve.points, strict=True)
    )


def value_row(value: ValueFigures, dot: Dot, digits: int, respondents: int) -> ChartRow:
    """Write a mean or a quantile."""
    if value.probability is None:
        label = label_of("mean")
    elif value.probability == 0.5:
        label = label_of("median")
    else:
        label = Label(translate("results.quantile", share=percent(value.probability, 0)), current())
    estimate, low, high = (decimal(number, digits) for number in (value.value, value.low, value.high))
    return ChartRow(label, dot, value.value, estimate, low, high, respondents)


def mean_decimals(number: NumberFigures) -> int:
    """Return the decimals that the interval of a mean bears."""
    return digits_for([(number.mean.high - number.mean.low) / 2])


def decimals(question: Number) -> int:
    """Return how many decimals show the points of a grid as they were written."""
    return max(
        len(f"{number:.10f}".rstrip("0").partition(".")[2]) for number in (question.low, question.step)
    )


def mean_digits(section: QuestionSection) -> int:
    """Return the decimals of a mean: to a hundredth of a step of the grid, rounded down."""
    question = section.figures.question
    assert isinstance(question, Number)  # noqa: S101  # the only kind with a mean
    return max(0, 2 - math.floor(math.log10(question.step)))
