"""Charts with matplotlib that look like those of the results page: dots, intervals, and hairlines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from survey.analysis.frames import extra
from survey.figures.questions import QuestionFigures
from survey.question import Boxes, Choice, Number

if TYPE_CHECKING:
    import matplotlib.axes

# Colours and fonts of static/candor.css.
PAPER, INK, SOFT, RULE, EDGE, BRIGHT = "#fcf8ef", "#17203a", "#565c70", "#dfd6c4", "#8b8778", "#f7c869"
SANS = ("Seravek", "Gill Sans Nova", "Ubuntu", "Segoe UI", "Helvetica Neue", "Roboto", "Noto Sans",
        "Liberation Sans", "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic",
        "DejaVu Sans")  # fmt: skip

WIDTH = 6.5
"""Inches, the width of the text of a page."""


@dataclass(frozen=True)
class Row:
    """A line of a chart: an estimate with its interval, and a noisy share and a band if it has them."""

    label: str
    estimate: float
    low: float
    high: float
    noisy_share: float | None = None
    band: tuple[float | None, float | None] = (None, None)


def question_plot(
    figures: QuestionFigures, language: str, axes: matplotlib.axes.Axes | None = None
) -> matplotlib.axes.Axes:
    """Draw the estimates of a question.

    Parameters
    ----------
    figures : QuestionFigures
    language : str
        The language of the survey's texts.
    axes : matplotlib.axes.Axes, optional
        The axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Shares as dots, or the mean of a number.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    rows = rows_of(figures, language)
    if axes is None:
        axes = new_axes(0.9 + 0.45 * len(rows))
    ground(axes)
    draw_dots(axes, rows, percent=figures.first.number is None)
    title = wrapped(figures.question.asks(language), 84)
    axes.set_title(title, color=INK, loc="left", fontsize=10.5, family=fonts())
    if isinstance(figures.question, Number) and figures.question.unit:
        axes.set_xlabel(figures.question.unit[language], color=SOFT, fontsize=9, family=fonts())
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_family(fonts())
    return axes


def rows_of(figures: QuestionFigures, language: str) -> list[Row]:
    """Return the lines of a chart: yes, every option, every box, or the mean."""
    question = figures.question
    if (number := figures.first.number) is not None:
        mean = number.mean
        return [Row("", mean.value, mean.low, mean.high, None, (mean.band_low, mean.band_high))]
    shares = [("", figures.first.best.yes)]
    if isinstance(question, Choice):
        names = [*(option[language] for option in question.options), "skip"]
        shares = list(zip(names, figures.first.best.shares, strict=False))  # not every question has a skip
    elif isinstance(question, Boxes):
        boxes = zip(question.options, figures.columns, strict=True)
        shares = [(option[language], each.best.yes) for option, each in boxes]
    return [
        Row(name, each.estimate, each.low, each.high, each.noisy_share, (each.band_low, each.band_high))
        for name, each in shares
    ]


def new_axes(height: float) -> Any:
    """Make a figure of one chart, as wide as the text of a page; `height` is in inches."""
    pyplot = extra("matplotlib.pyplot")  # so that a notebook shows it
    _, axes = pyplot.subplots(figsize=(WIDTH, height), facecolor=PAPER, layout="constrained")
    return axes


def draw_dots(axes: Any, rows: Sequence[Row], percent: bool) -> None:
    """Draw a dot and an interval for each line, and a faint tick for each noisy share."""
    for height, row in enumerate(rows):
        if row.noisy_share is not None:
            axes.vlines(row.noisy_share, height - 0.28, height + 0.28, EDGE, (0, (2, 2)), linewidth=1.2)
        draw_dot(axes, row, height, f"{100 * row.estimate:.1f} %" if percent else f"{row.estimate:.3g}")
    axes.set_yticks(range(len(rows)), [wrapped(row.label, 36) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)  # the first line at the top
    axes.grid(axis="x", color=RULE, linewidth=0.7)
    if percent:
        in_percent(axes.xaxis)


def draw_dot(axes: Any, row: Row, height: float, value: str) -> None:
    """Draw an estimate with its value, and its interval as a line that ends in two strokes."""
    shape = {"color": INK, "linewidth": 1.8, "markersize": 8}
    if row.band != (None, None):  # as far as the interval reaches if people left over their result
        axes.plot(row.band, [height, height], "|-", color=SOFT, linewidth=1, markersize=8)
    axes.plot([row.low, row.high], [height, height], "|-", mew=1.8, **shape)
    axes.plot(row.estimate, height, "o", mfc=BRIGHT, mew=1.8, **shape)
    above = {"xytext": (0, 7), "textcoords": "offset points", "ha": "center"}
    axes.annotate(
        value, (row.estimate, height), color=INK, fontsize=9, weight="bold", family=fonts(), **above
    )


def in_percent(axis: Any) -> None:
    """Write shares as percent, on a few round ticks."""
    ticker = extra("matplotlib.ticker")
    axis.set_major_locator(ticker.MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(lambda share, _: f"{100 * share:.6g} %")


def wrapped(text: str, width: int) -> str:
    """Break a long text into lines; letters beyond ASCII may be twice as wide."""
    return textwrap.fill(text, width if text.isascii() else width // 2)


def ground(axes: Any) -> None:
    """Prepare the paper: no frame, hairlines under the marks, words in ink."""
    axes.set_facecolor(PAPER)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=SOFT, labelsize=9)
    axes.tick_params(axis="y", labelcolor=INK)


@cache
def fonts() -> list[str]:
    """Return the fonts of the page that this machine has, the fallback of matplotlib last."""
    there = set(extra("matplotlib.font_manager").get_font_names())
    return [name for name in SANS if name in there]
