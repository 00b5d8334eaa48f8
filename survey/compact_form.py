"""The compact exact forms of a channel, in which it is published: integers only.

A channel of a thousand answers has a million integers, but a few hundred determine all of them. Each form
expands to the weights by one row rule, in integers below 2**53, so that the page can expand the row it
needs from the same numbers. Below, ``a`` is the answer, ``n = answers - 1``, and ``a * s`` divided by
``n`` gives the quotient ``q`` and the remainder ``r``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from survey.cyclic_sets import CyclicSets
from survey.form_parts import (
    MOST_ANSWERS,
    MOST_REPORTS,
    MOST_WEIGHT,
    Weights,
    require,
    sequence,
    weights_of_sets,
)
from survey.sets_on_grid import SetsOnGrid
from survey.weighted_sets import WeightedSets, read_masks


@dataclass(frozen=True)
class Rows:
    """Rows at equally spaced knots; an answer between two knots mixes their rows linearly.

    Parameters
    ----------
    answers : int
        How many answers the channel has, 2 to 1001.
    knots : int
        How many knots, 2 to `answers`; the first stands at the first answer, the last at the last. With
        as many knots as answers this is a plain table.
    rows : tuple of tuple of int
        The rows of the knots, from the first. The last ones may be left out, up to one half: knot
        ``knots - 1 - i`` is then knot ``i`` read backwards.

    Notes
    -----
    Row rule, with ``s = knots - 1``: take the rows K of knot q and L of knot q + 1 (where r is 0, K
    alone). The weight of report y is ``((n - r) K[y] + r L[y]) / n`` rounded up. What this makes the row
    exceed the sum of K is taken off its largest weight, the first of them if there are several.
    """

    answers: int
    knots: int
    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        require("answers", self.answers, 2, MOST_ANSWERS)
        require("knots", self.knots, 2, self.answers)
        require("the number of rows", len(self.rows), (self.knots + 1) // 2, self.knots)
        reports = len(self.rows[0])
        require("the number of reports", reports, 1, MOST_REPORTS)
        for row in self.rows:
            require("the number of reports in every row", len(row), reports, reports)
            for weight in row:
                require("a weight", weight, 0, MOST_WEIGHT)

    @classmethod
    def table(cls, weights: npt.ArrayLike) -> Rows:
        """Write every row down as it is."""
        rows = tuple(map(tuple, np.asarray(weights).tolist()))
        return cls(len(rows), len(rows), rows)

    def at_knots(self) -> Weights:
        """Return the row of every knot, those left out included. Shape (knots, reports)."""
        return with_those_left_out(np.array(self.rows, dtype=np.int64), self.knots)

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        knots = self.at_knots()
        n, s = self.answers - 1, self.knots - 1
        q, r = np.divmod(np.arange(self.answers) * s, n)
        mixed = (n - r)[:, None] * knots[q] + r[:, None] * knots[np.minimum(q + 1, s)]
        weights: Weights = -(-mixed // n)  # rounded up: rounded down, a rare report could give an answer away
        surplus = weights.sum(axis=1) - knots[q].sum(axis=1)
        weights[np.arange(self.answers), weights.argmax(axis=1)] -= surplus
        return weights

    @property
    def ends_dominate(self) -> bool:
        """True if the first and the last answer are told apart best, at every epsilon.

        Notes
        -----
        P[a] and P[b] being rows, delta(epsilon) of the answers a, b is the sum over the reports of
        max(0, P[a] - e^epsilon P[b]), for an epsilon of either sign. It is convex in both rows together, so
        of the answers between knots none does more than the knots do. Say that every row leans further to
        the last reports than the row before: P[a + 1][y] / P[a][y] does not fall from one report y to the
        next. Then, for a < b, the sum is greatest over the reports up to some t:
        P(y <= t | a) - e^epsilon P(y <= t | b), which can only grow as a goes to the first answer and b to
        the last. For a > b it is the same read backwards, if the table is (Karlin 1968, Total Positivity,
        chapter 1). Noise whose logarithm is concave leans so: the Gaussian, and the exponential mechanism by
        distance. So do two answers, whose table is the same read backwards.
        """
        knots = self.at_knots()
        rounding = knots.shape[1]  # a weight is rounded by less than 1, but pays for the others of its row
        mirrored = (np.abs(knots - knots[::-1, ::-1]) <= rounding).all()
        upper, lower = knots + float(rounding), (knots - float(rounding)).clip(min=0)
        leaning = upper[:-1, :-1] * upper[1:, 1:] >= lower[:-1, 1:] * lower[1:, :-1]
        return bool(mirrored and leaning.all())

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published."""
        return {
            "form": "rows",
            "answers": self.answers,
            "knots": self.knots,
            "rows": [list(row) for row in self.rows],
        }


def with_those_left_out(rows: Weights, knots: int) -> Weights:
    """Add the last rows that a mirrored table leaves out: the first ones, read backwards."""
    return np.concatenate([rows, rows[: knots - len(rows), ::-1][::-1]])


