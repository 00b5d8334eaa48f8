"""Simulate a survey whose truth is known: answers, randomized reports, and estimates from them.

Only the command line uses this: a server never has an answer to randomize.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, Channel, require_whole
from survey.counts import informative_reports, read_counts, support_counts, supporting_reports, tally
from survey.estimate import (
    curve_quantiles,
    estimate_curve,
    estimate_mean,
    estimate_proportions,
    numbers_and_values,
)
from survey.interval import proportion_intervals
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel, NumberClasses, classes_of
from survey.plan.variance import read_proportions
from survey.randomize import randomize_many

MOST_RESPONDENTS = 10_000_000
BLOCK = 2**18
"""The number of respondents that are simulated at a time, so that memory does not grow with them."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Played:
    """The estimates of a simulated survey with the truth, for each answer, or for what `scale_names` names.

    Attributes
    ----------
    respondents : int
    truth : ndarray of float
        The share of each answer among the respondents played, or the mean of their numbers.
    noisy : ndarray of float
        The share of the reports that support the answer. For a mean, the mean of the reports' values cut to
        the range of the answers: the figure of somebody who forgets the noise.
    estimate, standard_error, low, high : ndarray of float
    band : bool or None
        True if the band of a designed channel held all cumulative shares of the population together.
    """

    respondents: int
    truth: Array
    noisy: Array
    estimate: Array
    standard_error: Array
    low: Array
    high: Array
    band: bool | None = None


def play(
    channel: Channel,
    proportions: npt.ArrayLike,
    respondents: int,
    random: np.random.Generator,
    *,
    confidence_level: float = CONFIDENCE_LEVEL,
    method: str = "exact",
    of_mean: bool = False,
    grid: npt.ArrayLike | None = None,
) -> Played:
    """Play a survey once.

    Parameters
    ----------
    channel : Channel
    proportions : array_like of float, shape (answers,)
        The true shares of the population that respondents are drawn from.
    respondents : int
        1 to ten million.
    random : numpy.random.Generator
        Draws the answers and the words.
    confidence_level, method
        As for `survey.interval.proportion_intervals`.
    of_mean : bool
        Whether the mean is estimated, not the shares.
    grid : array_like of float, optional
        The number that each answer stands for, where the channel does not say it.

    Returns
    -------
    Played

    Raises
    ------
    ValueError
        If an argument is refused.
    """
    shares = read_proportions(channel, proportions)
    respondents = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    truly = np.zeros(channel.answers, np.int64)
    counts = np.zeros(channel.reports, np.int64)
    for start in range(0, respondents, BLOCK):
        size = min(BLOCK, respondents - start)
        answers = random.choice(channel.answers, size=size, p=shares)
        words = random.integers(0, TOTAL, size, dtype=np.uint32)
        truly += np.bincount(answers, minlength=channel.answers)
        counts += tally(channel, randomize_many(channel, answers, words))
    if (classes := classes_of(channel)) is not None:
        return scale_played(channel, classes, counts, (truly / respondents, shares), confidence_level)
    if not of_mean:
        return found_shares(channel, truly, counts, confidence_level, method)
    mean = estimate_mean(channel, counts, confidence_level, grid)
    numbers, values = numbers_and_values(channel, grid)
    seen = counts @ values.clip(numbers.min(), numbers.max()) / respondents
    return Played(
        respondents=respondents,
        truth=np.array([truly @ numbers / respondents]),
        noisy=np.array([seen]),
        estimate=np.array([mean.mean]),
        standard_error=np.array([mean.standard_error]),
        low=np.array([mean.low]),
        high=np.array([mean.high]),
    )


def found_shares(
    channel: Channel,
    truly: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    confidence_level: float,
    method: str,
) -> Played:
    """Estimate the shares of those who were played, from how often each answer and each report came."""
    respondents = int(truly.sum())
    estimate = estimate_proportions(channel, counts)
    intervals = proportion_intervals(channel, counts, confidence_level, method)
    return Played(
        respondents=respondents,
        truth=truly / respondents,
        noisy=noisy_shares(channel, counts),
        estimate=estimate.proportions,
        standard_error=estimate.standard_errors,
        low=np.array([interval.low for interval in intervals]),
        high=np.array([interval.high for interval in intervals]),
    )


