"""Questions on one wheel, or random sets of them: the reports that what is wanted of them takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from survey.design.wants import MEAN
from survey.plan.arrangement import Item, Need
from survey.plan.linking import bright_share, sets_on_wheel, variance_through
from survey.plan.mechanism_ways import Z
from survey.plan.pair_figures import Matrix, Vector
from survey.plan.topic import Topic
from survey.plan.wanted import Want, values
from survey.privacy import guess
from survey.privacy.hardest_pairs import Told


def options_of(topic: Topic) -> int:
    """Return how many answers a question has without a skip."""
    return topic.question.answers - skips(topic)


def skips(topic: Topic) -> bool:
    """Return whether a question can be skipped under protection: then its whole section can."""
    return topic.question.skip == "randomized"


def linked_item(
    topics: Sequence[Topic],
    places: tuple[int, ...],
    asked: int,
    pairs: Sequence[Want],
    *,
    right: float = 1.0,
    waves: int = 1,
) -> Item:
    """Return questions of which each person is asked so many, on one wheel.

    Parameters
    ----------
    topics : sequence of Topic
        Of all questions.
    places : tuple of int
        The questions to link.
    asked : int
        m, the number of them that a person is asked.
    pairs : sequence of Want
        The pairs of them that are wanted.
    right : float
        The share of guesses at one answer that may be right at most; the whole wheel gives as much away.
    waves : int
    """
    losses = topics[places[0]].losses
    options = [options_of(topics[place]) for place in places]
    skip = any(skips(topics[place]) for place in places)
    wheels = sets_on_wheel(options, asked, skip=skip)
    last = last_within(losses, min(wheels), right, waves)

    def reports(
        within: Sequence[int], figures: Matrix, truths: Sequence[Vector], want: Want | None
    ) -> Matrix:
        """Return n times the variance, or the reports wanted, of the largest at each loss."""
        sets = sets_on_wheel(options, asked, [places.index(place) for place in within], skip)
        cells = math.prod(options[places.index(place)] for place in within)
        bright, dark = seen_from(losses, sets, cells, skip)
        variance = np.stack([variance_through(bright, dark, truth, figures) for truth in truths])
        if want is None:
            return np.asarray(variance[0])
        needed = np.minimum.accumulate(variance.max(axis=(0, 1)) * (Z / want.margin) ** 2)
        needed[last + 1 :] = needed[last] if last >= 0 else np.inf
        return np.asarray(needed if last >= 0 else np.full(len(losses), np.inf))

    needs, shares = [], {}
    alone, paired = chance_of(places, asked, 1), chance_of(places, asked, 2)
    for place in places:
        topic = topics[place]
        truth = with_skip(topic, skip)
        for want in topic.wants:
            counted = values(want.figure, options_of(topic))
            counted = np.pad(counted, ((0, 0), (0, int(skip))))
            truths = list(np.eye(len(truth))) if want.figure == MEAN else [truth]
            needs.append(Need(reports([place], counted, truths, want), alone))
        each = np.eye(len(truth))[: options_of(topic)]
        shares[place] = reports([place], each, [truth], None)
    for want in pairs:
        first, second = (topics[place] for place in want.questions)
        truth, figures = pair_figures_at(want.figure, first, second, skip)
        needs.append(Need(reports(want.questions, figures, [truth], want), paired))
    return Item(places, asked, (*merged(needs),), shares, losses, float(losses[last]))


def merged(needs: Sequence[Need]) -> list[Need]:
    """Return one need for each chance: the largest."""
    chances = dict.fromkeys(need.chance for need in needs)
    return [
        Need(np.stack([need.reports for need in needs if need.chance == chance]).max(axis=0), chance)
        for chance in chances
    ]


def chance_of(places: Sequence[int], asked: int, together: int) -> float:
    """Return how often so many questions are in a random set together."""
    return math.comb(len(places) - together, asked - together) / math.comb(len(places), asked)


def last_within(losses: Vector, combinations: int, right: float, waves: int) -> int:
    """Return the place of the largest loss at which a guess is right no more often; -1 if there is none."""
    if right >= 1:
        return len(losses) - 1
    low, high = -1, len(losses)
    while high - low > 1:
        middle = (low + high) // 2
        told = Told.of_wheel(combinations, float(losses[middle]))
        low, high = (middle, high) if guess([told], waves).right <= right else (low, middle)
    return low


def seen_from(losses: Vector, sets: Mapping[int, float], cells: int, skip: bool) -> tuple[Vector, Matrix]:
    """Return the bright share and the dark chances of a question, or a pair, over all sets that hold it.

    Parameters
    ----------
    losses : ndarray
    sets : Mapping of int to float
        Number of combinations -> how often such a wheel is turned.
    cells : int
        The number of answers of the question, or of pairs of answers.
    skip : bool
        Whether the skip of all is one more report, the last.

    Notes
    -----
    Reports of all sets count alike, as `survey.linked.MarginalChannel` does.
    """
    bright, dark = np.zeros(len(losses)), np.zeros((cells + skip, len(losses)))
    total = sum(sets.values())
    for combinations, chance in sets.items():
        part = np.asarray(bright_share(losses, combinations))
        bright += chance / total * part
        alike = np.array([(combinations - skip) / cells] * cells + [1] * skip) / combinations
        dark += chance / total * np.outer(alike, 1 - part)
    return bright, dark


def with_skip(topic: Topic, skip: bool) -> Vector:
    """Return the expected shares, with a skip as the last where there is none but the section has one."""
    if skip and not skips(topic):
        return np.append(topic.truth, 0.0)
    return topic.truth


def pair_figures_at(figure: str, first: Topic, second: Topic, skip: bool) -> tuple[Vector, Matrix]:
    """Return the shares of independent answers to two questions, and the slopes of a figure by them.

    Returns
    -------
    truth : ndarray, shape (cells,)
    figures : ndarray, shape (figures, cells)
        For every answer to either question. Of independent questions all figures but ``both`` have the slope
        of the covariance, times a number.
    """
    a, b = (each.truth[: options_of(each)] for each in (first, second))
    truth = np.outer(a, b).ravel()
    out = max(1 - a.sum(), 1 - b.sum()) if skip else 0.0
    truth = np.append(truth / truth.sum() * (1 - out), out) if skip else truth
    rows = []
    for x, y in product(range(len(a)), range(len(b))):
        in_first, in_second = np.eye(len(a))[x], np.eye(len(b))[y]
        if figure == "both":
            slope, beyond = np.outer(in_first, in_second), 0.0
        else:
            slope, beyond = np.outer(in_first - a[x], in_second - b[y]), a[x] * b[y]
            factor = slope_factor(figure, a[x], b[y])
            slope, beyond = slope * factor, beyond * factor
        rows.append(np.append(slope.ravel(), beyond) if skip else slope.ravel())
    return truth, np.array(rows)


def slope_factor(figure: str, first: float, second: float) -> float:
    """Return the slope of a figure of two independent answers by their covariance."""
    if figure == "covariance":
        return 1.0
    by_first = first * (1 - first)
    return 1 / by_first if figure == "difference" else 1 / (by_first * second * (1 - second))
