"""The shares of the answers to one question, or to one box of it, as far as one way of reporting tells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from survey.channel import Channel
from survey.counts import binomial_counts
from survey.estimate import Estimate, estimate_proportions
from survey.interval import ConfidenceInterval, proportion_intervals
from survey.interval.leaving_band import share_bands
from survey.notice import Notice
from survey.privacy import radius


@dataclass(frozen=True)
class Precision:
    """The settings of every interval.

    Attributes
    ----------
    confidence_level : float
        In (0, 1).
    method : str
        One of `survey.interval.METHODS`.
    simultaneous : bool
        True if the level is for all intervals of a question together.
    """

    confidence_level: float
    method: str
    simultaneous: bool = False

    def each_of(self, intervals: int) -> Precision:
        """Return the precision that each of several intervals has by itself.

        The chance that any of them misses is at most the sum of their chances (Bonferroni), so each may
        miss with that share of it.
        """
        if not self.simultaneous:
            return self
        level = min(1 - (1 - self.confidence_level) / intervals, math.nextafter(1, 0))
        return replace(self, confidence_level=level, simultaneous=False)


@dataclass(frozen=True)
class ShareFigures:
    """The estimate of one answer's share; the names are those of `survey.estimate` and of downloads.

    Attributes
    ----------
    answer : str
        ``no``, ``yes``, ``skip``, or the position of the option, from 0.
    count : int or None
        The number of reports that support this answer; None where no report supports one answer alone.
    noisy_share : float or None
        `count` over the reports; None also where there are none.
    estimate, low, high : float
        The share to show, and its interval, in which it lies; see `estimates_within`.
    unbiased, standard_error : float
        The unbiased share, which may leave [0, 1], and its error, which is None without reports.
    people : float
        The estimate as a number of people.
    confidence_level, method : float, str
        Of this interval by itself.
    band_low, band_high : float or None
        The band that allows for people who left over their result; None where nobody sees it before it is
        sent.
    """

    answer: str
    count: int | None
    noisy_share: float | None
    estimate: float
    low: float
    high: float
    unbiased: float
    standard_error: float | None
    people: float
    confidence_level: float
    method: str
    band_low: float | None = None
    band_high: float | None = None


@dataclass(frozen=True)
class SharesFigures:
    """The shares of all answers, from the reports that came one way.

    Attributes
    ----------
    respondents : int
        The number of reports.
    reported : int
        The number of reports that depend on the answer; fewer only where boxes are sampled.
    shares : tuple of ShareFigures
        One for each answer.
    notices : tuple of Notice
        Those about one answer have its index in `values`.
    radius : float or None
        The most by which one forged report moves an estimated share, 1 being the whole population; None
        without reports.
    """

    respondents: int
    reported: int
    shares: tuple[ShareFigures, ...]
    notices: tuple[Notice, ...]
    radius: float | None = None

    @property
    def yes(self) -> ShareFigures:
        """The share of yes, of a question or a box that knows it."""
        return self.shares[1]


@lru_cache(maxsize=1024)
def shares_figures(
    channel: Channel,
    counts: tuple[int, ...],
    answers: tuple[str, ...],
    precision: Precision,
    seen_first: bool = False,
) -> SharesFigures:
    """Estimate shares from counts; cached, as the counts of an open survey move only with a step.

    Parameters
    ----------
    channel : Channel
    counts : tuple of int, of length channel.reports
    answers : tuple of str, of length channel.answers
        The names of the answers.
    precision : Precision
    seen_first : bool
        Whether people see their result before they send it, so that they may leave over it.

    Raises
    ------
    ValueError
        If the counts are not the channel's, or it cannot be inverted.
    """
    estimate = estimate_proportions(channel, counts)
    intervals = proportion_intervals(
        channel, counts, precision.confidence_level, precision.method, precision.simultaneous
    )
    bands: Sequence[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(answers)
    if seen_first:
        ends = [(float(each.low), float(each.high)) for each in intervals]
        bands = share_bands(channel, counts, ends, intervals[0].confidence_level)
    supporting = counts_of_answers(channel, counts)
    likely = estimates_within(estimate, intervals)
    shares = tuple(
        ShareFigures(
            answer=name,
            count=supporting[index],
            noisy_share=share_of(supporting[index], estimate.reported),
            estimate=likely[index],
            low=float(intervals[index].low),
            high=float(intervals[index].high),
            unbiased=float(estimate.proportions[index]),
            standard_error=finite(float(estimate.standard_errors[index])),
            people=estimate.respondents * likely[index],
            confidence_level=intervals[index].confidence_level,
            method=intervals[index].method,
            band_low=bands[index][0],
            band_high=bands[index][1],
        )
        for index, name in enumerate(answers)
    )
    # The two intervals of a yes/no question are one, seen from two sides: what is said of it is said of yes.
    cut = [
        Notice(notice.code, {**notice.values, "answer": index})
        for index, interval in enumerate(intervals)
        if index or len(intervals) > 2
        for notice in interval.notices
    ]
    return SharesFigures(
        respondents=estimate.respondents,
        reported=estimate.reported,
        shares=shares,
        notices=(*estimate.notices, *cut),
        radius=largest_move(channel, estimate.reported),
    )


def estimates_within(estimate: Estimate, intervals: Sequence[ConfidenceInterval]) -> list[float]:
    """Return the most likely share of each answer, brought into its interval.

    The interval of one option among several depends on that option alone, and sometimes excludes the share
    that is most likely for all options together. Then its nearer end is returned.
    """
    return [
        min(max(float(likely), float(interval.low)), float(interval.high))
        for likely, interval in zip(estimate.maximum_likelihood, intervals, strict=True)
    ]


def largest_move(channel: Channel, reported: int) -> float | None:
    """Return the most by which one forged report moves an estimated share; None without reports.

    Where boxes are sampled, the share is a mean over those who did report on the box.
    """
    if not reported:
        return None
    return finite(radius(channel, reported))


def counts_of_answers(channel: Channel, counts: tuple[int, ...]) -> Sequence[int | None]:
    """Count the reports that support each answer."""
    binomials = binomial_counts(channel, counts)
    if binomials is not None:
        return [binomial.count for binomial in binomials]
    if channel.reports == channel.answers:
        return counts
    return [None] * channel.answers


def share_of(count: int | None, reported: int) -> float | None:
    """Return a noisy share, or None where there is none."""
    return None if count is None or not reported else count / reported


def finite(number: float) -> float | None:
    """Return a number, or None for infinity, which JSON cannot hold."""
    return number if math.isfinite(number) else None
