"""The share of right guesses at a person's answers: on average, and after the most telling result."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from survey.privacy.budget import plain_sum
from survey.privacy.dearest_draws import candidates
from survey.privacy.hardest_pairs import Telling
from survey.privacy.reports import Reports
from survey.privacy.variation import exceeds, greatest_variation

ROUNDED = 1e-4
"""A figure this little above a whole number of times in 100 is rounded to that number."""


@dataclass(frozen=True)
class Guess:
    """The share of right guesses between two sets of answers that were thought equally likely beforehand.

    Attributes
    ----------
    right : float
        The share on average, if whoever guesses sees all that one person sends: (1 + TV)/2, TV the total
        variation distance between the reports of the two sets of answers that are told apart best, for the
        most telling draw of sections and all waves.
    most_telling : float
        The same share after the single most telling result, E/(E + 1): E = e^epsilon, epsilon the total.
    delta : float
        The total delta: 0 without a Gaussian. It is not the chance of a greater loss: that is `exceeding`.
    """

    right: float
    most_telling: float
    delta: float

    @property
    def times_right(self) -> int:
        """The times in 100 that a guess is right on average, rounded up."""
        return times_in_100(self.right)

    def as_dict(self) -> dict[str, float]:
        """Return both shares as they are published, rounded so that all processors agree."""
        return {"right": round(self.right, 7), "most_telling": round(self.most_telling, 7)}

    @property
    def times_telling(self) -> int:
        """The times in 100 that a guess is right after the most telling result, rounded up."""
        return times_in_100(self.most_telling)


def times_in_100(share: float) -> int:
    """Round a share up to times in 100, except for what errors of computing may have added.

    Examples
    --------
    >>> times_in_100(0.75), times_in_100(0.750001), times_in_100(0.75001)
    (75, 75, 76)
    """
    return math.ceil(100 * share - ROUNDED)


def guess(channels: Iterable[Telling] | Reports[Telling], waves: int = 1) -> Guess:
    """Return how often a guess at one person's answers is right.

    Parameters
    ----------
    channels : iterable of Channel or of Told, or Reports
        One for every report that a person makes in one wave; `reports_of` gives those of a question. With
        sections that are drawn, `Reports`.
    waves : int
        How often the same person is asked all of it, 1 to 1000.

    Returns
    -------
    Guess
        `right` is never too small. It is exact to a few millionths where at most `MOST_CANDIDATES` sets of
        sections and pairs of answers need to be tried, and above the exact figure otherwise.

    Raises
    ------
    ValueError
        If waves is not a whole number from 1 to 1000.

    Notes
    -----
    Somebody who thinks a and b equally likely, and names the likelier one after a row of reports, is right
    with

        sum over rows of max(P(row | a), P(row | b))/2 = (1 + TV)/2,

    TV being the sum over rows of max(0, P(row | a) - P(row | b)): that is delta(0). The reports are
    independent, so it is delta(0) of the sum of their losses, each for a pair of answers. `hardest_pairs` has
    the pairs to try: replacing a pair by one whose delta is nowhere below does not lower the delta of a
    composition (Zhu, Dong & Wang). The row shows which sections a person was asked, and the draw depends on
    no answer. So TV is a mean over the draws, and the greatest TV of any draw bounds it. W waves of m
    sections are any W m sections of which none is taken more than W times.

    References
    ----------
    Zhu, Dong & Wang (2022), Optimal Accounting of Differential Privacy via Characteristic Function, AISTATS,
    proposition 10; Doroshenko et al. (2022), as in `survey.privacy.composition.on_grid`.

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> ten = guess([spinner_coin(0.25)] * 10)
    >>> round(ten.right, 4), ten.times_right, ten.times_telling
    (0.6499, 65, 93)
    """
    return guess_of(Reports.of(channels), waves)


remembered = lru_cache(maxsize=16)(candidates)
"""`candidates`, cached: a plan compares a survey with its limit, and then takes its figures."""


@lru_cache(maxsize=512)
def guess_of(reports: Reports[Telling], waves: int) -> Guess:
    """Return what `guess` does; cached, as an editor asks often."""
    total = plain_sum(reports, waves)
    variation = min(1.0, greatest_variation(remembered(reports, waves)))
    return Guess((1 + variation) / 2, 1 / (1 + math.exp(-total.epsilon)), total.delta)


def guess_within(channels: Iterable[Telling] | Reports[Telling], waves: int, right: float) -> bool:
    """Return whether a guess is right at most so many times in 100; mostly far sooner than `guess` does."""
    reports = Reports.of(channels)
    beyond = exceeds(remembered(reports, waves), 2 * (right + ROUNDED) / 100 - 1)
    return 100 * guess_of(reports, waves).right <= right + ROUNDED if beyond is None else not beyond
