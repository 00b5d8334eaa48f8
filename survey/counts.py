"""Counts of reports: checked, tallied, and read as binomial counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.compact_form import Subsets
from survey.cyclic_sets import CyclicSets
from survey.limits import MOST_RESPONDENTS
from survey.sets_on_grid import SetsOnGrid
from survey.weighted_sets import WeightedSets

LARGEST_DIFFERENCE = 1e-3
"""The greatest difference between the chances of a set of reports under the other answers, as a share of what
the answer itself adds, for its count to pass as binomial. Integer weights give subset selection a small
one."""


def read_counts(channel: Channel, counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Check counts against the channel that they came through.

    Parameters
    ----------
    channel : Channel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received; for yes/no the order is no, yes.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    ValueError
        If they are not one whole number of 0 or more for each report, or add up to more than 2**53.
    """
    array = np.asarray(counts)
    if array.shape != (channel.reports,) or array.dtype.kind not in "iu":
        got = ", ".join(map(str, array.ravel().tolist()))
        raise ValueError(f"counts must be {channel.reports} whole numbers, one for each report, got {got}")
    values = array.tolist()
    if min(values) < 0 or sum(values) > MOST_RESPONDENTS:
        raise ValueError(f"counts must be 0 or more and add up to at most {MOST_RESPONDENTS}, got {values}")
    return array.astype(np.int64)


