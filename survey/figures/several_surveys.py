"""The same question in several surveys: waves, groups, or any surveys that ask the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.column import Column
from survey.crosstab import difference_of_pools, difference_of_waves, pool_strata, pooled_interval
from survey.crosstab.groups import quantile
from survey.crosstab.waves import least_covariance
from survey.estimate import MeanEstimate, estimate_mean
from survey.figures.columns import column_figures
from survey.figures.questions import answer_names
from survey.figures.shares import Precision, SharesFigures
from survey.interval import METHODS
from survey.interval.leaving_band import Ends, number_band
from survey.interval.saturated_likelihood import CONTINUITY, unbounded_likelihood
from survey.mechanisms import NumberChannel
from survey.plan.variance import mean_variance
from survey.publication import Publication
from survey.question import Boxes, Choice, Number, Question

Strata = Sequence[tuple[Channel, npt.ArrayLike]]


@dataclass(frozen=True)
class Interval:
    """A share or a mean with its interval, and how many reports it is from.

    Attributes
    ----------
    respondents : int
    value, low, high : float
        Shares of 1, or in the unit of the number.
    band : (low, high), or None
        For people who left over their result; None where nobody sees it before it is sent, or all are pooled.
    """

    respondents: int
    value: float
    low: float
    high: float
    band: Ends | None = None


@dataclass(frozen=True)
class Quantity:
    """One share or one mean in every survey, how far each lies from the first, and all of them pooled.

    Attributes
    ----------
    column, answer : str
        The column, and the answer whose share this is: ``yes``, the position of an option, or ``mean``.
    of_each : tuple of Interval or None
        In the order of the surveys; None for one in which nobody was asked.
    differences : tuple of Interval or None
        Of each survey but the first: its value less the first one's.
    pooled : Interval or None
        None where fewer than two surveys have an estimate, or several may be of the same people and no
        interval is known to hold: of a mean, or of shares whose counts are not binomial.
    """

    column: str
    answer: str
    of_each: tuple[Interval | None, ...]
    differences: tuple[Interval | None, ...]
    pooled: Interval | None


def asked_alike(publications: Sequence[Publication]) -> list[Question]:
    """Return the questions of the first survey that all the others ask in the same way, in its order.

    Parameters
    ----------
    publications : sequence of Publication
        Two or more.

    Notes
    -----
    The same id, kind and answers, and the same words for every answer in each language that both have. The
    wording may have been mended and the mechanism or epsilon changed: the estimates allow for these.
    """
    first, *others = ({each.id: each for each in one.definition.questions} for one in publications)
    return [
        question
        for name, question in first.items()
        if all(name in other and are_alike(question, other[name]) for other in others)
    ]


def are_alike(question: Question, other: Question) -> bool:
    """Return whether two questions have the same answers."""
    if question.kind != other.kind or answer_names(question) != answer_names(other):
        return False
    if isinstance(question, Choice | Boxes) and isinstance(other, Choice | Boxes):
        return len(question.options) == len(other.options) and all(
            mine[code] == theirs[code]
            for mine, theirs in zip(question.options, other.options, strict=True)
            for code in mine.keys() & theirs.keys()
        )
    if isinstance(question, Number) and isinstance(other, Number):
        return (question.low, question.high, question.step) == (other.low, other.high, other.step)
    return True


def quantities(
    question: Question,
    publications: Sequence[Publication],
    counts: Sequence[Mapping[str, Sequence[int]]],
    confidence_level: float,
    people: Sequence[int] | None = None,
) -> list[Quantity]:
    """Estimate what a question tells in each of several surveys, and in all of them together.

    Parameters
    ----------
    question : Question
        One of `asked_alike`.
    publications : sequence of Publication
    counts : sequence of Mapping
        Of each survey: column -> how often each code came.
    confidence_level : float
        In (0, 1), of each interval by itself.
    people : sequence of int, optional
        Of each survey: whom it asked. Surveys with the same number may have been answered by the same
        people; without it all asked others.

    Returns
    -------
    list of Quantity
        The mean of a number; the share of yes, of each option, or of each box.

    Raises
    ------
    ValueError
        If the level is none.

    Notes
    -----
    Surveys of other people are taken to be independent of each other; the answers of the same people in two
    surveys may go together in any way.

    The band of a difference reaches from the low end of the one survey's band less the high end of the
    other's to the opposite. A difference of two normal estimates has at most the sum of their standard
    errors, however they go together, so that it holds at least as often as each band.
    """
    asked = range(len(publications)) if people is None else people
    found = []
    for name in question.column_names:
        columns = [one.columns[name] for one in publications]
        codes = [each[name] for each in counts]
        received = [strata_of(column, each) for column, each in zip(columns, codes, strict=True)]
        seen_first = [one.definition.seen_first for one in publications]
        if isinstance(columns[0].channel, NumberChannel):
            grid = columns[0].channel.grid
            found.append(mean_of(name, received, confidence_level, asked, grid, seen_first))
            continue
        answers = answer_names(question)
        shown = (1,) if answers[:2] == ("no", "yes") else range(len(answers))
        precision = Precision(confidence_level, METHODS[0])
        alone = [
            column_figures(column, each, answers, precision, seen).best
            for column, each, seen in zip(columns, codes, seen_first, strict=True)
        ]
        found += [share_of(name, place, alone, received, confidence_level, asked) for place in shown]
    return found


def strata_of(column: Column, counts: Sequence[int]) -> list[tuple[Channel, tuple[int, ...]]]:
    """Return the channels of a column that somebody reported through, each with the counts of its reports."""
    split = column.split(counts)
    ways = [(column.channel, split.device)]
    if column.by_hand is not None and split.by_hand is not None:
        ways.append((column.by_hand, split.by_hand))
    return [(channel, received) for channel, received in ways if sum(received)]


def share_of(
    column: str,
    place: int,
    alone: Sequence[SharesFigures],
    received: Sequence[Strata],
    confidence_level: float,
    people: Sequence[int],
) -> Quantity:
    """Compare and pool the share of one answer.

    Each survey has the estimate and the interval of its own results. Differences are of unbiased shares, with
    normal intervals of adjusted ones; the pooled share is unbiased, with a likelihood interval where several
    may be of the same people. Each is brought into its interval.
    """
    heard = [(strata, asked) for strata, asked in zip(received, people, strict=True) if strata]

    def by_itself(shares: SharesFigures) -> Interval:
        share = shares.shares[place]
        band = None
        if share.band_low is not None and share.band_high is not None:
            band = share.band_low, share.band_high
        return Interval(shares.respondents, share.estimate, share.low, share.high, band)

    each_alone = [by_itself(each) if strata else None for each, strata in zip(alone, received, strict=True)]

    def difference(strata: Strata, asked: int, own: Interval | None) -> Interval:
        compare = difference_of_waves if asked == people[0] else difference_of_pools
        found = compare(strata, received[0], place, confidence_level)
        ends = found.low, found.high
        value = min(max(found.value, found.low), found.high)
        return Interval(respondents_of(strata), value, *ends, band_between(own, each_alone[0], ends))

    def pooled() -> Interval | None:
        found = pool_strata([stratum for strata, _ in heard for stratum in strata], place, confidence_level)
        waves, asked = zip(*heard, strict=True)
        ends = pooled_interval(waves, asked, place, confidence_level)
        if ends is None and len(set(asked)) < len(asked):
            return None
        low, high = ends or (found.low, found.high)
        return Interval(found.respondents, min(max(found.proportion, low), high), low, high)

    return Quantity(
        column,
        alone[0].shares[place].answer,
        tuple(each_alone),
        tuple(
            difference(strata, asked, own) if strata and received[0] else None
            for strata, asked, own in zip(received[1:], people[1:], each_alone[1:], strict=True)
        ),
        pooled() if len(heard) > 1 else None,
    )


def band_between(own: Interval | None, first: Interval | None, ends: Ends) -> Ends | None:
    """Return the band of a difference, no narrower than its interval; None where neither survey has one."""
    if own is None or first is None or own.band is first.band is None:
        return None
    (low, high), (lowest, highest) = (each.band or (each.low, each.high) for each in (own, first))
    return min(low - highest, ends[0]), max(high - lowest, ends[1])


def respondents_of(strata: Strata) -> int:
    """Return how many reports strata hold."""
    return sum(int(np.sum(counts)) for _, counts in strata)


def mean_of(
    column: str,
    received: Sequence[Strata],
    confidence_level: float,
    people: Sequence[int],
    grid: npt.NDArray[np.float64],
    seen_first: Sequence[bool],
) -> Quantity:
    """Compare and pool a mean.

    Notes
    -----
    Differences and the pooled mean are of unbiased means, brought to where they can be.
    A sum of weighted estimates with intervals of their own has the interval whose ends lie as far away as the
    root of the sum of the squared distances of theirs (G. Zou & A. Donner (2008), Construction of confidence
    limits about effect measures, Statistics in Medicine 27). These intervals are not cut at the ends of the
    grid: with cut ones, 24 to 27 in 100 differences of means at opposite ends were missed. The weights of the
    pooled mean are n over the variance that the noise alone may give, which no report can change. Of two
    waves of the same people the difference allows for the least covariance of two means, -2 z^2 of which is
    added to these squares.
    """
    found = [estimate_mean(*strata[0], confidence_level) if strata else None for strata in received]

    alone = [
        Interval(each.respondents, each.estimate, each.low, each.high) if each else None for each in found
    ]
    for place, (each, strata, seen) in enumerate(zip(alone, received, seen_first, strict=True)):
        if each and seen and isinstance(channel := strata[0][0], NumberChannel):
            band = number_band(channel, strata[0][1], (each.low, each.high), confidence_level)
            alone[place] = replace(each, band=band)

    uncut = [
        not_cut(each, *strata[0]) if each else None for each, strata in zip(found, received, strict=True)
    ]

    def difference(mean: MeanEstimate, first: MeanEstimate, asked: int, own: Interval | None) -> Interval:
        squares = 0.0
        if asked == people[0]:
            squares = -2 * quantile(confidence_level) ** 2 * covariance_of_means(mean, first, grid)
        apart = within(grid - grid[::-1], weighted([mean, first], [1.0, -1.0], squares))
        return replace(apart, band=band_between(own, alone[0], (apart.low, apart.high)))

    heard = [(each, strata[0][0]) for each, strata in zip(uncut, received, strict=True) if each]
    pooled = None
    asked = [number for strata, number in zip(received, people, strict=True) if strata]
    # No interval of means of the same people is known to hold .94.
    if 1 < len(heard) == len(set(asked)):
        weights = np.array([each.respondents / mean_variance(channel) for each, channel in heard])
        pooled = within(grid, weighted([each for each, _ in heard], (weights / weights.sum()).tolist()))
    return Quantity(
        column,
        "mean",
        tuple(alone),
        tuple(
            difference(each, uncut[0], asked, own) if each and uncut[0] else None
            for each, asked, own in zip(uncut[1:], people[1:], alone[1:], strict=True)
        ),
        pooled,
    )


def covariance_of_means(mean: MeanEstimate, other: MeanEstimate, grid: npt.NDArray[np.float64]) -> float:
    """Return the least covariance of the means of two waves, the smaller of which asked nobody else."""
    lowest, span = float(grid[0]), float(np.ptp(grid))
    first, second = (min(max((wave.mean - lowest) / span, 0.0), 1.0) for wave in (mean, other))
    return span**2 * least_covariance(first, second) / max(mean.respondents, other.respondents)


def not_cut(mean: MeanEstimate, channel: Channel, counts: npt.ArrayLike) -> MeanEstimate:
    """Return a mean with a likelihood interval that may leave the grid, as the mean itself may."""
    assert isinstance(channel, NumberChannel)  # noqa: S101  # no other column has a mean
    lowest, span = float(channel.grid[0]), float(np.ptp(channel.grid))
    drop = quantile(mean.confidence_level) ** 2 / 2
    shares = (channel.values - lowest) / span
    low, high = unbounded_likelihood(shares, np.asarray(counts), drop, CONTINUITY)
    return replace(mean, low=lowest + span * low, high=lowest + span * high)


def within(possible: npt.NDArray[np.float64], mean: Interval) -> Interval:
    """Return a mean and its interval, brought between the first and the last possible value."""
    value, low, high = np.clip((mean.value, mean.low, mean.high), possible[0], possible[-1]).tolist()
    return replace(mean, value=value, low=low, high=high)


def weighted(means: Sequence[MeanEstimate], weights: Sequence[float], squares: float = 0.0) -> Interval:
    """Return a weighted sum of means with its interval; `squares` is added to both squared distances."""
    value = sum(weight * each.mean for weight, each in zip(weights, means, strict=True))
    ends = [
        sorted((weight * (each.low - each.mean), weight * (each.high - each.mean)))
        for weight, each in zip(weights, means, strict=True)
    ]
    below = math.sqrt(squares + sum(low**2 for low, _ in ends))
    above = math.sqrt(squares + sum(high**2 for _, high in ends))
    respondents = sum(each.respondents for each, weight in zip(means, weights, strict=True) if weight > 0)
    return Interval(respondents, value, value - below, value + above)
