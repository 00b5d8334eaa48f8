"""The cumulative curve of a question, with its band: places in percent of the width and of the height."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from survey.figures.curves import CurveFigures

Place = Callable[[float], float]


@dataclass(frozen=True)
class CurvePlot:
    """A curve as it is drawn, whatever the size.

    Attributes
    ----------
    line, band : tuple of (float, float)
        Corners of the curve, and those around its band, in percent from the left and from the top.
    dots : tuple of (float, float)
        The points at which the share is estimated.
    ticks : tuple of (float, str)
        Places along the answers, and their names.
    """

    line: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...]
    dots: tuple[tuple[float, float], ...]
    ticks: tuple[tuple[float, str], ...]

    def path(self, corners: Iterable[tuple[float, float]], across: Place, down: Place) -> str:
        """Write the path through some corners, where `across` and `down` place them."""
        return "M" + "L".join(f"{across(x):.2f} {down(y):.2f}" for x, y in corners)

    def inner(self, corners: Iterable[tuple[float, float]]) -> str:
        """Write the path in a box of 100 by 100."""
        return self.path(corners, float, float)


def curve_plot(curve: CurveFigures, named: Iterable[tuple[float, str]], discrete: bool) -> CurvePlot:
    """Lay a curve out.

    Parameters
    ----------
    curve : CurveFigures
    named : iterable of (float, str)
        The answers that are named along the axis, with their names.
    discrete : bool
        Whether there is no answer between two points: then everything is steps.

    Notes
    -----
    Between two points of a finer scale a share is at least that up to the first, and at most that up to the
    second: so the band holds whatever the shape. The line there is drawn as if people were spread evenly.
    """
    span = curve.last - curve.first

    def place(number: float) -> float:
        return 100 * (number - curve.first) / span

    across = [place(each.up_to) for each in curve.points]
    shares, lows, highs = (
        [100 * (1 - share) for share in shares]
        for shares in zip(
            *((each.estimate, each.curve_low, each.curve_high) for each in curve.points), strict=True
        )
    )
    edges = [0.0, *across, 100.0]
    lower = stepped(edges, [100.0, *lows])
    upper = stepped(edges, [100.0, *highs] if discrete else [*highs, 0.0])
    start = [] if across[0] == 0 else [(0.0, 100.0)]
    line = [*start, *zip(across, shares, strict=True), (100.0, 0.0)]
    return CurvePlot(
        line=tuple([*stepped(edges, [100.0, *shares]), (100.0, 0.0)] if discrete else line),
        band=(*upper, *reversed(lower)),
        dots=tuple(zip(across, shares, strict=True)),
        ticks=tuple((place(number), name) for number, name in named),
    )


def stepped(edges: list[float], heights: list[float]) -> list[tuple[float, float]]:
    """Return the corners of steps of some heights, between edges of which there is one more."""
    return [(x, y) for ends, y in zip(pairwise(edges), heights, strict=True) for x in ends]
