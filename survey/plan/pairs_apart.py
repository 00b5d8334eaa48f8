"""Losses for questions of which pairs are wanted but which draw apart: a convex problem."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from survey.plan.arrangement import MANY, Arrangement, Item
from survey.plan.mechanism_ways import Z
from survey.plan.pair_figures import Vector
from survey.plan.wanted import Want

CLOSE = 2e-4
"""Losses are near enough to the best if fewer people by this part at most would do."""

MOST_CUTS = 40
FAR = 2.0
"""Wants that need so much fewer people than the dearest are left out, until they are the dearest."""

PARTS_OF_PAIR = tuple(part / 16 for part in range(1, 16))
BETWEEN_PARTS = 0.03
"""Between these parts a pair may need less than at the best of them, but hardly by so much."""

STARTS = (0.05, 0.2, 0.5, 1.0)
"""Parts of the first losses at which tangents are laid too."""


def solved(
    arrangement: Arrangement, total: float, record: float = math.inf
) -> tuple[float, list[float]] | None:
    """Return the logarithm of the fewest people within a total, and the losses; None where there is no way.

    Notes
    -----
    The logarithm of the people that a want needs is convex in the losses, as n times the variance falls about
    like their inverse square. Tangents below it make a linear problem, whose solution gives the next ones
    (Kelley 1960, The Cutting-Plane Method for Solving Convex Programs, SIAM 8).
    """
    start = arrangement.cheapest(total)
    if start is None or not arrangement.pairs or start[0] >= record:
        return start
    if least_of_pairs(arrangement, total) >= record:
        return None
    from scipy.optimize import linprog

    items = len(arrangement.items)
    limit, parts = limits(arrangement)
    least = float(arrangement.items[0][1].losses[0])
    largest = np.array([min(item.largest, total) for _, item in arrangement.items])
    best = (math.inf, start[1])
    cuts: list[Vector] = []
    heights: list[float] = []
    scale = total / max(arrangement.cost(start[1]), 1e-9)
    points = [np.array(start[1]) * part * scale for part in STARTS]
    points.append(np.full(items, total / max(1.0, arrangement.cost([1.0] * items))))
    for _ in range(MOST_CUTS):
        for point in (np.clip(wanted, least, largest) for wanted in points):
            tangents = list(levels(arrangement, point))
            level = max(height for height, _ in tangents)
            if level < best[0] and arrangement.cost(point) <= total * (1 + 1e-9):
                best = level, point.tolist()
            for height, slopes in (
                each for each in tangents if each[0] > level - FAR
            ):  # height + slopes (x - point) <= t
                cuts.append(np.concatenate([slopes, [0.0] * (1 + parts), [-1.0]]))
                heights.append(float(slopes @ point) - height)
        goal = np.zeros(items + 2 + parts)
        goal[-1] = 1
        bounds = [(least, most) for most in largest.tolist()] + [(0, None)] * (1 + parts) + [(None, None)]
        answer = linprog(
            goal,
            np.vstack([limit, *cuts]),
            np.concatenate([[total], np.zeros(parts), heights]),
            bounds=bounds,
        )
        if answer.x is None or best[0] - answer.x[-1] < CLOSE:
            break
        points = [answer.x[:items]]
    return best if best[0] < math.log(MANY) else None


def least_of_pairs(arrangement: Arrangement, total: float) -> float:
    """Return the logarithm of the people that the dearest pair needs if nothing else costs any loss."""
    level, compared = -math.inf, set()
    for want in arrangement.pairs:
        items = [arrangement.items[arrangement.item_of[question][1]][1] for question in want.questions]
        kinds = [arrangement.topics[question].ways if not item.on_wheel else item.places
                 for question, item in zip(want.questions, items, strict=True)]  # fmt: skip
        if (key := (want.figure, want.margin, arrangement.chances[want], *kinds)) in compared:
            continue
        compared.add(key)
        first, second = (
            [item.share_variances(question, math.log(part * total)) for part in parts]
            for question, item, parts in zip(
                want.questions, items, (PARTS_OF_PAIR, PARTS_OF_PAIR[::-1]), strict=True
            )
        )
        level = max(
            level, min(level_of(arrangement, want, *pair) for pair in zip(first, second, strict=True))
        )
    return level - BETWEEN_PARTS


def limits(arrangement: Arrangement) -> tuple[Vector, int]:
    """Return the rows that keep the total: the parts always asked, and the dearest others.

    Notes
    -----
    The sum of the m largest of some costs is the least m s + sum u with u >= cost - s and u >= 0.
    """
    drawn = [place for place, part in enumerate(arrangement.parts) if not part.always]
    items, parts = len(arrangement.items), len(drawn)
    rows = np.zeros((1 + parts, items + 2 + parts))
    for column, (place, item) in enumerate(arrangement.items):
        row = 0 if place not in drawn else 1 + drawn.index(place)
        rows[row, column] = item.lines
    rows[0, items] = arrangement.asked
    rows[0, items + 1 : -1] = 1
    rows[1:, items] = -1
    rows[1:, items + 1 : -1] = -np.eye(parts)
    return rows, parts


def levels(arrangement: Arrangement, losses: Vector) -> Iterator[tuple[float, Vector]]:
    """Yield the logarithm of the people that every item and pair needs, and its slopes by the losses."""
    step = 1e-3
    logs = np.log(losses)
    for place, (minus, compared) in enumerate(arrangement.curves):
        at = np.interp([logs[place], logs[place] + step], compared, np.negative(minus))
        slopes = np.zeros(len(losses))
        slopes[place] = (at[1] - at[0]) / step / losses[place]
        yield float(at[0]), slopes
    at_both = {
        question: [item.share_variances(question, log + more) for more in (0.0, step)]
        for question, (item, log) in paired_questions(arrangement, logs).items()
    }
    for want in arrangement.pairs:
        first, second = (at_both[question] for question in want.questions)
        here = level_of(arrangement, want, first[0], second[0])
        slopes = np.zeros(len(losses))
        moves = (first[1], second[0]), (first[0], second[1])
        for question, moved in zip(want.questions, moves, strict=True):
            place = arrangement.item_of[question][1]
            slopes[place] += (level_of(arrangement, want, *moved) - here) / step / losses[place]
        yield here, slopes


def paired_questions(arrangement: Arrangement, logs: Vector) -> dict[int, tuple[Item, float]]:
    """Return the item of every question that is in a pair, with the logarithm of its loss."""
    listed = {}
    for question in {question for want in arrangement.pairs for question in want.questions}:
        place = arrangement.item_of[question][1]
        listed[question] = arrangement.items[place][1], float(logs[place])
    return listed


def level_of(arrangement: Arrangement, want: Want, first: Vector, second: Vector) -> float:
    """Return the logarithm of the people that a pair needs, from n times the variances of its shares."""
    truths = [arrangement.topics[question].truth for question in want.questions]
    truths = [truth[: len(shares)] for truth, shares in zip(truths, (first, second), strict=True)]
    chance = arrangement.chances[want]
    reports = pair_variance(want.figure, [first, second], truths) * (Z / want.margin) ** 2
    return math.log((reports + 1 - chance) / chance)


def pair_variance(figure: str, varying: list[Vector], truths: list[Vector]) -> float:
    """Return n times the variance of the least precise figure of two independent questions that draw apart.

    Notes
    -----
    An estimate of both is the product of two, so that its mean square is the product of theirs, (V + a^2)(W +
    b^2); one of the covariance has the variance V W.
    """
    (v, w), (a, b) = varying, truths
    if figure == "both":
        return float((np.outer(v + a**2, w + b**2) - np.outer(a, b) ** 2).max())
    by_first, by_second = a * (1 - a), b * (1 - b)
    if figure != "covariance":
        v = v / by_first**2
    if figure == "odds_ratio":
        w = w / by_second**2
    return float(v.max() * w.max())
