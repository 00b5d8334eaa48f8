"""Play the linked questions of a section, whose truth is known: each share, and each pair of answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL
from survey.linked import Linked
from survey.randomize_linked import randomize_linked_many
from survey.simulate import Played, found_shares

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

RELATED = 0.5
"""The chance that a simulated person's linked answers have one quantile; else each has its own."""


def pair_name(first: str, second: str) -> str:
    """Name what is estimated of two linked questions together."""
    return f"{first} & {second}"


def pair_truth(first: Array, second: Array) -> Array:
    """Return the true share of each pair of answers, the second question's fastest.

    Examples
    --------
    >>> pair_truth(np.array([0.8, 0.2]), np.array([0.5, 0.5])).round(2).tolist()
    [0.45, 0.35, 0.05, 0.15]
    """
    ends, other_ends = first.cumsum(), second.cumsum()
    overlap = np.minimum.outer(ends, other_ends) - np.maximum.outer(ends - first, other_ends - second)
    together = np.outer(first, second) * (1 - RELATED) + overlap.clip(min=0) * RELATED
    truth: Array = together.ravel()
    return truth


def play_linked(
    linked: Linked,
    truths: Sequence[Array],
    respondents: int,
    random: np.random.Generator,
    confidence_level: float,
    method: str,
) -> tuple[list[Played], dict[tuple[int, int], Played]]:
    """Play linked questions once.

    Parameters
    ----------
    linked : Linked
    truths : sequence of ndarray of float
        Of each question the true share of every answer, and where all can be left out of that.
    respondents : int
    random : numpy.random.Generator
        Draws answers, the questions that each person is asked, and the words.
    confidence_level, method
        As for `survey.simulate.play`.

    Returns
    -------
    list of Played
        The shares of each question.
    dict of (int, int) to Played
        The shares of the pairs of answers to two questions.
    """
    skipped = float(truths[0][-1]) if linked.skip else 0.0
    own = [truth[: len(truth) - linked.skip] for truth in truths]
    quantiles = random.random((respondents, len(own)))
    alike = random.random(respondents) < RELATED
    quantiles[alike] = quantiles[alike, :1]
    ends = [(truth / truth.sum()).cumsum()[:-1] for truth in own]
    answers = np.stack(list(map(np.searchsorted, ends, quantiles.T)), axis=1)
    answers[random.random(respondents) < skipped] = -1
    words = random.integers(0, TOTAL, (respondents, 2), dtype=np.uint32)
    codes = randomize_linked_many(linked, answers, words)
    played = partial(estimate_places, linked, answers, codes, confidence_level, method)
    places = range(len(own))
    return [played((place,)) for place in places], {pair: played(pair) for pair in combinations(places, 2)}


def estimate_places(
    linked: Linked,
    answers: Codes,
    codes: Codes,
    confidence_level: float,
    method: str,
    places: tuple[int, ...],
) -> Played:
    """Estimate from the reports of those who were asked some of the questions."""
    channel = linked.marginal(*places)
    sizes = tuple(linked.sizes[place] for place in places)
    asked = (codes[:, places] < np.array(sizes) + linked.skip).all(axis=1)
    combined = [joined(table[asked][:, places], sizes) for table in (answers, codes)]
    truly, counts = (np.bincount(each, minlength=channel.answers) for each in combined)
    return found_shares(channel, truly, counts, confidence_level, method)


def joined(table: Codes, sizes: tuple[int, ...]) -> Codes:
    """Number the combinations of each row; one that is no answer is the last of all."""
    skips = np.any((table < 0) | (table >= np.array(sizes)), axis=1)
    numbers = np.ravel_multi_index(tuple(np.where(skips[:, None], 0, table).T), sizes)
    return np.where(skips, np.prod(sizes), numbers)
