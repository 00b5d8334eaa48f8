"""A chart as a picture by itself, for a paper's column or across a page: every mark and every line of text.

Across, the marks stand where `server.results.charts.dot_plot` has put them. Lengths are in CSS pixels, of
which a column of 85 mm has about 320.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from server.results.charts.curve_plot import CurvePlot
from server.results.charts.dot_plot import Dot, DotPlot
from server.results.charts.text_width import width, wrap
from server.results.question_layout import ChartRow

WIDTHS: Mapping[str, int] = MappingProxyType({"column": 320, "page": 640})
"""The widths that can be asked for: about 85 mm, or twice that."""

EDGE = 6
"""Pixels left free at every side, so that nothing is cut off where the font is wider."""

GAP = 10.0
"""Pixels between a label and the figures on the same line."""


@dataclass(frozen=True)
class Font:
    """The setting of a kind of text: its size, the distance of its lines, and whether it is bold."""

    size: float
    line: float
    bold: bool = False

    def room(self, pixels: float) -> float:
        """Return how much text fits, in shares of the size; bold letters are a little wider."""
        return pixels / self.size / (1.06 if self.bold else 1)


TITLE, CAPTION, LABEL, TICK, FOOT = (
    Font(12.5, 16, bold=True),
    Font(10.5, 14),
    Font(11.5, 15),
    Font(10, 13),
    Font(9, 12),
)


@dataclass(frozen=True)
class Text:
    """One line of text; its place is that of its baseline."""

    x: float
    y: float
    text: str
    font: Font
    anchor: str = "start"
    language: str = ""
    soft: bool = False


@dataclass(frozen=True)
class DrawnInterval:
    """The marks of one estimate, in pixels."""

    low: float
    high: float
    estimate: float
    y: float
    band: tuple[float, float] | None = None


@dataclass(frozen=True)
class Words:
    """The texts around the marks.

    Attributes
    ----------
    title, language : str
        The survey's own words, and the language they are in.
    caption : str
        What the marks are.
    foot : tuple of str
        Where the figures come from.
    to : str
        Written between the ends of an interval, with their names in braces.
    """

    title: str
    language: str
    caption: str
    foot: tuple[str, ...]
    to: str


@dataclass(frozen=True)
class Drawing:
    """A picture: its size, where the grid begins and ends, and all that is on it."""

    width: int
    height: float
    top: float
    bottom: float
    grid: tuple[float, ...]
    intervals: tuple[DrawnInterval, ...]
    texts: tuple[Text, ...]
    levels: tuple[float, ...] = ()
    curve: str = ""
    band: str = ""


def draw(
    plot: DotPlot,
    rows: Sequence[ChartRow],
    ticks: Sequence[str],
    words: Words,
    across: int,
) -> Drawing:
    """Lay a chart out from the top down: words, a line for each estimate, the axis, and its source.

    Parameters
    ----------
    plot : DotPlot
    rows : sequence of Row
        What the dots of the plot are, and how they are written.
    ticks : sequence of str
        What stands at the ticks of the plot.
    words : Words
    across : int
        How wide the picture is.
    """
    texts: list[Text] = []
    y = paragraph(texts, EDGE - 2, words.title, TITLE, across, words.language)
    y = top = paragraph(texts, y, words.caption, CAPTION, across, soft=True) + 4
    intervals = []
    for row in rows:
        found = row.low if row.low == row.high else words.to.format(low=row.low, high=row.high)
        y = heading(texts, y, row.label.text, row.label.language, row.estimate, found, across)
        intervals.append(interval(row.dot, y + 8, across))
        y += 20
    bottom = y + 2
    grid = tuple(pixels(mark.x, across) for mark in plot.ticks)
    for x, tick in zip(grid, ticks, strict=True):
        texts.append(Text(x, bottom + 5 + TICK.size, tick, TICK, "middle", soft=True))
    y = bottom + 8 + TICK.line
    for line in words.foot:
        y = paragraph(texts, y, line, FOOT, across, soft=True)
    return Drawing(across, round(y + EDGE), top, bottom, grid, tuple(intervals), tuple(texts))


def draw_curve(plot: CurvePlot, words: Words, across: int) -> Drawing:
    """Lay a cumulative curve out from the top down: words, the curve in its band, the axis, its source."""
    texts: list[Text] = []
    y = paragraph(texts, EDGE - 2, words.title, TITLE, across, words.language)
    top = paragraph(texts, y, words.caption, CAPTION, across, soft=True) + 10
    height, margin = 0.55 * across, 34.0

    def place(percent: float) -> float:
        return round(margin + percent / 100 * (across - margin - 2 * EDGE), 2)

    def down(percent: float) -> float:
        return round(top + percent / 100 * height, 2)

    levels = tuple(map(down, (0, 25, 50, 75, 100)))
    for share, level in zip((100, 75, 50, 25, 0), levels, strict=True):
        texts.append(Text(margin - 5, level + TICK.size / 3, f"{share}%", TICK, "end", soft=True))
    bottom = down(100)
    for percent, name in plot.ticks:
        texts.append(Text(place(percent), bottom + 5 + TICK.size, name, TICK, "middle", soft=True))
    y = bottom + 8 + TICK.line
    for line in words.foot:
        y = paragraph(texts, y, line, FOOT, across, soft=True)
    return Drawing(
        width=across,
        height=round(y + EDGE),
        top=top,
        bottom=bottom,
        grid=(place(0), *(place(percent) for percent, _ in plot.ticks if 0 < percent < 100), place(100)),
        intervals=(),
        texts=tuple(texts),
        levels=levels,
        curve=plot.path(plot.line, place, down),
        band=plot.path(plot.band, place, down) + "Z",
    )


def pixels(percent: float, across: int) -> float:
    """Return a place of the chart, which is in percent of its width."""
    return round(EDGE + percent / 100 * (across - 2 * EDGE), 2)


def paragraph(
    texts: list[Text], y: float, text: str, font: Font, across: int, language: str = "", soft: bool = False
) -> float:
    """Add the lines of a text from y down, and return where it ends."""
    for line in wrap(text, font.room(across - 2 * EDGE)):
        texts.append(Text(EDGE, y + font.size, line, font, language=language, soft=soft))
        y += font.line
    return y


def heading(
    texts: list[Text], y: float, label: str, language: str, estimate: str, interval: str, across: int
) -> float:
    """Add a label and, at the right of its first line, an estimate and its interval; return where it ends."""
    bold = Font(LABEL.size, LABEL.line, bold=True)
    interval_width = width(interval) * LABEL.size
    taken = interval_width + (width(estimate) * LABEL.size * 1.06 + 5 if estimate else 0)
    base = y + LABEL.size
    texts.append(Text(across - EDGE, base, interval, LABEL, "end", soft=True))
    if estimate:
        texts.append(Text(round(across - EDGE - interval_width - 5, 2), base, estimate, bold, "end"))
    for line in wrap(label, LABEL.room(across - 2 * EDGE - taken - GAP)):
        texts.append(Text(EDGE, y + LABEL.size, line, LABEL, language=language))
        y += LABEL.line
    return y


def interval(dot: Dot, y: float, across: int) -> DrawnInterval:
    """Return the marks of an estimate at a height."""
    low, high, estimate = (pixels(mark.x, across) for mark in (dot.low, dot.high, dot.estimate))
    band = (pixels(dot.band[0].x, across), pixels(dot.band[1].x, across)) if dot.band else None
    return DrawnInterval(low, high, estimate, y, band)