def scale_names(classes: NumberClasses) -> list[str]:
    """Name what is estimated through a designed channel: shares, mean, cumulative shares and median."""
    first, last = ([f"{number:g}" for number in ends] for ends in (classes.lowest, classes.highest))
    ranges = [low if low == high else f"{low}..{high}" for low, high in zip(first, last, strict=True)]
    return [*ranges, "mean", *(f"<= {high}" for high in last[:-1]), "median"]


def scale_truth(channel: Channel, classes: NumberClasses, shares: Array) -> Array:
    """Return the true values of what `scale_names` names, from the shares of all answers."""
    first = classes.lowest
    numbers = channel.grid if isinstance(channel, NumberChannel) else first
    place = np.searchsorted(first, numbers, side="right") - 1
    of_classes = np.bincount(place, shares)
    median = numbers[np.searchsorted(shares.cumsum(), 0.5 - 1e-9)]
    return np.concatenate([of_classes, [shares @ numbers], of_classes.cumsum()[:-1], [median]])


def scale_played(
    channel: Channel,
    classes: NumberClasses,
    counts: npt.NDArray[np.int64],
    shares: tuple[Array, Array],
    level: float,
) -> Played:
    """Estimate all that a designed channel tells of, beside the shares of the people and the population."""
    of_people, of_population = (scale_truth(channel, classes, each) for each in shares)
    estimate = estimate_proportions(classes.channel, counts)
    intervals = proportion_intervals(classes.channel, counts, level)
    numbers = None if isinstance(channel, NumberChannel) else classes.lowest
    mean, curve = (
        estimate_mean(channel, counts, level, numbers),
        estimate_curve(classes.channel, counts, level),
    )
    (median,) = curve_quantiles(curve, [0.5])
    known = of_population[-1 - len(curve.shares) : -1]
    unknown = np.full(len(curve.shares) + 1, np.nan)
    return Played(
        respondents=int(counts.sum()),
        truth=of_people,
        noisy=np.full(len(of_people), np.nan),
        estimate=np.concatenate(
            [estimate.proportions, [mean.mean], curve.shares, [classes.highest[median.answer]]]
        ),
        standard_error=np.concatenate([estimate.standard_errors, [mean.standard_error], unknown]),
        low=np.concatenate(
            [[each.low for each in intervals], [mean.low], curve.low, [classes.lowest[median.low]]]
        ),
        high=np.concatenate(
            [[each.high for each in intervals], [mean.high], curve.high, [classes.highest[median.high]]]
        ),
        band=bool(((curve.band_low <= known + 1e-9) & (known <= curve.band_high + 1e-9)).all()),
    )


def noisy_shares(channel: Channel, counts: npt.ArrayLike) -> Array:
    """Return the share of the reports that support each answer, among those that depend on the answer.

    NaN where no report supports an answer alone, as in a matrix with other reports than answers.
    """
    informative = informative_reports(channel)
    if supporting_reports(channel, informative) is None:
        return np.full(channel.answers, np.nan)
    heard = int(read_counts(channel, counts)[informative].sum())
    return np.asarray(support_counts(channel, counts) / max(heard, 1))


def plays(
    channel: Channel,
    proportions: npt.ArrayLike,
    respondents: int,
    random: np.random.Generator,
    repeats: int,
    **settings: object,
) -> Iterator[Played]:
    """Play a survey again and again, one play at a time so that progress can be shown."""
    for _ in range(require_whole("repeats", repeats, 1, 1_000_000)):
        yield play(channel, proportions, respondents, random, **settings)  # type: ignore[arg-type]


def coverage(played: Sequence[Played], truth: npt.ArrayLike) -> Array:
    """Return the share of the plays of a survey whose interval holds the true population value.

    Parameters
    ----------
    played : sequence of Played
        One or more.
    truth : array_like of float
        The population's shares, or its mean as a list of one.

    Returns
    -------
    ndarray of float, in the shape of `truth`
    """
    known = np.asarray(truth, np.float64)
    low, high = np.array([play.low for play in played]), np.array([play.high for play in played])
    rounding = 1e-9 * (1 + np.abs(known))
    shares: Array = ((low <= known + rounding) & (known <= high + rounding)).mean(axis=0)
    return shares