class Window(NamedTuple):
    """A window of `width` columns among `columns`: the weight within it, and the weight outside."""

    columns: int
    width: int
    inside: int
    outside: int


@dataclass(frozen=True)
class Windows:
    """Windows side by side, each sliding over its own columns from the first answer to the last.

    Parameters
    ----------
    answers : int
        How many answers the channel has, 2 to 1001.
    windows : tuple of Window
        From the first columns to the last.

    Notes
    -----
    Row rule, for each window with ``s = columns - width``: columns q to q + width - 1 weigh `inside`,
    the others `outside`. Then ``(inside - outside) r / n``, rounded down, moves from column q to column
    q + width: the linear ramp at the window's edges. Every row has the same sum.
    """

    answers: int
    windows: tuple[Window, ...]

    def __post_init__(self) -> None:
        require("answers", self.answers, 2, MOST_ANSWERS)
        require("the number of windows", len(self.windows), 1, 8)
        for window in self.windows:
            require("columns", window.columns, 2, MOST_REPORTS)
            require("width", window.width, 1, window.columns - 1)
            require("inside", window.inside, 0, MOST_WEIGHT)
            require("outside", window.outside, 0, window.inside)

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        return np.hstack([self.expand(window) for window in self.windows])

    def expand(self, window: Window) -> Weights:
        """Expand the columns of one window, shape (answers, columns)."""
        columns, width, inside, outside = window
        n = self.answers - 1
        q, r = np.divmod(np.arange(self.answers) * (columns - width), n)
        column, first = np.arange(columns), q[:, None]
        weights = np.where((first <= column) & (column < first + width), inside, outside)
        ramp = (inside - outside) * r // n
        sliding = np.flatnonzero(r)
        weights[sliding, q[sliding]] -= ramp[sliding]
        weights[sliding, q[sliding] + width] += ramp[sliding]
        return weights

    @property
    def ends_dominate(self) -> bool:
        """True: the first and the last answer are told apart best, at every epsilon.

        Notes
        -----
        delta(epsilon) of two answers is the sum over the reports of max(0, P - R Q), R = e^epsilon of either
        sign of epsilon. It is convex in both rows together, and an answer between two columns mixes their
        rows: so two whole positions do most. Two windows that are d columns apart, d up to the width, give

            d (max(0, inside - R outside) + max(0, outside - R inside))
            + (width - d) max(0, inside - R inside) + (columns - width - d) max(0, outside - R outside),

        which does not fall as d grows, for max(0, u) + max(0, v) is at least max(0, u + v). Further apart
        they give what they give at d = width. The first and the last answer are furthest apart in every
        window at once.
        """
        return True

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published: a window is [columns, width, inside, outside]."""
        return {
            "form": "windows",
            "answers": self.answers,
            "windows": [list(window) for window in self.windows],
        }


@dataclass(frozen=True)
class Subsets:
    """Reports that are sets of answers: one weight for a set with the answer, one for a set without.

    Parameters
    ----------
    answers : int
        How many answers the channel has, 2 to 12.
    masks : tuple of int
        Report y is the set of answers i for which bit i, ``2**i``, of ``masks[y]`` is 1.
    inside, outside : int
        The weight of a set that contains the answer, and of a set that does not.
    raised : int
        How many of the sets that do not contain the answer weigh one more.

    Notes
    -----
    Row rule: going through the reports in order, a set with the answer weighs `inside`; the first
    `raised` sets without it weigh ``outside + 1`` and the others without it `outside`.
    """

    answers: int
    masks: tuple[int, ...]
    inside: int
    outside: int
    raised: int

    def __post_init__(self) -> None:
        require("answers", self.answers, 2, 12)
        require("the number of masks", len(self.masks), 1, MOST_REPORTS)
        for mask in self.masks:
            require("a mask", mask, 1, 2**self.answers - 1)
        require("inside", self.inside, 0, MOST_WEIGHT)
        require("outside", self.outside, 0, self.inside)
        require("raised", self.raised, 0, len(self.masks))

    def members(self) -> npt.NDArray[np.bool_]:
        """Return whether an answer is in the set of a report, shape (answers, reports)."""
        bits = np.arange(self.answers)[:, None]
        return (np.array(self.masks) >> bits & 1).astype(bool)

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        return weights_of_sets(self.members(), self.inside, self.outside, self.raised)

    @property
    def ends_dominate(self) -> bool:
        """True if any two answers are told apart alike, at every epsilon: all sets of one size are there.

        Notes
        -----
        Then renaming the answers makes any pair of them the first and the last, and moves the sets alone.
        What is not renamed are the raised weights, less than 1e-6 of a row together.
        """
        sizes = {mask.bit_count() for mask in self.masks}
        every = math.comb(self.answers, max(sizes))
        return len(sizes) == 1 and len(set(self.masks)) == len(self.masks) == every

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published."""
        return {
            "form": "subsets",
            "answers": self.answers,
            "masks": list(self.masks),
            "inside": self.inside,
            "outside": self.outside,
            "raised": self.raised,
        }