def tally(channel: Channel, reports: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Count how often each report occurs.

    Parameters
    ----------
    channel : Channel
    reports : array_like of int
        Indices in [0, channel.reports).

    Returns
    -------
    ndarray of int64, shape (channel.reports,)

    Raises
    ------
    ValueError
        If a report is not one of the channel's.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> tally(coin(), [1, 0, 1, 1]).tolist()
    [1, 3]
    """
    array = np.asarray(reports).ravel()
    if array.size == 0:
        return np.zeros(channel.reports, np.int64)
    allowed = f"reports must be whole numbers in [0, {channel.reports})"
    if array.dtype.kind not in "iu":
        raise ValueError(f"{allowed}, got {array.dtype} {array[0]!r}")
    for extreme in (int(array.min()), int(array.max())):
        if not 0 <= extreme < channel.reports:
            raise ValueError(f"{allowed}, got {extreme}")
    return np.bincount(array, minlength=channel.reports).astype(np.int64)


@dataclass(frozen=True)
class BinomialCount:
    """Reports that support one answer: a binomial count whose share lies on a line.

    The chance of such a report is lambda = a + (b - a) pi, where pi is the proportion of that answer: for
    yes/no a yes, for k-ary randomized response the answer's own report, for subset selection the sets that
    contain the answer, for a sampled box a yes among those who reported on the box.

    Attributes
    ----------
    respondents : int
        n.
    count : int
        x, the number of reports received that support the answer.
    lowest, highest : float
        a and b, the chance of that report at pi = 0 and at pi = 1; a <= b.
    """

    respondents: int
    count: int
    lowest: float
    highest: float

    @property
    def share(self) -> float:
        """The noisy share x / n; with no respondents, the middle of what the channel can give."""
        return self.count / self.respondents if self.respondents else (self.lowest + self.highest) / 2

    @property
    def most_likely(self) -> float:
        """The lambda in [a, b] of greatest likelihood, exactly: the noisy share, or the end nearest to it."""
        return min(max(self.share, self.lowest), self.highest)

    @property
    def mirrored(self) -> BinomialCount:
        """The same data, seen from those who have another answer."""
        return BinomialCount(
            self.respondents, self.respondents - self.count, 1 - self.highest, 1 - self.lowest
        )

    def proportion(self, chance: float) -> float:
        """Solve lambda = a + (b - a) pi for pi. Defined only where a < b."""
        return (chance - self.lowest) / (self.highest - self.lowest)


def binomial_counts(channel: Channel, counts: npt.ArrayLike) -> tuple[BinomialCount, ...] | None:
    """Read the counts of a question as one binomial count for each answer, where they are binomial.

    Parameters
    ----------
    channel : Channel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.

    Returns
    -------
    tuple of BinomialCount, or None
        One for each answer; None where the chance of no set of reports depends on one proportion alone, as
        for the exponential mechanism and for numbers.

    Raises
    ------
    ValueError
        If the counts are not the channel's.
    """
    received = read_counts(channel, counts)
    lines = supporting_lines(channel, type(channel.form).__name__)
    if lines is None:
        return None
    supporting, lowest, highest = lines
    respondents = int(received[informative_reports(channel)].sum())
    return tuple(
        BinomialCount(respondents, int(received[reports].sum()), float(a), float(b))
        for reports, a, b in zip(supporting, lowest, highest, strict=True)
    )


@lru_cache(maxsize=256)
def supporting_lines(
    channel: Channel, form: str
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
    """Return the reports that support each answer, and their chance without it and with it; cached.

    Parameters
    ----------
    channel : Channel
    form : str
        The name of its form, on which the supporting reports depend: channels of equal weights are equal.

    Returns
    -------
    supporting, lowest, highest : ndarray of shapes (answers, reports), (answers,), (answers,); or None
        None where no such counts are binomial.
    """
    informative = informative_reports(channel)
    supporting = supporting_reports(channel, informative)
    if supporting is None:
        return None
    heard = channel.probabilities[:, informative].sum(axis=1)
    # [i, j]: the chance that answer i sends a report that supports j
    chances = channel.probabilities @ supporting.T / heard[:, np.newaxis]
    own = np.diag(chances)
    lowest = (chances.sum(axis=0) - own) / (channel.answers - 1)
    apart = np.abs(np.where(np.eye(channel.answers), 0, chances - lowest)).max(axis=0)
    if not (apart <= LARGEST_DIFFERENCE * (own - lowest)).all() or (own <= lowest).any():
        return None
    return supporting, lowest, own


@lru_cache(maxsize=256)
def informative_reports(channel: Channel) -> npt.NDArray[np.bool_]:
    """Mark the reports that depend on the answer; the others are equally likely under every answer.

    A report of the second kind, such as "not sampled" or one that nobody can send, says nothing about the
    answers. So an estimate needs the others alone, with their number.

    Returns
    -------
    ndarray of bool, shape (channel.reports,)
        Cached, and so read-only.
    """
    informative: npt.NDArray[np.bool_] = np.ptp(channel.weights, axis=0) > 0
    informative.flags.writeable = False
    return informative


def supporting_reports(channel: Channel, informative: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_] | None:
    """Return the reports that support each answer, shape (answers, reports); None if there are none.

    See Wang et al., USENIX Security 2017, section 3.
    """
    if isinstance(channel.form, Subsets | CyclicSets):
        return channel.form.members()
    if isinstance(channel.form, WeightedSets | SetsOnGrid):
        return None
    answers = channel.answers
    if answers != informative.sum():
        return None
    own = np.eye(answers, dtype=np.bool_)
    weights = channel.weights[:, informative]
    if answers == 2 and weights[1, 1] < weights[0, 1]:
        own = ~own  # report 0 is the one that says yes
    supporting = np.zeros(channel.weights.shape, np.bool_)
    supporting[:, informative] = own
    return supporting


def support_counts(channel: Channel, counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Count the reports that support each answer; one report may support several.

    Returns
    -------
    ndarray of int64, shape (channel.answers,)

    Raises
    ------
    ValueError
        If the counts are not the channel's, or no report of it supports an answer.
    """
    received = read_counts(channel, counts)
    supporting = supporting_reports(channel, informative_reports(channel))
    if supporting is None:
        raise ValueError(
            f"channel must have a report for each answer, got {channel.reports} for {channel.answers}"
        )
    return np.asarray(supporting @ received)


def binomial_count(channel: Channel, counts: npt.ArrayLike) -> BinomialCount:
    """Read the counts of a yes/no question as one binomial count, that of yes.

    Parameters
    ----------
    channel : Channel
        With two answers and two reports that say something about them; a box that was sampled has a third.
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.

    Returns
    -------
    BinomialCount
        Of report 1, yes, or of report 0 where the channel makes that the likelier one under answer 1.

    Raises
    ------
    ValueError
        If the channel is of another shape, or the counts are not its.
    """
    binomials = binomial_counts(channel, counts)
    if binomials is None or len(binomials) != 2:
        raise ValueError(
            f"channel must have two answers and two reports, got {channel.answers} and {channel.reports}"
        )
    return binomials[1]