@dataclass(frozen=True)
class Tails:
    """One table of symmetric noise, shifted to the answer and folded at both ends of the answers.

    Parameters
    ----------
    tails : tuple of int
        ``tails[d]`` is the weight of noise d or more, from d = 0; the channel has as many answers as
        there are tails, and a report for each answer.

    Notes
    -----
    Row rule: report y at distance ``d = |y - a|`` weighs ``tails[d] - tails[d + 1]``, but the first and
    the last report, which collect everything beyond them, weigh ``tails[d]``. Every row sums to
    ``tails[0] + tails[1]``.
    """

    tails: tuple[int, ...]

    def __post_init__(self) -> None:
        require("the number of tails", len(self.tails), 2, MOST_ANSWERS)
        largest = MOST_WEIGHT
        for tail in self.tails:
            require("a tail", tail, 0, largest)
            largest = tail

    @property
    def answers(self) -> int:
        """The number of answers, which is the number of reports too."""
        return len(self.tails)

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, answers)."""
        tails = np.array(self.tails, dtype=np.int64)
        noise = np.append(tails[:-1] - tails[1:], 0)  # the last distance occurs at the ends only
        answer = np.arange(self.answers)
        weights: Weights = noise[np.abs(answer[:, None] - answer)]
        weights[:, 0] = tails
        weights[:, -1] = tails[::-1]
        return weights

    @property
    def ends_dominate(self) -> bool:
        """True if the first and the last answer are told apart best, at every epsilon.

        Notes
        -----
        They are where the logarithms of the noise and of its tails are concave: none is to the one before as
        the next is to it, or more. Then every row leans further to the last reports than the row before, as
        in `Rows.ends_dominate`: within the range by the noise, and at its ends, where with n = t - t',
        n[d] t[d] >= t[d + 1] n[d - 1] says that t[d]^2 >= t[d - 1] t[d + 1].
        """
        tails = np.array(self.tails, dtype=np.float64)
        noise = tails[:-1] - tails[1:]
        noise = np.concatenate([noise[1:2], noise])  # it is the same on the other side of 0
        # Each is rounded by less than 1, or two of them for one.
        return all(
            bool(((each[1:-1] + 1) ** 2 >= (each[:-2] - 1).clip(min=0) * (each[2:] - 1)).all())
            for each in (noise, tails)
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published."""
        return {"form": "tails", "tails": list(self.tails)}


CompactForm: TypeAlias = Rows | Windows | Subsets | CyclicSets | WeightedSets | SetsOnGrid | Tails


def from_dict(table: Mapping[str, Any]) -> CompactForm:
    """Read a form back from what `as_dict` gave.

    Raises
    ------
    ValueError
        If the form is not known, a key is missing or too many, or a value is not a whole number in its
        range.

    Examples
    --------
    >>> from_dict({"form": "tails", "tails": [3, 1]}).weights().tolist()
    [[3, 1], [1, 3]]
    """
    keys = {
        "rows": {"answers", "knots", "rows"},
        "windows": {"answers", "windows"},
        "subsets": {"answers", "masks", "inside", "outside", "raised"},
        "cyclic_sets": {"answers", "blocks", "inside", "outside", "raised"},
        "weighted_sets": {"answers", "ratio", "lows", "masks"},
        "sets_on_grid": {"answers", "rounded", "sets"},
        "tails": {"tails"},
    }
    name = table.get("form")
    if not isinstance(name, str) or name not in keys:
        raise ValueError(f"form must be one of {', '.join(keys)}, got {name!r}")
    values = {key: value for key, value in table.items() if key != "form"}
    if values.keys() != keys[name]:
        raise ValueError(f"the keys of form {name} must be {sorted(keys[name])}, got {sorted(values)}")
    match name:
        case "rows":
            rows = tuple(tuple(sequence("a row", row)) for row in sequence("rows", values["rows"]))
            return Rows(values["answers"], values["knots"], rows)
        case "windows":
            windows = [sequence("a window", window) for window in sequence("windows", values["windows"])]
            for window in windows:
                require("the length of a window", len(window), 4, 4)
            return Windows(values["answers"], tuple(Window(*window) for window in windows))
        case "subsets":
            return Subsets(**(values | {"masks": tuple(sequence("masks", values["masks"]))}))
        case "cyclic_sets":
            blocks = tuple(
                tuple(sequence("a block", block)) for block in sequence("blocks", values["blocks"])
            )
            return CyclicSets(**(values | {"blocks": blocks}))
        case "weighted_sets":
            ratio, lows = (tuple(sequence(key, values[key])) for key in ("ratio", "lows"))
            masks = read_masks(values["masks"], values["answers"])
            return WeightedSets(values["answers"], ratio, lows, masks)
        case "sets_on_grid":
            sets = from_dict(values["sets"]) if isinstance(values["sets"], Mapping) else None
            if not isinstance(sets, WeightedSets):
                raise ValueError(f"sets must be a form of weighted_sets, got {values['sets']!r}")
            return SetsOnGrid(values["answers"], values["rounded"], sets)
        case _:
            return Tails(tuple(sequence("tails", values["tails"])))
